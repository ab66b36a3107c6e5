import PluginProtocol
import Store

/// The stored credentials of one plugin in one profile, limited to those that its manifest lists.
struct PluginCredentials {
  /// The size limit of one value, in bytes.
  static let limit = 256 << 10

  private let plugin: PluginProgram
  private let profile: String
  private let store: Store
  private let isDryRun: Bool
  /// Whether any credential was deleted.
  private(set) var hasRemoved = false

  init(of plugin: PluginProgram, profile: String, store: Store, isDryRun: Bool) {
    (self.plugin, self.profile, self.store, self.isDryRun) = (plugin, profile, store, isDryRun)
  }

  private var stored: StoredPluginCredentials {
    StoredPluginCredentials(store, of: plugin.name.description, profile: profile)
  }

  /// Handles a request of the plugin.
  mutating func serve(_ service: HostService, _ params: Value) throws -> Value {
    switch service {
    case .getCredential:
      let name = try granted(try params.name())
      guard params["take"]?.bool == true else {
        return ["value": Value(try stored.value(name))]
      }
      try rejectInDryRun()
      return ["value": Value(try stored.take(name))]
    case .listCredentials:
      let prefix = params["prefix"]?.string ?? ""
      let names = try stored.names()
        .filter { $0.utf8.starts(with: prefix.utf8) && plugin.mayUse(credential: $0) }
      return ["names": Value(names.map { Value($0) })]
    case .saveCredentials:
      let (values, removed) = try change(params)
      try rejectInDryRun()
      let count = try stored.change(
        saving: values, removing: removed,
        recovering: params["recover"]?.bool == true)
      if count > 0 { hasRemoved = true }
      return .emptyObject
    case .deleteCredential:
      let name = try granted(try params.name())
      try rejectInDryRun()
      let count = try stored.change(saving: [], removing: [name])
      if count > 0 { hasRemoved = true }
      return ["deleted": Value(count > 0)]
    default: throw PluginError.unknownMethod(service.rawValue)
    }
  }

  /// Reads and validates all changes before any is written.
  private func change(_ params: Value) throws(PluginError) -> (values: [(name: String, value: String)], [String]) {
    var values: [(name: String, value: String)] = []
    var members = params["values"]?.members ?? []
    if let value = params["value"] { members.append((name: try params.name(), value: value)) }
    for (name, value) in members {
      guard let text = value.string else { throw .invalidParameters("the value of '\(name)' is not a string") }
      guard text.utf8.count <= Self.limit else {
        throw .invalidParameters("the value of '\(name)' is longer than \(Self.limit >> 10) KiB")
      }
      values.append((try granted(name), text))
    }
    var removed: [String] = []
    for name in params["delete"]?.array ?? [] {
      guard let name = name.string else { throw .invalidParameters("'delete' contains a value that is not a string") }
      removed.append(try granted(name))
    }
    return (values, removed)
  }

  /// Returns the name.
  /// - Throws: `refused` if the credential was not granted.
  private func granted(_ name: String) throws(PluginError) -> String {
    guard plugin.mayUse(credential: name) else {
      throw PluginError(
        "refused", "the credential '\(name)' was not granted", reason: "the plugin's manifest does not list it")
    }
    return name
  }

  private func rejectInDryRun() throws(PluginError) {
    if isDryRun { throw PluginError("refused", "--dry-run does not change credentials") }
  }
}
