import Store
import Phrases
import PluginProtocol
import Plugins
import World

/// One started provider, asked one thing after another; what goes wrong is a ``Problem``.
final class ProviderTalk {
  let provider: InstalledProvider
  private let process: PluginProcess
  private let services: PluginServices
  private let session: Session

  init(with provider: InstalledProvider, in session: Session) throws {
    (self.provider, self.session) = (provider, session)
    try session.checkNotRecorded(provider.name)
    let program = try provider.program()
    services = try PluginServices(for: program, in: session)
    let greeting = try session.greeting()
    do throws(ConversationFailure) {
      process = try PluginProcess(program, greeting: greeting, in: session.world, services: services)
    } catch { throw Problem(error, of: provider.name) }
    // What greeted is what was looked at only if nothing was put in its place in between; nothing was given to it yet.
    guard program.isUnchanged(in: session.world.files) else {
      process.close()
      throw Problem(
        PluginRefusal(
          provider.name.description,
          PluginVerdict(.changed, "its files changed while it was started", advice: "Find out who changes them.")))
    }
  }

  /// - Parameters:
  ///   - holding: whether all items are kept in memory.
  ///   - item: takes each as it comes; what it throws ends the request and comes out.
  /// - Throws: ``Problem``, and what `item` throws.
  func ask(
    _ capability: Capability, _ params: Value = .emptyObject, holding: Bool = true,
    item: (Value) throws -> Void = { _ in }
  ) throws -> Value {
    do {
      let answer = try process.call(
        capability.rawValue, params, limit: session.options.timeout, holding: holding, item: item)
      // Whatever the plugin made of it, the person wanted it to end.
      guard !services.wasInterrupted else { throw Problem.interrupted }
      return answer
    } catch let failure as ConversationFailure {
      if services.wasInterrupted { throw Problem.interrupted }
      var problem = Problem(failure, of: provider.name)
      if case .refused(let error) = failure, let found = services.storeProblem, error.code == found.code.rawValue {
        (problem.code, problem.message, problem.reason) = (found.code, found.message, found.reason)
        problem.hint = found.hint
      }
      throw problem
    }
  }

  func close() { process.close() }
}

extension Session {
  /// What a plugin is told of this run.
  func greeting() throws -> Greeting {
    var greeting = Greeting()
    greeting.hostVersion = version
    greeting.profile = try profile.name
    greeting.locale = language.tag
    greeting.isInteractive = mayPrompt
    (greeting.isOffline, greeting.isDryRun) = (options.isOffline, options.isDryRun)
    (greeting.isVerbose, greeting.timeout) = (options.isVerbose, options.timeout)
    return greeting
  }
}
