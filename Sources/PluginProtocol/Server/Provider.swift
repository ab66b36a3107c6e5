/// What a provider plugin does: the methods behind the capabilities that it announces. The others need not be written.
///
/// Each call ends before the next begins. An error that is a ``PluginError`` is told as it is; any other one becomes
/// `plugin_failed`. Whatever takes long asks ``PluginHost/checkCancelled()`` now and again; sending items does so by itself.
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
  /// As in the manifest.
  var name: String { get }
  var version: String { get }
  /// No more than the manifest names.
  var capabilities: [Capability] { get }

  /// Sends each connection with ``PluginHost/send(_:)-(ProvidedConnection)``.
  /// - Parameter status: `enabled` and so on: only these are wanted. Others that are sent are left out.
  func list(status: String?, host: PluginHost) throws
  /// - Throws: ``PluginError`` with `not_found` for an id that is not there.
  func show(_ id: String, host: PluginHost) throws -> ProvidedConnection
  func enable(_ id: String, options: Value, host: PluginHost) throws -> StatusChange
  func disable(_ id: String, options: Value, host: PluginHost) throws -> StatusChange
  func activate(_ id: String, values: Value, host: PluginHost) throws -> ProvidedConnection
  func configure(_ id: String, values: Value, host: PluginHost) throws -> ProvidedConnection
  func credentials(host: PluginHost) throws -> [CredentialState]
  /// - Parameter name: nil for all.
  /// - Returns: whether anything changed.
  func refreshCredential(_ name: String?, host: PluginHost) throws -> Bool
  func revokeCredential(_ name: String?, host: PluginHost) throws -> Bool
  /// Sends what it finds with ``PluginHost/send(item:)``, where the manifest says what the command's output looks like.
  /// - Returns: text that is printed as it is, of a command whose output the manifest does not describe; else nil.
  func run(_ call: CommandCall, host: PluginHost) throws -> String?
  func complete(_ question: CompletionQuestion, host: PluginHost) throws -> [OfferedValue]
}

extension Provider {
  /// Answers that there is no such method.
  public func list(status: String?, host: PluginHost) throws { throw Capability.listConnections.missing }
  /// Answers that there is no such method.
  public func show(_ id: String, host: PluginHost) throws -> ProvidedConnection {
    throw Capability.showConnection.missing
  }
  /// Answers that there is no such method.
  public func enable(_ id: String, options: Value, host: PluginHost) throws -> StatusChange {
    throw Capability.enableConnection.missing
  }
  /// Answers that there is no such method.
  public func disable(_ id: String, options: Value, host: PluginHost) throws -> StatusChange {
    throw Capability.disableConnection.missing
  }
  /// Answers that there is no such method.
  public func activate(_ id: String, values: Value, host: PluginHost) throws -> ProvidedConnection {
    throw Capability.activateConnection.missing
  }
  /// Answers that there is no such method.
  public func configure(_ id: String, values: Value, host: PluginHost) throws -> ProvidedConnection {
    throw Capability.configureConnection.missing
  }
  /// Answers that there is no such method.
  public func credentials(host: PluginHost) throws -> [CredentialState] { throw Capability.credentialStatus.missing }
  /// Answers that there is no such method.
  public func refreshCredential(_ name: String?, host: PluginHost) throws -> Bool {
    throw Capability.refreshCredential.missing
  }
  /// Answers that there is no such method.
  public func revokeCredential(_ name: String?, host: PluginHost) throws -> Bool {
    throw Capability.revokeCredential.missing
  }
  /// Answers that there is no such method.
  public func run(_ call: CommandCall, host: PluginHost) throws -> String? { throw Capability.runCommand.missing }
  /// Answers that there is no such method.
  public func complete(_ question: CompletionQuestion, host: PluginHost) throws -> [OfferedValue] {
    throw Capability.complete.missing
  }
}

extension Capability {
  fileprivate var missing: PluginError { .unknownMethod(rawValue) }
}
