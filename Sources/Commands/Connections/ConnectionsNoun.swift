import Arguments
import Connect

extension Root {
  static var connections: Node {
    .group("connections", summary: "List, show and change connections", heading: "Connections") {
      [
        .verb(ConnectionsList.self),
        .verb(ConnectionsShow.self),
        .verb(ConnectionsAdd.self),
        .verb(ConnectionsRemove.self),
        .verb(ConnectionsEnable.self),
        .verb(ConnectionsDisable.self),
        .verb(ConnectionsActivate.self),
        .verb(ConnectionsUndo.self),
        .verb(ConnectionsWait.self),
        .verb(ConnectionsWatch.self),
        .verb(ConnectionsOpen.self),
        .verb(ConnectionsOptions.self),
        .verb(ConnectionsRun.self),
        .verb(ConnectionsQuery.self),
        .verb(ConnectionsTest.self),
        .verb(ConnectionsRefreshLabels.self),
        .verb(ConnectionsButton.self),
      ]
    }
  }
}

extension ValueKind<ConnectionID> {
  static var connectionID: ValueKind {
    .parsed(
      "ID", completion: .dynamic("connection-id"),
      expected: "a connection's id, without '/', '?', '#' and control characters"
    ) { ConnectionID(parsing: $0) }
  }
}
