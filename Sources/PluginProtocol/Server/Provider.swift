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
  var version: String { get }
  /// A subset of the capabilities in the manifest.
  var capabilities: [Capability] { get }

  /// Sends each connection with ``PluginHost/send(_:)-(ProvidedConnection)``.
  /// - Parameter status: a filter such as `enabled`. The program drops connections with another status.
  func list(status: String?, host: PluginHost) throws
  /// - Throws: ``PluginError`` with `not_found` for an unknown id.
  func show(_ id: String, host: PluginHost) throws -> ProvidedConnection
  func enable(_ id: String, options: Value, host: PluginHost) throws -> StatusChange
  func disable(_ id: String, options: Value, host: PluginHost) throws -> StatusChange
  func activate(_ id: String, values: Value, host: PluginHost) throws -> ProvidedConnection
  func configure(_ id: String, values: Value, host: PluginHost) throws -> ProvidedConnection
  func credentials(host: PluginHost) throws -> [CredentialState]
  /// - Parameter name: the credential; nil for all.
  /// - Returns: whether anything changed.
  func refreshCredential(_ name: String?, host: PluginHost) throws -> Bool
  func revokeCredential(_ name: String?, host: PluginHost) throws -> Bool
  /// Runs a command. If the manifest describes the command's output, send the rows with ``PluginHost/send(item:)``.
  /// - Returns: text to print unchanged, for a command whose output the manifest does not describe; otherwise nil.
  func run(_ call: CommandCall, host: PluginHost) throws -> String?
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
