package import CommandContext
import Hints
import Phrases
package import PluginProtocol
package import Plugins
import Store
import World

/// One started provider, asked one thing after another; what goes wrong is a ``Problem``.
package final class ProviderSession {
  package let provider: InstalledProvider
  let process: PluginProcess
  private let program: PluginProgram
  private let services: PluginServices
  private let session: Session
  /// Whether nothing was asked yet: starting and greeting count against the time of the first request.
  private var isNew = true

  /// Starts it and sends the greeting; ``finishGreeting()`` is to follow.
  /// - Parameters:
  ///   - isAttended: whether it may be told that a person is there. For requests that only read that is never so.
  ///   - browser: the command of the user's own `--browser`.
  package init(
    starting provider: InstalledProvider, isAttended: Bool, browser: String? = nil, in session: Session
  ) throws {
    (self.provider, self.session) = (provider, session)
    try session.checkNotRecorded(provider.name)
    program = try provider.program()
    services = try PluginServices(for: program, browser: browser, in: session)
    let greeting = try session.greeting(isAttended: isAttended)
    do throws(PluginSessionError) {
      process = try PluginProcess(
        starting: program, greeting: greeting,
        greetingTime: min(PluginSession.greetingTime, session.options.timeout), in: session.world, services: services)
    } catch { throw Problem(error, of: provider.name) }
  }

  /// Starts it and waits for what it says to the greeting.
  package convenience init(with provider: InstalledProvider, browser: String? = nil, in session: Session) throws {
    try self.init(starting: provider, isAttended: true, browser: browser, in: session)
    try finishGreeting()
  }

  /// Waits for the rest of the greeting and makes sure that the plugin may be asked something.
  func finishGreeting() throws {
    do { _ = try process.result() } catch let failure as PluginSessionError {
      process.close()
      throw problem(failure)
    }
    // What greeted is what was checked only if nothing took its place in between; nothing was given to it yet.
    guard program.isUnchanged(in: session.world.files) else {
      process.close()
      throw Problem(
        PluginTrustError(
          provider.name.description,
          PluginVerdict(.changed, "its files changed while it was started", advice: "Find out who changes them.")))
    }
  }

  /// Sends a request without waiting for its result: items come with the steps of ``process``, then ``result()``.
  package func begin(_ capability: Capability, _ params: Value) throws {
    do {
      try process.begin(capability.rawValue, params, limit: session.options.timeout, since: requestStart())
    } catch let failure as PluginSessionError { throw problem(failure) }
  }

  /// The result of the request that was begun last, once ``process`` is settled.
  package func result() throws -> Value {
    do {
      let result = try process.result()
      guard !services.wasInterrupted else { throw Problem.interrupted }
      return result
    } catch let failure as PluginSessionError { throw problem(failure) }
  }

  /// What the timeout of the next request counts from; nil for now.
  private func requestStart() -> Duration? {
    defer { isNew = false }
    return isNew ? process.start : nil
  }

  /// - Parameters:
  ///   - holding: whether all items are kept in memory.
  ///   - item: takes each as it comes; what it throws ends the request and comes out.
  /// - Throws: ``Problem``, and what `item` throws.
  package func ask(
    _ capability: Capability, _ params: Value = .emptyObject, holding: Bool = true,
    item: (Value) throws -> Void = { _ in }
  ) throws -> Value {
    do {
      let answer = try process.call(
        capability.rawValue, params, limit: session.options.timeout, since: requestStart(), holding: holding, item: item
      )
      // Whatever the plugin made of it, the person wanted it to end.
      guard !services.wasInterrupted else { throw Problem.interrupted }
      return answer
    } catch let failure as PluginSessionError { throw problem(failure) }
  }

  package func problem(_ failure: PluginSessionError) -> Problem {
    if services.wasInterrupted { return .interrupted }
    var problem = Problem(failure, of: provider.name)
    if let found = services.storeProblem, Self.isCaused(failure, by: found) {
      (problem.code, problem.message, problem.reason) = (found.code, found.message, found.reason)
      problem.hint = found.hint
    }
    return problem
  }

  /// Whether the store, and not the plugin, failed: the plugin repeats what it was told, or had no time left after the wait
  /// for the store.
  private static func isCaused(_ failure: PluginSessionError, by problem: Problem) -> Bool {
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

  package func close() { process.close() }
}

extension Session {
  /// What a plugin is told of this run.
  /// - Parameter isAttended: whether requests may follow in which a person is asked or a page opened.
  package func greeting(isAttended: Bool = true) throws -> Greeting {
    var greeting = Greeting()
    if !isAttended { greeting.capabilities = ["credential", "lock", "progress", "log"] }
    greeting.hostVersion = version
    greeting.profile = try profile.name
    greeting.locale = language.tag
    greeting.isInteractive = isAttended && mayPrompt
    (greeting.isOffline, greeting.isDryRun) = (options.isOffline, options.isDryRun)
    (greeting.isVerbose, greeting.timeout) = (options.isVerbose, options.timeout)
    return greeting
  }
}
