package import PluginProtocol
import Session
package import Store
package import World

/// The credentials of one plugin in one profile: encrypted in the store, and limited to those the plugin was granted.
struct PluginCredentials {
  /// The size limit of one value, in bytes.
  package static let limit = 256 << 10

  private let plugin: PluginProgram
  private let profile: String
  private let store: Store
  private let isDryRun: Bool
  /// Whether any credential was deleted.
  private(set) var hasRemoved = false

  package init(of plugin: PluginProgram, profile: String, store: Store, isDryRun: Bool) {
    (self.plugin, self.profile, self.store, self.isDryRun) = (plugin, profile, store, isDryRun)
  }

  private var stored: StoredPluginCredentials {
    StoredPluginCredentials(store, of: plugin.name.description, profile: profile)
  }

  package mutating func answer(_ service: HostService, _ params: Value) throws -> Value {
    switch service {
    case .getCredential:
      let wanted = try granted(try params.name())
      guard params["take"]?.bool == true else {
        return ["value": Value(try stored.value(wanted))]
      }
      try mayChange()
      return ["value": Value(try stored.take(wanted))]
    case .listCredentials:
      let prefix = params["prefix"]?.string ?? ""
      let names = try stored.names()
        .filter { $0.utf8.starts(with: prefix.utf8) && plugin.mayUse(credential: $0) }
      return ["names": Value(names.map { Value($0) })]
    case .saveCredentials:
      let (values, removed) = try change(params)
      try mayChange()
      let count = try stored.change(
        saving: values, removing: removed,
        recovering: params["recover"]?.bool == true)
      if count > 0 { hasRemoved = true }
      return .emptyObject
    case .deleteCredential:
      let wanted = try granted(try params.name())
      try mayChange()
      let count = try stored.change(saving: [], removing: [wanted])
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

  private func granted(_ name: String) throws(PluginError) -> String {
    guard plugin.mayUse(credential: name) else {
      throw PluginError(
        "refused", "the credential '\(name)' was not granted", reason: "the plugin's manifest does not list it")
    }
    return name
  }

  private func mayChange() throws(PluginError) {
    if isDryRun { throw PluginError("refused", "--dry-run does not change credentials") }
  }
}

/// Requests completions of a value from a provider while a shell waits at its prompt. It takes at most 250 ms and
/// reports no errors.
package struct ProviderCompletion {
  package static let limit = Duration.milliseconds(250)

  package let provider: InstalledProvider
  package let question: CompletionQuestion
  package let world: World
  package let store: Store

  package init(provider: InstalledProvider, question: CompletionQuestion, world: World, store: Store) {
    (self.provider, self.question, self.world, self.store) = (provider, question, world, store)
  }

  package var candidates: [OfferedValue] {
    guard provider.can(.complete), let program = try? provider.program() else { return [] }
    let end = world.clock.monotonic() + Self.limit
    var greeting = Greeting()
    (greeting.hostVersion, greeting.profile, greeting.isOffline) = (programVersion, question.profile, true)
    (greeting.timeout, greeting.capabilities) = (Self.limit, ["credential"])
    let services = CompletionServices(for: program, profile: question.profile, store: store)
    guard
      let process = try? PluginProcess(
        program, greeting: greeting, greetingTime: Self.limit, in: world, services: services)
    else { return [] }
    defer { process.close(grace: .zero) }
    let result = try? process.call(
      "complete", question.params, limit: max(.zero, end - world.clock.monotonic()))
    return (result?["candidates"]?.array ?? []).prefix(1000).compactMap { candidate in
      candidate["value"]?.string.map { OfferedValue($0, description: candidate["description"]?.string) }
    }
  }
}

/// The services of a plugin while a shell waits: credentials are readable, and nothing else is available.
private final class CompletionServices: HostServices {
  private var credentials: PluginCredentials

  init(for plugin: PluginProgram, profile: String, store: Store) {
    credentials = PluginCredentials(of: plugin, profile: profile, store: store, isDryRun: true)
  }

  func serve(
    _ method: String, _ params: Value, waited: Duration, atMost limit: Duration
  ) -> Result<Value, PluginError>? {
    guard let service = HostService(rawValue: method) else { return .failure(.unknownMethod(method)) }
    do { return .success(try credentials.answer(service, params)) } catch {
      return .failure((error as? PluginError) ?? PluginError(.internalError, "not available for completion"))
    }
  }

  func progress(_ done: Int, of total: Int?, _ message: String?) {}
  func log(_ level: String, _ message: String) {}
  func errorLine(_ text: String) {}
  func diagnose(_ text: String) {}
  func release() {}
}
