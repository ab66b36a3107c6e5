import CommandLine
package import Session

extension Node {
  package static var configure: Node { .verb(Configure.self) }

  package static var connections: Node {
    .group("connections", summary: "List, show and change connections", heading: "Connections") {
      [
        .verb(ConnectionsList.self),
        .verb(ConnectionsShow.self),
        .verb(ConnectionsAdd.self),
        .verb(ConnectionsRemove.self),
        .verb(ConnectionsEnable.self),
        .verb(ConnectionsDisable.self),
        .verb(ConnectionsActivate.self),
        .verb(ConnectionsHistory.self),
        .verb(ConnectionsUndo.self),
        .verb(ConnectionsRedo.self),
        .connectionsExport,
        .connectionsDiff,
        .connectionsApply,
        .verb(ConnectionsWait.self),
        .verb(ConnectionsWatch.self),
        .verb(ConnectionsOpen.self),
        .connectionsOptions,
        .connectionsRun,
        .connectionsQuery,
        .connectionsTest,
        .connectionsRefreshLabels,
        .verb(ConnectionsButton.self),
      ]
    }
  }
}
