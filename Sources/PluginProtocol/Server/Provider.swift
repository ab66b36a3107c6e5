import Text

/// A provider plugin: the methods behind the capabilities that it announces. The other methods have default
/// implementations.
///
/// Each call ends before the next begins. A thrown ``PluginError`` is reported unchanged; any other error becomes
/// `plugin_failed`. Long operations should call ``PluginHost/checkCancelled()`` regularly; sending items does so
/// automatically.
///
/// ```swift
/// import PluginProtocol
///
/// struct Shelf: Provider {
///   let name = "shelf"
///   let version = "1.0.0"
///   let capabilities: [Capability] = [.listConnections]
///
///   func list(status: String?, host: PluginHost) throws {
///     try host.send(ProvidedConnection(id: "lamp", name: "Lamp", status: .enabled))
///   }
/// }
///
/// PluginServer(Shelf()).run()
/// ```
public protocol Provider {
  /// The name in the manifest.
  var name: String { get }
  /// The version in the manifest.
  var version: String { get }
  /// A subset of the capabilities in the manifest.
  var capabilities: [Capability] { get }

  /// Sends each connection with ``PluginHost/send(_:)-(ProvidedConnection)``.
  /// - Parameter status: A filter such as `enabled`; nil for all connections. The program drops connections with
  ///   another status.
  func list(status: String?, host: PluginHost) throws
  /// Describes one connection.
  /// - Throws: ``PluginError`` with `not_found` for an unknown id.
  func show(_ id: String, host: PluginHost) throws -> ProvidedConnection
  /// Enables a connection.
  /// - Parameter options: Options of the change; the program sends an empty object.
  func enable(_ id: String, options: Value, host: PluginHost) throws -> StatusChange
  /// Disables a connection.
  /// - Parameter options: Options of the change; the program sends an empty object.
  func disable(_ id: String, options: Value, host: PluginHost) throws -> StatusChange
  /// Enables a connection for the first time.
  /// - Parameter values: An object with the values of fields, which may be empty.
  func activate(_ id: String, values: Value, host: PluginHost) throws -> ProvidedConnection
  /// Changes the configuration of a connection.
  /// - Parameter values: An object with the values to set, by field.
  func configure(_ id: String, values: Value, host: PluginHost) throws -> ProvidedConnection
  /// Reports the states of the credentials, without using them.
  func credentials(host: PluginHost) throws -> [CredentialState]
  /// Refreshes a credential.
  /// - Parameter name: The credential; nil for all.
  /// - Returns: Whether anything changed.
  func refreshCredential(_ name: String?, host: PluginHost) throws -> Bool
  func revokeCredential(_ name: String?, host: PluginHost) throws -> Bool
  /// Runs a command. If the manifest describes the command's output, send the rows with ``PluginHost/send(item:)``.
  /// - Returns: Text to print unchanged, for a command whose output the manifest does not describe; otherwise nil.
  func run(_ call: CommandCall, host: PluginHost) throws -> String?
  /// Completes a value while a shell waits at its prompt.
  func complete(_ question: CompletionQuestion, host: PluginHost) throws -> [OfferedValue]
}

extension Provider {
  /// Fails because the method is not implemented.
  public func list(status: String?, host: PluginHost) throws { throw Capability.listConnections.missing }
  /// Fails because the method is not implemented.
  public func show(_ id: String, host: PluginHost) throws -> ProvidedConnection {
    throw Capability.showConnection.missing
  }
  /// Fails because the method is not implemented.
  public func enable(_ id: String, options: Value, host: PluginHost) throws -> StatusChange {
    throw Capability.enableConnection.missing
  }
  /// Fails because the method is not implemented.
  public func disable(_ id: String, options: Value, host: PluginHost) throws -> StatusChange {
    throw Capability.disableConnection.missing
  }
  /// Fails because the method is not implemented.
  public func activate(_ id: String, values: Value, host: PluginHost) throws -> ProvidedConnection {
    throw Capability.activateConnection.missing
  }
  /// Fails because the method is not implemented.
  public func configure(_ id: String, values: Value, host: PluginHost) throws -> ProvidedConnection {
    throw Capability.configureConnection.missing
  }
  /// Fails because the method is not implemented.
  public func credentials(host: PluginHost) throws -> [CredentialState] { throw Capability.credentialStatus.missing }
  /// Fails because the method is not implemented.
  public func refreshCredential(_ name: String?, host: PluginHost) throws -> Bool {
    throw Capability.refreshCredential.missing
  }
  /// Fails because the method is not implemented.
  public func revokeCredential(_ name: String?, host: PluginHost) throws -> Bool {
    throw Capability.revokeCredential.missing
  }
  /// Fails because the method is not implemented.
  public func run(_ call: CommandCall, host: PluginHost) throws -> String? { throw Capability.runCommand.missing }
  /// Fails because the method is not implemented.
  public func complete(_ question: CompletionQuestion, host: PluginHost) throws -> [OfferedValue] {
    throw Capability.complete.missing
  }
}

extension Capability {
  fileprivate var missing: PluginError { .unknownMethod(rawValue) }
}

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
    for (name, member) in more.inOrder where value[name] == nil {
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
