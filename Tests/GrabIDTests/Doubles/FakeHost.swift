@testable import GrabID

/// A host with everything in memory, controlled by the test.
final class FakeHost: GrabHost {
  var isInteractive = true
  var rows: [String: String] = [:]
  /// The changes of the store, each with the names that were put and deleted.
  private(set) var changes: [(put: [String], deleted: [String])] = []
  /// The names of the values that were stored as obtained with a single-use code or token.
  private(set) var obtained: [[String]] = []
  private(set) var waits: [Int] = []
  var personLimit: Duration?
  /// Called when the host waits for the user, with the number of seconds.
  var waited: (Int) -> Void = { _ in }
  /// Called before each change; throws to make the store fail.
  var beforeChange: (_ names: [String]) throws -> Void = { _ in }
  /// Called before each read of a row, to simulate another process.
  var beforeReading: (_ name: String) -> Void = { _ in }
  private(set) var notes: [(level: NoteLevel, text: String)] = []
  private(set) var bound: [String?] = []
  private(set) var openings: [RedirectOpening] = []
  private(set) var finished: [Bool] = []
  private(set) var locks: [String] = []
  private(set) var held: Set<String> = []
  private(set) var opened: [String] = []
  /// Called once the lock is held.
  var whenLocked: (String) -> Void = { _ in }
  /// The action of the user in the browser; returns the query of the redirect.
  var person: (RedirectOpening) throws -> String = { _ in throw FakeHost.Unexpected(what: "openRedirect") }
  var answers: [String] = []
  var input = ""
  var opens = true

  /// Whether Ctrl-C was pressed. The program then only deletes values and saves those that cannot be obtained again.
  var isCancelled = false
  /// Whether another process holds every lock.
  var refusesLocks = false

  struct Unexpected: Error { let what: String }
  static let readOnly = GrabError(code: ProblemCode(rawValue: "store_read_only"), message: "the store is read-only")

  func credential(_ name: String) throws -> String? {
    if isCancelled { throw GrabCancellationError() }
    beforeReading(name)
    return rows[name]
  }

  func takeCredential(_ name: String) throws -> String? {
    if isCancelled { throw GrabCancellationError() }
    beforeReading(name)
    try beforeChange([name])
    return rows.removeValue(forKey: name)
  }

  func credentialNames(prefix: String) throws -> [String] {
    if isCancelled { throw GrabCancellationError() }
    return rows.keys.filter { $0.hasPrefix(prefix) }.sorted()
  }

  func changeCredentials(
    put values: [(name: String, value: String)], delete names: [String], areObtained: Bool
  ) throws {
    if isCancelled, !areObtained, !values.isEmpty { throw GrabCancellationError() }
    if areObtained { obtained.append(values.map(\.name)) }
    try beforeChange(values.map(\.name) + names)
    changes.append((values.map(\.name), names))
    for name in names { rows[name] = nil }
    for value in values { rows[value.name] = value.value }
  }

  func bindRedirect(_ redirectURI: String?, path: String) throws -> String {
    bound.append(redirectURI)
    let text = redirectURI ?? "http://127.0.0.1:0\(path)"
    return text.split(separator: ":0/", maxSplits: 1).joined(separator: ":51234/")
  }

  func openRedirect(_ opening: RedirectOpening) throws -> HostRedirect {
    openings.append(opening)
    return HostRedirect(query: try person(opening), way: .listener)
  }

  func finishRedirect(success: Bool, message: String) throws { finished.append(success) }

  func acquireLock(_ name: String) throws {
    if isCancelled { throw GrabCancellationError() }
    if refusesLocks { throw GrabError(code: .conflict, message: "the lock is held") }
    if !held.insert(name).inserted { throw Unexpected(what: "\(name) is locked twice") }
    locks.append(name)
    whenLocked(name)
  }

  func releaseLock(_ name: String) throws { held.remove(name) }

  func waitForPerson(seconds: Int) throws {
    waits.append(seconds)
    waited(seconds)
  }

  func prompt(_ message: String, isSecret: Bool) throws -> String {
    guard !answers.isEmpty else { throw Unexpected(what: "prompt") }
    return answers.removeFirst()
  }

  func confirm(_ message: String) throws -> Bool { try prompt(message, isSecret: false) == "yes" }
  func readInput() throws -> String { input }

  func open(_ url: String) throws -> Bool {
    opened.append(url)
    return opens
  }

  func note(_ level: NoteLevel, _ text: String) { notes.append((level, text)) }

  var noteText: String { notes.map(\.text).joined(separator: "\n") }
  var pending: [String] { rows.keys.filter { $0.hasPrefix("pending/") } }
  var accounts: [Account] {
    get throws { rows.filter { $0.key.hasPrefix("account/") }.compactMap { Account(stored: $0.value) } }
  }
}
