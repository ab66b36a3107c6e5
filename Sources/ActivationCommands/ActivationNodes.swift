package import CommandContext

extension Node {
  package static var configure: Node { .verb(Configure.self) }
  package static var activate: Node { .verb(ConnectionsActivate.self) }
}

extension [Node] {
  /// The commands for a connection's steps and their fields.
  package static var steps: [Node] {
    [
      .verb(ConnectionsOptions.self), .verb(ConnectionsRun.self), .verb(ConnectionsQuery.self),
      .verb(ConnectionsTest.self), .verb(ConnectionsRefreshLabels.self),
    ]
  }
}
