import Foundation
import JSON
import ProgramDriver
import Support
import Testing

@testable import Session

/// A machine, its server and its plugin, ready for one entry.
final class ChangeStage {
  let entry: ChangeEntry
  let subjects: [ChangeEntry.Subject]
  let home = Home()
  let server = ChangeServer()
  let plugin: FakeProvider
  private var isObserving = false

  /// - Parameters:
  ///   - count: the number of subjects; nil for all.
  ///   - order: the subjects by their index, as they are requested.
  ///   - start: changes the state of the subjects before the first run. Without it, stages that are alike are copies
  ///     of the first one.
  init(
    _ entry: ChangeEntry, count: Int? = nil, order: [Int]? = nil, canEnable: Bool = true,
    start: ((inout ChangeServer.State) -> Void)? = nil
  ) throws {
    self.entry = entry
    let all = entry.subjects
    subjects = order?.map { all[$0] } ?? Array(all.prefix(count ?? all.count))
    plugin = server.plugin(canEnable: canEnable)
    home.environment = [
      "IFTTT_USER_TOKEN": ChangeServer.token(of: "u1"), "IFTTT_SERVICE_KEY": ChangeServer.serviceKey,
      "IFTTT_USER_ID": "u1", "IFTTT_SERVICE": "lampost",
    ]
    home.secrets += [ChangeServer.serviceKey] + ["u1", "u2", "u3"].map(ChangeServer.token)
    home.network = { [server] in server.transport(clock: $0) }
    if entry.audience == .plugin { FakeProvider.install([plugin], in: home) }
    server.unexpected = { Issue.record("the server received \($0)") }
    server.interrupt = { [home] in home.last?.interruption.interrupt() }
    let key = PreparedStages.Key(entry: entry, subjects: subjects, canEnable: canEnable)
    // The journal of a run over a file names the file, which is in the folder of the first stage.
    let isCopied = start == nil && !(entry.audience == .users && entry.phase == .forward && entry.isResumed)
    if isCopied, let prepared = PreparedStages.shared[key] {
      try prepared.copy(to: home.folder)
      (home.now, server.states) = (prepared.now, prepared.states)
      return
    }
    try prepare(start ?? { _ in })
    if isCopied { PreparedStages.shared[key] = try PreparedStages.Stage(home, server) }
  }

  private func prepare(_ start: (inout ChangeServer.State) -> Void) throws {
    var forward = ChangeEntry(verb: entry.verb, audience: entry.audience, phase: .forward, isResumed: false)
    if entry.audience == .users {
      for user in ["u1", "u2", "u3"] {
        home.run(
          "token set --user-id \(user) --user-token-file -", input: .text(ChangeServer.token(of: user)), reveals: true)
      }
    }
    for subject in subjects {
      var state = forward.start
      start(&state)
      server.states[subject.key] = state
    }
    if entry.audience == .own {
      try expectSuccess("connections add \(Set(subjects.map(\.id)).sorted().joined(separator: " "))")
    }
    if entry.verb == .plan {
      try expect(.success, "connections diff \(file()) --plan-out \(home.folder["reviewed.plan"])")
    }
    for phase in ChangeEntry.Phase.allCases where phase != entry.phase {
      guard entry.phase != .forward, phase == .forward || entry.phase == .redo else { continue }
      forward = ChangeEntry(verb: entry.verb, audience: entry.audience, phase: phase, isResumed: false)
      try expectSuccess(line(of: forward) + " --yes")
    }
    if entry.isResumed {
      forward = ChangeEntry(verb: entry.verb, audience: entry.audience, phase: entry.phase, isResumed: false)
      // Each first change fails, and leaves the subject as it is.
      server.fault = { $0.isChange ? .answer(500, "server_error") : nil }
      let failed = home.run(line(of: forward) + " --yes --retries 0 --jobs 1")
      try #require(failed.exit != .success, "\(failed.output)")
      server.fault = { _ in nil }
    }
    if entry.audience == .plugin { try expectSuccess("connections list --provider lamps --max-age 0") }
    server.forgetCalls()
  }

  private func expectSuccess(_ line: String) throws { try expect(.success, line) }

  private func expect(_ exit: ExitCode, _ line: String) throws {
    let outcome = home.run(line)
    try #require(outcome.exit == exit, "\(line): \(outcome.errors)")
  }

  // MARK: Command lines

  /// The command line of the entry.
  var line: String { line(of: entry) }

