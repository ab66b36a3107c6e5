package import CommandContext

extension [Node] {
  /// The commands for a connection's steps and their fields.
  package static var steps: [Node] {
    [
      .verb(ConnectionsOptions.self), .verb(ConnectionsRun.self), .verb(ConnectionsQuery.self),
      .verb(ConnectionsTest.self), .verb(ConnectionsRefreshLabels.self),
    ]
  }
}
