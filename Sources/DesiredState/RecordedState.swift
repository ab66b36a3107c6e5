package import API
package import Connect
package import JSON

/// The state of a connection at one moment, as the journal and a plan record it.
package struct RecordedState: Sendable, Equatable {
  package var status: UserStatus
  /// Nil if IFTTT sent none, as while a connection is disabled.
  package var configuration: UserConnection?

  package init(status: UserStatus, configuration: UserConnection?) {
    (self.status, self.configuration) = (status, configuration)
  }

  package init(_ connection: Connection) {
    self.init(status: connection.status, configuration: connection.userConnection)
  }

  /// Nil if it is not a recorded state: a later version may write another form.
  package init?(_ json: JSONValue) {
    guard let status = json["status"]?.string.flatMap(UserStatus.init(rawValue:)) else { return nil }
    self.init(status: status, configuration: nil)
    guard let configuration = json["configuration"], !configuration.isNull else { return }
    guard let read = try? UserConnection(document: configuration) else { return nil }
    self.configuration = read
  }

  package var json: JSONValue {
    ["status": .string(status.rawValue), "configuration": configuration.flatMap(\.json) ?? .null]
  }
}

extension UserConnection {
  /// The configuration as in a connection's document.
  fileprivate var json: JSONValue? { try? JSONValue(parsing: document) }
}
