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
      if let found = services.storeProblem, Self.isCaused(failure, by: found) {
        (problem.code, problem.message, problem.reason) = (found.code, found.message, found.reason)
        problem.hint = found.hint
      }
      throw problem
    }
  }

  /// Whether the store, and not the plugin, failed: the plugin repeats what it was told, or had no time left after the wait
  /// for the store.
  private static func isCaused(_ failure: ConversationFailure, by problem: Problem) -> Bool {
    switch failure {
    case .refused(let error): error.code == problem.code.rawValue
    case .timeUp: true
    default: false
    }
  }

  /// Has the cached list fetched again before it is next shown. If the provider gave up credentials, nothing stays cached
  /// of what they opened.
  func expireList() throws {
    let (store, profile) = (try session.store, try session.profile.name)
    if services.hasRemovedCredentials {
      try store.forgetList(of: provider.name.description, profile: profile)
    } else {
      try store.expire(listOf: provider.name.description, profile: profile)
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
