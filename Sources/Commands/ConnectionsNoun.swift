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
      expected: "a connection's id, without '/', '?', '#' and control characters, or the URL of its page"
    ) { ConnectionAddress.isAddress($0) ? ConnectionAddress.id(in: $0) : ConnectionID(parsing: $0) }
  }

  /// Where only IFTTT's own connections are meant, of which alone it knows what the command asks: `ID` or `connect:ID`.
  static var ownConnectionID: ValueKind {
    ValueKind(connectionID.schema) { (text: String) throws(ValueError) in
      guard !ConnectionAddress.isAddress(text) else { return try connectionID.parse(text) }
      let given = QualifiedConnectionID(text, provider: nil)
      if let provider = given.provider {
        throw ValueError(
          "provider '\(provider)' has this one, and IFTTT knows nothing of it; 'connections show', 'enable' and 'disable' do"
        )
      }
      return try connectionID.parse(given.id)
    }
  }
}
