import IFTTT
import Output
package import PluginProtocol
package import Session
import Store
import Text
import World

/// A running provider that handles one request at a time. Its errors are converted to ``Problem``.
package final class ProviderSession {
  package let provider: InstalledProvider
  let process: PluginProcess
  private let program: PluginProgram
  private let services: PluginServices
  private let session: Session
  /// Whether no request was sent yet: startup and greeting count toward the timeout of the first request.
  private var isNew = true

  /// Starts the provider and sends the greeting; call ``finishGreeting()`` next.
  /// - Parameters:
  ///   - isAttended: Whether the plugin may prompt the user and open pages. Always false for requests that only read.
  ///   - browser: The command that the user passed with `--browser`.
  package init(
    starting provider: InstalledProvider, isAttended: Bool, browser: String? = nil, in session: Session
  ) throws {
    (self.provider, self.session) = (provider, session)
    try session.plugins.checkNotRecorded(provider.name)
    program = try provider.program()
    services = try PluginServices(for: program, browser: browser, in: session)
    let (greeting, trace) = (try Greeting(of: session, isAttended: isAttended), try session.plugins.trace)
    do throws(PluginSessionError) {
      process = try PluginProcess(
        starting: program, greeting: greeting,
        greetingTime: min(PluginSession.greetingTime, session.options.timeout), in: session.world, services: services,
        trace: trace)
    } catch { throw Problem(error, of: provider.name) }
  }

  /// Starts the provider and waits for its response to the greeting.
  package convenience init(with provider: InstalledProvider, browser: String? = nil, in session: Session) throws {
    try self.init(starting: provider, isAttended: true, browser: browser, in: session)
    try finishGreeting()
  }

  /// Waits for the end of the greeting and verifies that requests may be sent to the plugin.
  func finishGreeting() throws {
    do { _ = try process.result() } catch let failure as PluginSessionError {
      process.close()
      throw problem(failure)
    }
    // The running plugin is the verified one only if its files did not change in between. Until now, the plugin has
    // received nothing.
    guard program.isUnchanged(in: session.world.files) else {
      process.close()
      throw Problem.from(
        PluginTrustError(
          provider.name.description,
          PluginVerdict(.changed, "its files changed while it was started", advice: "Check which program changes them.")
        ))
    }
  }

  /// Sends a request without waiting for its result. The items arrive with the steps of ``process``; then call
  /// ``result()``.
  package func begin(_ capability: Capability, _ params: Value) throws {
    do {
      try process.begin(capability.rawValue, params, limit: session.options.timeout, since: requestStart())
    } catch let failure as PluginSessionError { throw problem(failure) }
  }

  /// The result of the latest request, after ``process`` is settled.
  package func result() throws -> Value {
    do {
      let result = try process.result()
      guard !services.wasInterrupted else { throw Problem.interrupted }
      return result
    } catch let failure as PluginSessionError { throw problem(failure) }
  }

  /// The start of the next request's timeout; nil for now.
  private func requestStart() -> Duration? {
    defer { isNew = false }
    return isNew ? process.start : nil
  }

  /// - Parameters:
  ///   - holding: whether all items are kept in memory.
  ///   - item: receives each item on arrival; its errors end the request and are rethrown.
  /// - Throws: ``Problem``, and any error that `item` throws.
  package func ask(
    _ capability: Capability, _ params: Value = .emptyObject, holding: Bool = true,
    item: (Value) throws -> Void = { _ in }
  ) throws -> Value {
    do {
      let result = try process.call(
        capability.rawValue, params, limit: session.options.timeout, since: requestStart(), holding: holding, item: item
      )
      // Ctrl-C ends the command, whatever the plugin's response to it.
      guard !services.wasInterrupted else { throw Problem.interrupted }
      return result
    } catch let failure as PluginSessionError { throw problem(failure) }
  }

  package func problem(_ failure: PluginSessionError) -> Problem {
    if services.wasInterrupted { return .interrupted }
    let masked = failure.masked { Redactor(session.credentials.knownSecrets).redact($0) }
    var problem = Problem(masked, of: provider.name)
    if let storeProblem = services.storeProblem, Self.isCaused(failure, by: storeProblem) {
      (problem.code, problem.message, problem.reason) = (storeProblem.code, storeProblem.message, storeProblem.reason)
      problem.hint = storeProblem.hint
    }
    return problem
  }

  /// Whether the failure was caused by the store and not by the plugin: the plugin repeats the error it received, or
  /// timed out after the wait for the store.
  private static func isCaused(_ failure: PluginSessionError, by problem: Problem) -> Bool {
    switch failure {
    case .refused(let error): error.code == problem.code.rawValue
    case .timeUp: true
    default: false
    }
  }

  /// Expires the cached list, so that it is fetched before it is next shown. If the provider deleted credentials, the
  /// cached list is removed, because it may contain data that they gave access to.
  package func expireList() throws {
    let (store, profile) = (try session.store, try session.profile.name)
    if services.hasRemovedCredentials {
      try ProviderCache(store, profile: profile).forget(provider.name.description)
    } else {
      try ProviderCache(store, profile: profile).expire(provider.name.description)
    }
  }

  /// Whether another request can be sent.
  package var isAlive: Bool { !process.isOver }

  package func close() { process.close() }
}

extension Greeting {
  /// The facts about a run that a plugin receives.
  /// - Parameter isAttended: Whether requests may follow that prompt the user or open a page.
  init(of session: Session, isAttended: Bool) throws {
    self.init()
    if !isAttended { capabilities = ["credential", "lock", "progress", "log"] }
    hostVersion = programVersion
    profile = try session.profile.name
    locale = session.console.language.tag
    isInteractive = isAttended && session.console.mayPrompt
    (isOffline, isDryRun) = (session.options.isOffline, session.options.isDryRun)
    (isVerbose, timeout) = (session.options.isVerbose, session.options.timeout)
  }
}

/// Requests to a provider plugin. They share one process, which starts with the first request, and again after it has
/// died.
package final class ProviderClient {
  private let plugin: () throws -> InstalledProvider
  private let session: Session
  private var running: ProviderSession?

  /// - Parameter plugin: finds the plugin, on first use.
  package init(_ plugin: @escaping () throws -> InstalledProvider, in session: Session) {
    (self.plugin, self.session) = (plugin, session)
  }

  deinit { running?.close() }

  /// Whether the last request left the process alive. A process that died may have changed something.
  package var isRunning: Bool { running != nil }

  /// Sends a request. Unless it only shows one connection, it may change the list of connections, so the cached list
  /// then expires.
  package func request(_ capability: Capability, _ params: Value) throws -> Value {
    let provider = try running ?? ProviderSession(with: plugin(), in: session)
    running = provider
    do {
      let result = try provider.ask(capability, params)
      if capability != .showConnection { try provider.expireList() }
      return result
    } catch {
      if !provider.isAlive {
        provider.close()
        running = nil
      }
      throw error
    }
  }
}
