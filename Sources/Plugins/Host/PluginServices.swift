import Output
package import PluginProtocol
import Session
import Store
import Text
import World

/// The services for a plugin during a request: credentials, locks, the browser and prompts at the terminal. It also
/// shows the plugin's log messages.
final class PluginServices: HostServices {
  private let plugin: PluginProgram
  private let session: Session
  private var credentials: PluginCredentials
  private let locks: PluginLocks
  /// The browser command that the user typed; a plugin cannot choose it.
  private let browser: String?
  private lazy var redirects = PluginRedirects(session, browser: browser)
  private lazy var bar = PluginProgress(session)
  /// Whether a service was interrupted by Ctrl-C at a prompt, which ends the command.
  private(set) var wasInterrupted = false
  /// The latest problem of the store. A plugin can only repeat the error that it received.
  private(set) var storeProblem: Problem?

  /// Whether the plugin deleted any credential.
  var hasRemovedCredentials: Bool { credentials.hasRemoved }

  package init(for plugin: PluginProgram, browser: String? = nil, in session: Session) throws {
    (self.plugin, self.session, self.browser) = (plugin, session, browser)
    let profile = try session.profile.name
    credentials = PluginCredentials(
      of: plugin, profile: profile, store: try session.store, isDryRun: session.options.isDryRun)
    locks = PluginLocks(of: plugin.name, profile: profile, in: session.world)
  }

  func serve(
    _ method: String, _ params: Value, waited: Duration, atMost limit: Duration
  ) -> Result<Value, PluginError>? {
    bar.clear()
    do {
      guard let service = HostService(rawValue: method) else { throw PluginError.unknownMethod(method) }
      return try result(of: service, params, waited, limit).map { .success($0) }
    } catch let error as PluginError {
      return .failure(error)
    } catch {
      let problem = Problem.from(error)
      if problem.code == .interrupted { wasInterrupted = true }
      if problem.code.exit == .store { storeProblem = problem }
      return .failure(PluginError(problem))
    }
  }

  /// - Returns: nil while another process holds the lock that is requested.
  private func result(
    of service: HostService, _ params: Value, _ waited: Duration, _ limit: Duration
  ) throws -> Value? {
    switch service {
    case .getCredential, .listCredentials, .saveCredentials, .deleteCredential:
      return try credentials.serve(service, params)
    case .acquireLock: return try acquireLock(params, waited, limit)
    case .releaseLock:
      try locks.release(try params.name())
      return .emptyObject
    case .bindRedirect: return try redirects.bind(params)
    case .openRedirect:
      if let problem = plugin.browserProblem { throw problem }
      return try redirects.open(params)
    case .finishRedirect: return try redirects.finish(params)
    case .openBrowser:
      if let problem = plugin.browserProblem { throw problem }
      return try redirects.show(params)
    case .readInput: return try readInput(params)
    case .wait: return try wait(params)
    case .prompt: return try prompt(params)
    case .confirm: return try confirm(params)
    }
  }

  private func acquireLock(_ params: Value, _ waited: Duration, _ limit: Duration) throws -> Value? {
    let name = try params.name()
    if try locks.acquire(name) { return .emptyObject }
    guard waited >= params["timeout_ms"]?.milliseconds ?? .seconds(30) || limit <= .zero else { return nil }
    throw PluginError("conflict", "timed out waiting for the lock '\(name)'", reason: "another process holds it")
  }

  // MARK: Prompts

  private func prompt(_ params: Value) throws -> Value {
    let question = try text(params)
    guard session.console.mayPrompt else { throw PluginError.cannotPrompt }
    if params["secret"]?.bool == true {
      return ["value": Value(try session.console.promptForSecret(question).revealed)]
    }
    guard let line = try session.console.ask("\(question): ") else { throw PluginError.cannotPrompt }
    return ["value": Value(line)]
  }

  /// Waits for at most an hour. Ctrl-C ends the wait and the command at once.
  private func wait(_ params: Value) throws -> Value {
    try session.world.pause(for: params["timeout_ms"]?.milliseconds ?? .zero)
    return .emptyObject
  }

  private func readInput(_ params: Value) throws -> Value {
    try session.console.reserveInput(for: "plugin '\(plugin.name)'")
    let limit = params["limit"]?.int(in: 1...1 << 20) ?? 65_536
    let bytes = try session.world.input.readAll(limit: limit)
    guard let text = String(validating: bytes, as: UTF8.self) else { throw InputError.notUTF8 }
    return ["text": Value(text)]
  }

