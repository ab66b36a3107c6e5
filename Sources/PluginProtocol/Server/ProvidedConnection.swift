/// A connection of a provider.
public struct ProvidedConnection: Sendable, Equatable {
  /// Whether a connection is enabled.
  public enum Status: String, Sendable, CaseIterable {
    case enabled, disabled, unknown
    case neverEnabled = "never_enabled"
  }

  /// The provider's own id; it never changes.
  public var id: String
  /// The display name; it may change.
  public var name: String
  /// The current status.
  public var status: Status
  /// A description in a sentence or two.
  public var description: String?
  /// The page where users manage it.
  public var url: String?
  /// Other members of `connections show --json`: `services`, `features`, `cover_images`, …
  public var more: [String: Value]

  /// Creates a connection. The program fills in missing values.
  public init(
    id: String, name: String, status: Status, description: String? = nil, url: String? = nil,
    more: [String: Value] = [:]
  ) {
    (self.id, self.name, self.status) = (id, name, status)
    (self.description, self.url, self.more) = (description, url, more)
  }

  /// The connection as an object of a message.
  public var value: Value {
    var value: Value = ["id": Value(id), "name": Value(name), "status": Value(status.rawValue)]
    value = value.with("description", description.map { Value($0) }).with("url", url.map { Value($0) })
    for (name, member) in more.sorted(by: { $0.key < $1.key }) where value[name] == nil {
      value = value.with(name, member)
    }
    return value
  }
}

/// The result of enabling or disabling a connection.
public struct StatusChange: Sendable, Equatable {
  /// The current status.
  public var status: ProvidedConnection.Status
  /// The previous status.
  public var previous: ProvidedConnection.Status
  /// Whether anything changed; false if the connection already had the status.
  public var changed: Bool

  /// Creates a result, with `changed` true if the two states differ.
  public init(_ status: ProvidedConnection.Status, from previous: ProvidedConnection.Status) {
    (self.status, self.previous, changed) = (status, previous, status != previous)
  }

  /// The result of `connections/enable` and `connections/disable`.
  public var value: Value {
    [
      "status": Value(status.rawValue), "previous_status": Value(previous.rawValue), "changed": Value(changed),
    ]
  }
}

/// The state of a credential that a provider stores.
public struct CredentialState: Sendable, Equatable {
  /// Whether the credential can be used.
  public enum State: String, Sendable { case valid, expired, missing, unknown }

  /// The name in the manifest.
  public var name: String
  /// The state, as far as it is known without using the credential.
  public var state: State
  /// The expiry in RFC 3339 form.
  public var expiresAt: String?
  /// The display name of the account.
  public var account: String?

  /// Creates a state; omit what is not known.
  public init(_ name: String, _ state: State, expiresAt: String? = nil, account: String? = nil) {
    (self.name, self.state, self.expiresAt, self.account) = (name, state, expiresAt, account)
  }

  /// The state as an object in the response to `credential/status`.
  public var value: Value {
    [
      "name": Value(name), "state": Value(state.rawValue), "expires_at": Value(expiresAt), "account": Value(account),
    ]
  }
}
