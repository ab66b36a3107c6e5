package import Session

/// The commands for a connection's steps and their fields.
extension Node {
  package static var connectionsOptions: Node { .verb(ConnectionsOptions.self) }
  package static var connectionsRun: Node { .verb(ConnectionsRun.self) }
  package static var connectionsQuery: Node { .verb(ConnectionsQuery.self) }
  package static var connectionsTest: Node { .verb(ConnectionsTest.self) }
  package static var connectionsRefreshLabels: Node { .verb(ConnectionsRefreshLabels.self) }
}