  private func confirm(_ params: Value) throws -> Value {
    let question = try text(params)
    if session.options.assumesYes { return ["yes": true] }
    guard session.console.mayPrompt else { throw PluginError.cannotPrompt }
    let answer = try session.console.ask("\(question) [y/N] ") ?? ""
    return ["yes": Value(["y", "yes"].contains(answer.lowercased()))]
  }

  /// The message, prefixed with the plugin's name so that it cannot be mistaken for the program's own prompt.
  private func text(_ params: Value) throws -> String {
    guard let message = params["message"]?.string else { throw PluginError.invalidParameters("'message' is missing") }
    return "\(plugin.name): \(PlainText.withoutEscapes(message))"
  }

  // MARK: Messages

  package func progress(_ done: Int, of total: Int?, _ message: String?) {
    bar.show(done, of: total, message.map(PlainText.withoutEscapes) ?? plugin.name.description)
  }

  func log(_ level: String, _ message: String) {
    let line = "\(plugin.name): \(level == "warning" ? "warning: " : "")\(message)"
    bar.clear()
    if level == "debug" { session.console.diagnose(line) } else { session.console.note(Hint(ofPlugin: line)) }
  }

  func errorLine(_ text: String) {
    bar.clear()
    session.console.note(Hint(ofPlugin: "\(plugin.name): \(text)"))
  }

  package func diagnose(_ text: String) { session.console.diagnose("\(plugin.name): \(text)") }

  func release() {
    bar.clear()
    locks.releaseAll()
    redirects.close()
  }
}

extension PluginError {
  static let cannotPrompt = PluginError(
    "refused", "cannot prompt the user", reason: "there is no terminal, or --no-input was passed")
}

extension Value {
  package func name() throws(PluginError) -> String {
    guard let name = self["name"]?.string, !name.isEmpty, name.utf8.count <= 256 else {
      throw .invalidParameters("'name' is missing, empty or longer than 256 bytes")
    }
    return name
  }
}

/// The progress that a plugin reports, drawn like the program's own progress bar.
final class PluginProgress {
  private let session: Session
  private var bar: ProgressBar?
  private var start = Duration.zero

  package init(_ session: Session) { self.session = session }

  package func show(_ done: Int, of total: Int?, _ title: String) {
    // A batch's progress bar already uses the line.
    guard session.console.drawsProgress, session.console.progress == nil, let total, total > 1 else { return }
    // Limit the title, which a plugin can make arbitrarily long, to the length of a line.
    let title = String(title.prefix(200))
    let now = session.world.clock.monotonic()
    if bar == nil || bar?.total != total || bar?.title != title {
      bar = ProgressBar(title: title, total: total)
      start = now
    }
    if let line = bar?.update(done: done, at: now - start, width: { session.world.errorWidth }) {
      session.console.writeError(line)
    }
  }

  /// Clears the line, so that subsequent output appears where it would without a bar.
  package func clear() {
    session.console.makeRoom()
    if let line = bar?.clear(), !line.isEmpty { session.console.writeError(line) }
  }
}

/// Named locks between processes: files in the state folder, which the system releases when this process exits.
final class PluginLocks {
  private let plugin: PluginName
  private let profile: String
  private let world: World
  private var held: [String: FileLock] = [:]

  package init(of plugin: PluginName, profile: String, in world: World) {
    (self.plugin, self.profile, self.world) = (plugin, profile, world)
  }

  /// - Returns: false while another process holds the lock.
  func acquire(_ name: String) throws -> Bool {
    guard held[name] == nil else { throw PluginError("conflict", "this plugin already holds the lock '\(name)'") }
    guard held.count < 64 else { throw PluginError("refused", "a plugin cannot hold more than 64 locks") }
    guard let directories = AppDirectories(environment: world.environment) else {
      throw PluginError("store_unreadable", "there is no folder for locks")
    }
    let folder = "\(directories.state)/plugin-locks"
    try world.files.makeFolder(folder)
    // A plugin chooses the name, which may contain any characters; use its hash in the file name.
    let fingerprint = SHA256.hash(Array("\(profile)\0\(name)".utf8)).prefix(16).hex
    guard let lock = try world.files.lock("\(folder)/\(plugin)-\(fingerprint)") else { return false }
    held[name] = lock
    return true
  }

  func release(_ name: String) throws(PluginError) {
    guard let lock = held.removeValue(forKey: name) else {
      throw .invalidParameters("the lock '\(name)' is not held")
    }
    lock.release()
  }

  func releaseAll() {
    for lock in held.values { lock.release() }
    held = [:]
  }
}
