package import PluginProtocol
import Session
package import Store
package import World

/// A request to a provider for completions of a value, while a shell waits at its prompt. It has a short timeout and
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

/// The services for a plugin during completion: it can read credentials, and nothing else is available.
private final class CompletionServices: HostServices {
  private var credentials: PluginCredentials

  init(for plugin: PluginProgram, profile: String, store: Store) {
    credentials = PluginCredentials(of: plugin, profile: profile, store: store, isDryRun: true)
  }

  func serve(
    _ method: String, _ params: Value, waited: Duration, atMost limit: Duration
  ) -> Result<Value, PluginError>? {
    guard let service = HostService(rawValue: method) else { return .failure(.unknownMethod(method)) }
    do { return .success(try credentials.serve(service, params)) } catch {
      return .failure((error as? PluginError) ?? PluginError(.internalError, "not available for completion"))
    }
  }

  func progress(_ done: Int, of total: Int?, _ message: String?) {}
  func log(_ level: String, _ message: String) {}
  func errorLine(_ text: String) {}
  func diagnose(_ text: String) {}
  func release() {}
}
