/// A connection as a provider tells of it.
public struct ProvidedConnection: Sendable, Equatable {
  /// Whether it is on, as the program's users know it.
  public enum Status: String, Sendable, CaseIterable {
    case enabled, disabled, unknown
    case neverEnabled = "never_enabled"
  }

  /// The provider's own; it never changes.
  public var id: String
  /// For people; it may change.
  public var name: String
  /// As it is now.
  public var status: Status
  /// A sentence or two on what it does.
  public var description: String?
  /// Where a person looks after it.
  public var url: String?
  /// Other members of `connections show --json`: `services`, `features`, `cover_images`, …
  public var more: [String: Value]

  /// The program fills in what is left out.
  public init(
    id: String, name: String, status: Status, description: String? = nil, url: String? = nil,
    more: [String: Value] = [:]
  ) {
    (self.id, self.name, self.status) = (id, name, status)
    (self.description, self.url, self.more) = (description, url, more)
  }

  /// The object that stands in messages.
  public var value: Value {
    var value: Value = ["id": Value(id), "name": Value(name), "status": Value(status.rawValue)]
    value = value.with("description", description.map { Value($0) }).with("url", url.map { Value($0) })
    for (name, member) in more.sorted(by: { $0.key < $1.key }) where value[name] == nil {
      value = value.with(name, member)
    }
    return value
  }
}

/// What enabling or disabling did.
public struct StatusChange: Sendable, Equatable {
  /// As it is now.
  public var status: ProvidedConnection.Status
  /// As it was before.
  public var previous: ProvidedConnection.Status
  /// Whether anything was done: not where it was so already.
  public var changed: Bool

  /// Changed where the two differ.
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

/// What is known of a credential that a provider keeps.
public struct CredentialState: Sendable, Equatable {
  /// Whether it can be used.
  public enum State: String, Sendable { case valid, expired, missing, unknown }

  /// As in the manifest.
  public var name: String
  /// As far as can be told without using it.
  public var state: State
  /// RFC 3339.
  public var expiresAt: String?
  /// Whose it is, for people.
  public var account: String?

  /// What is not known is left out.
  public init(_ name: String, _ state: State, expiresAt: String? = nil, account: String? = nil) {
    (self.name, self.state, self.expiresAt, self.account) = (name, state, expiresAt, account)
  }

  /// The object that stands in the answer to `credential/status`.
  public var value: Value {
    [
      "name": Value(name), "state": Value(state.rawValue), "expires_at": Value(expiresAt), "account": Value(account),
    ]
  }
}