  private func line(of entry: ChangeEntry) -> String {
    let path = entry.path.joined(separator: " ")
    if entry.isResumed { return resumingLine }
    guard entry.phase == .forward else { return path }
    let users = entry.audience == .users ? " --users \(usersFile())" : ""
    switch entry.verb {
    case .configure: return "configure aa --set ft.name=Study"
    case .apply: return "\(path) \(file())\(users)"
    case .plan: return "\(path) --plan \(home.folder["reviewed.plan"])"
    case .enable, .disable:
      let ids = entry.audience == .users ? ["aa"] : subjects.map(\.id)
      return "\(path) \(ids.joined(separator: " "))\(users)"
    }
  }

  /// The command line that resumes the entry.
  var resumingLine: String {
    entry.path == ["configure"] ? "configure aa --resume" : "\(entry.path.joined(separator: " ")) --resume"
  }

  func usersFile() -> String {
    home.folder.write("users.csv", (["user_id"] + subjects.compactMap(\.user)).map { $0 + "\n" }.joined())
  }

  /// A file of connections with the state after the run of the verb.
  private func file() -> String {
    let ids = entry.audience == .users ? ["aa"] : subjects.map(\.id)
    let entries = ids.map {
      #"{"id":"\#($0)","status":"disabled","features":[{"feature":"ft","fields":{"name":"Study"}}]}"#
    }
    return home.folder.write("connections.json", #"{"version":1,"connections":[\#(entries.joined(separator: ","))]}"#)
  }

  // MARK: Runs

  /// Runs the entry with a confirmation, one request at a time, without retries.
  @discardableResult
  func perform(_ options: String = "--jobs 1 -o json", confirms: Bool = true) -> Home.Outcome {
    home.run("\(line) --retries 0 \(confirms ? "--yes " : "")\(options)")
  }

  /// The changes that arrived, by subject.
  var sent: [String: [ChangeServer.Call.Verb]] {
    Dictionary(grouping: server.changes, by: \.subject).mapValues { $0.map(\.verb) }
  }

  /// What must have arrived if each subject was changed once.
  var expected: [String: [ChangeServer.Call.Verb]] {
    Dictionary(subjects.map { ($0.key, entry.steps) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether a subject has a state, as far as its user sees it.
  func has(_ subject: ChangeEntry.Subject, _ state: ChangeServer.State) -> Bool {
    guard let present = server.states[subject.key] else { return false }
    return present.status == state.status && (!entry.changesSettings || present.name == state.name)
  }

  var isAtGoal: Bool { subjects.allSatisfy { has($0, entry.goal) } }
  var isAtStart: Bool { subjects.allSatisfy { has($0, entry.start) } }

  /// Runs a command while the program waits for a response.
  func observing(_ body: (Home) -> Void) {
    guard !isObserving else { return }
    isObserving = true
    defer { isObserving = false }
    body(home)
  }
}

/// One row of a change.
struct ChangedRow: Equatable {
  var id: String
  var user: String?
  var status: String
  var previous: String
  var isChanged: Bool
  var code: String?
}

extension ChangeStage {
  /// The rows of a run: those of its output or, if it prints fields, those of its record in the history.
  func rows(_ outcome: Home.Outcome) throws -> [ChangedRow] {
    guard entry.printsSubjects else { return try recordedRows(1) }
    return try ChangeStage.json(outcome.output).map { row in
      ChangedRow(
        id: row["id"]?.string ?? "", user: row["user_id"]?.string, status: row["status"]?.string ?? "",
        previous: row["previous_status"]?.string ?? "", isChanged: row["changed"]?.bool ?? false,
        code: row["error"]?["code"]?.string)
    }
  }

  /// The rows of a run in the history.
  func recordedRows(_ run: Int) throws -> [ChangedRow] {
    try ChangeStage.json(home.run("connections history \(run) --json").output).map { row in
      ChangedRow(
        id: row["id"]?.string ?? "", user: row["user_id"]?.string, status: row["after"]?["status"]?.string ?? "unknown",
        previous: row["before"]?["status"]?.string ?? "unknown", isChanged: row["changed"]?.bool ?? false,
        code: row["error"]?["code"]?.string)
    }
  }

  func history() throws -> [JSONValue] { try ChangeStage.json(home.run("connections history --json").output) }

  /// The rows in an array or in JSON Lines.
  static func json(_ text: String) throws -> [JSONValue] {
    guard !text.isEmpty else { return [] }
    if let array = try? JSONValue(parsing: Array(text.utf8)).array { return array }
    return try text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
  }

  /// The error on stderr, which follows notes.
  static func error(_ outcome: Home.Outcome) throws -> JSONValue {
    let line = try #require(outcome.notes.last { $0.hasPrefix(#"{"error":"#) }, "\(outcome.errors)")
    return try #require(try JSONValue(parsing: Array(line.utf8))["error"])
  }
}
