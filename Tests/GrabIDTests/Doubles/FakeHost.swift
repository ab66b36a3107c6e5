import JSON
import PluginProtocol

@testable import GrabID

/// A host with everything in memory, controlled by the test.
final class FakeHost: GrabHost {
  var greeting: Greeting = {
    var greeting = Greeting()
    (greeting.isInteractive, greeting.isVerbose) = (true, true)
    return greeting
  }()
  /// The time before the command's timeout.
  var timeLeft = Duration.seconds(86_400)
  var rows: [String: String] = [:]
  /// The changes of the store, each with the names that were put and deleted.
  private(set) var changes: [(put: [String], deleted: [String])] = []
  /// The names of the values that were stored as obtained with a single-use code or token.
  private(set) var obtained: [[String]] = []
  private(set) var waits: [Int] = []
  /// Called when the host waits for the user, with the number of seconds.
  var waited: (Int) -> Void = { _ in }
  /// Called before each change; throws to make the store fail.
  var beforeChange: (_ names: [String]) throws -> Void = { _ in }
  /// Called before each read of a row, to simulate another process.
  var beforeReading: (_ name: String) -> Void = { _ in }
  private(set) var notes: [(level: PluginHost.Level, text: String)] = []
  private(set) var bound: [String?] = []
  private(set) var openings: [RedirectRequest] = []
  private(set) var finished: [Bool] = []
  private(set) var locks: [String] = []
  private(set) var held: Set<String> = []
  private(set) var opened: [String] = []
  /// Called once the lock is held.
  var whenLocked: (String) -> Void = { _ in }
  /// The action of the user in the browser; returns the query of the redirect.
  var person: (RedirectRequest) throws -> String = { _ in throw FakeHost.Unexpected(what: "openRedirect") }
  var answers: [String] = []
  var input = ""
  var opens = true

  /// Whether Ctrl-C was pressed. The program then only deletes values and saves those that cannot be obtained again.
  var isCancelled = false
  private var isTidying = false
  /// Whether another process holds every lock.
  var refusesLocks = false

  struct Unexpected: Error { let what: String }
  static let readOnly = PluginError("store_read_only", "the store is read-only")

  func credential(_ name: String) throws -> String? {
    try checkCancelled()
    beforeReading(name)
    return rows[name]
  }

  func takeCredential(_ name: String) throws -> String? {
    try checkCancelled()
    beforeReading(name)
    try beforeChange([name])
    return rows.removeValue(forKey: name)
  }

  func credentialNames(prefix: String) throws -> [String] {
    try checkCancelled()
    return rows.keys.filter { $0.hasPrefix(prefix) }.sorted()
  }

  func saveCredentials(_ values: [String: String], deleting names: [String], recovering: Bool) throws {
    try checkCancelled()
    if recovering { obtained.append(values.keys.sorted()) }
    try beforeChange(values.keys.sorted() + names)
    changes.append((values.keys.sorted(), names))
    for name in names { rows[name] = nil }
    rows.merge(values) { $1 }
  }

  func tidyUp<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = isTidying
    isTidying = true
    defer { isTidying = before }
    return try body()
  }

  private func checkCancelled() throws { if isCancelled, !isTidying { throw PluginError.cancelled } }

  func bindRedirect(_ redirectURI: String?, path: String) throws -> String {
    bound.append(redirectURI)
    let text = redirectURI ?? "http://127.0.0.1:0\(path)"
    return text.split(separator: ":0/", maxSplits: 1).joined(separator: ":51234/")
  }

  func openRedirect(_ request: RedirectRequest) throws -> RedirectResult {
    openings.append(request)
    return RedirectResult(redirectURI: request.redirectURI, query: try person(request), way: .listener)
  }

  func finishRedirect(succeeded: Bool, _ message: String?) throws {
    try checkCancelled()
    finished.append(succeeded)
  }

  func acquireLock(_ name: String, timeout: Duration) throws {
    try checkCancelled()
    if refusesLocks { throw PluginError("conflict", "the lock is held") }
    if !held.insert(name).inserted { throw Unexpected(what: "\(name) is locked twice") }
    locks.append(name)
    whenLocked(name)
  }

  func releaseLock(_ name: String) throws {
    try checkCancelled()
    held.remove(name)
  }

  func waitForPerson(_ time: Duration) throws {
    let seconds = Int(time.components.seconds)
    waits.append(seconds)
    waited(seconds)
  }

  func prompt(_ message: String, secret: Bool) throws -> String {
    guard !answers.isEmpty else { throw Unexpected(what: "prompt") }
    return answers.removeFirst()
  }

  func readInput(limit: Int) throws -> String { String(decoding: input.utf8.prefix(limit), as: UTF8.self) }

  func openBrowser(_ url: String) throws -> Bool {
    opened.append(url)
    return opens
  }

  func log(_ level: PluginHost.Level, _ message: String) throws { notes.append((level, message)) }

  var noteText: String { notes.map(\.text).joined(separator: "\n") }
  var pending: [String] { rows.keys.filter { $0.hasPrefix("pending/") } }
  var accounts: [Account] {
    get throws { rows.filter { $0.key.hasPrefix("account/") }.compactMap { Account(stored: $0.value) } }
  }
}

extension CommandCall {
  /// A command as a test gives it.
  init(
    _ command: String, _ options: JSONObject = [:], _ arguments: [String] = [], output: String = "table"
  ) {
    self.init(
      command: [command], options: Value(.object(options)), arguments: arguments, words: [], output: output)
  }
}
