package import JSON

/// The state of a subject at one moment, as the journal and a plan record it.
package struct RecordedState: Sendable, Equatable {
  package var status: UserStatus
  /// Nil if IFTTT sent none, as while a connection is disabled.
  package var configuration: UserConnection?

  package init(status: UserStatus, configuration: UserConnection?) {
    (self.status, self.configuration) = (status, configuration)
  }

  package init(_ state: SubjectState) {
    self.init(status: state.status, configuration: state.connection?.userConnection)
  }

  /// Whether a subject is still in this state. Unrecorded parts may be anything.
  package func isStill(_ present: SubjectState) -> Bool {
    guard status == .unknown || status == present.status else { return false }
    guard let configuration, let connection = present.connection, let stored = connection.userConnection else {
      return true
    }
    return ConfigurationForm(connection, stored).differences(to: stored.merged(with: configuration))
      .allSatisfy(\.isOnlyWords)
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
