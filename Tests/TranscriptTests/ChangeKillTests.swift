import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `kill -9` at random times, and while a request is on its way, of every command that changes something, its undo and
/// its redo. `TEST_SEED` repeats a run, and `KILL_ROUNDS` makes it longer or shorter.
@Suite struct ChangeKillTests {
  private typealias Point = ChangesHome.Point

  /// How far a command had come when its last process but one was killed.
  private enum End: String, CaseIterable {
    case untouched = "killed before anything was sent"
    case resumed = "resumed"
    case complete = "complete already"
    case between = "in between"
  }

  /// What a command takes if it is not killed.
  private struct Cost {
    var time = Duration.zero
    var requests = 0
  }

  /// A command that is killed, and how. Unless `KILL_ROUNDS` says otherwise, a run tries all of them.
  private struct Combination {
    var entry: ChangeEntry
    /// `undo` or `redo`, or empty for the entry itself.
    var verb: String
    var cost: Cost
    var way: Point
  }

  /// A command that is killed, and what it must do.
  private struct Killed {
    var words: [String]
    var resume: [String]
    var changes: [ChangesServer.Change]
    var before: [ChangesServer.Subject: ChangesServer.State]
    var after: [ChangesServer.Subject: ChangesServer.State]
  }

  private let changes: ChangesHome
  private let entries: [ChangeEntry]

  init() throws {
    changes = try ChangesHome()
    let folder = changes.home.workplace.path
    entries = ChangeEntry.all.map { $0.with(folder: folder) }
  }

  private static let undo = ["connections", "undo", "--yes"]
  private static let redo = ["connections", "redo", "--yes"]

  @Test func everyKilledChangeIsMadeOnce() throws {
    let environment = ProcessInfo.processInfo.environment
    var generator = SeededGenerator.random()
    let costs = try entries.map { try (run: cost(of: $0.words), undo: cost(of: Self.undo)) }
    let first = try changes.report().states
    var all: [Combination] = []
    for (entry, cost) in zip(entries, costs) {
      for (verb, cost) in [("", cost.run), ("undo", cost.undo), ("redo", cost.run)] {
        all += ways(entry, cost).map { Combination(entry: entry, verb: verb, cost: cost, way: $0) }
      }
    }
    let rounds = environment["KILL_ROUNDS"].flatMap { Int($0) } ?? max(200, all.count)
    var combinations: [Combination] = []
    while combinations.count < rounds { combinations += all.shuffled(using: &generator) }
    var (kills, ends): ([String: Int], [End: Int]) = ([:], [:])
    for (index, combination) in combinations.prefix(rounds).enumerated() {
      let (round, entry, verb, cost) = (index + 1, combination.entry, combination.verb, combination.cost)
      var points = [point(combination.way, entry, cost, using: &generator)]
      // Half of the rounds kill the resumed command too.
      if Bool.random(using: &generator), let way = ways(entry, cost).randomElement(using: &generator) {
        points.append(point(way, entry, cost, using: &generator))
      }
      let context: Comment = "round \(round): \(verb) \(entry.description), killed at \(points)"
      let isRepeated = Bool.random(using: &generator)
      let killed = try prepare(entry, verb, isRepeated: isRepeated, from: first)
      let end = try run(killed, points, cost, &kills, context)
      ends[end, default: 0] += 1
      if end == .untouched, verb.isEmpty { continue }
      try checkHistory(of: entry, from: first, isUndone: verb == "undo", context)
      if verb != "undo" { try undo(entry, to: first, context) }
      try #require(try changes.report().states == first, context)
    }
    let counts = End.allCases.map { "\(ends[$0] ?? 0) \($0.rawValue)" }
    let kinds = kills.sorted { $0.key < $1.key }.map { "\($1) \($0)" }
    print("ChangeKillTests: \(kills.values.reduce(0, +)) killed: \(kinds.joined(separator: ", "))")
    print("ChangeKillTests: \(counts.joined(separator: ", "))")
    #expect(try changes.home.isIntact())
  }

  private func cost(of words: [String]) throws -> Cost {
    _ = try changes.report()
    let start = ContinuousClock.now
    let outcome = try changes.run(words).outcome
    let time = ContinuousClock.now - start
    try #require(outcome.status == 0, "\(outcome.errors)")
    return try Cost(time: time, requests: changes.report().requests)
  }

  /// The ways to kill a command, each with a number that ``point(_:_:_:using:)`` replaces.
  private func ways(_ entry: ChangeEntry, _ cost: Cost) -> [Point] {
    var ways: [Point] = [.time(0)]
    if cost.requests > 0 { ways += ["before", "after", "half"].map { .request(1, $0) } }
    if pluginRequests(of: entry) > 0 { ways += ["before", "after"].map { .plugin(2, $0) } }
    return ways
  }

  /// The plugin reads each of its connections, and then changes it.
  private func pluginRequests(of entry: ChangeEntry) -> Int {
    2 * entry.subjects.count { $0.user == LampsPlugin.name }
  }

  /// A random moment of this kind.
  private func point(
    _ way: Point, _ entry: ChangeEntry, _ cost: Cost, using generator: inout SeededGenerator
  ) -> Point {
    switch way {
    case .time: .time(.random(in: 0...1.1, using: &generator))
    case .request(_, let moment): .request(.random(in: 1...cost.requests, using: &generator), moment)
    // The request before them is not held: it begins the session.
    case .plugin(_, let moment):
      .plugin(.random(in: 2...pluginRequests(of: entry) + 1, using: &generator), moment)
    }
  }

  /// Brings the subjects into the state in which a command begins.
  private func prepare(
    _ entry: ChangeEntry, _ verb: String, isRepeated: Bool, from first: [ChangesServer.Subject: ChangesServer.State]
  ) throws -> Killed {
    let applied = entry.applied(to: first)
    guard !verb.isEmpty else {
      return Killed(
        words: entry.words, resume: entry.resume, changes: entry.changes, before: first, after: applied)
    }
    let words = verb == "undo" ? Self.undo : Self.redo
    for words in verb == "undo" ? [entry.words] : [entry.words, Self.undo] {
      let outcome = try changes.run(words).outcome
      try #require(outcome.status == 0, "\(outcome.errors)")
    }
    _ = try changes.report()
    // An undo or a redo can also be repeated without --resume.
    let resume = isRepeated ? words : words + ["--resume"]
    return verb == "undo"
      ? Killed(words: words, resume: resume, changes: entry.reverted, before: applied, after: first)
      : Killed(words: words, resume: resume, changes: entry.changes, before: first, after: applied)
  }

  /// Runs a command that is killed at each point, and resumes it in the end.
  private func run(
    _ killed: Killed, _ points: [Point], _ cost: Cost, _ kills: inout [String: Int], _ context: Comment
  ) throws -> End {
    var (words, made): ([String], [ChangesServer.Change]) = (killed.words, [])
    var isDone = false
    for point in points where !isDone {
      let attempt = try changes.run(words, killedAt: point, of: cost.time)
      made += try changes.report().changes
      check(attempt.rows, of: killed, context)
      guard let status = attempt.status else {
        kills[point.kind, default: 0] += 1
        words = killed.resume
        continue
      }
      // Nothing is left to resume if it was killed before anything was sent.
      #expect(status == 0 || status == 3 && words == killed.resume, "\(context): \(attempt.errors)")
      isDone = status == 0
    }
    var end = End.complete
    if !isDone {
      let (outcome, rows) = try changes.run(killed.resume)
      check(rows, of: killed, context)
      #expect([0, 3].contains(outcome.status), "\(context): \(outcome.errors)")
      let more = try changes.report().changes
      end = outcome.status == 0 ? .resumed : made.isEmpty ? .untouched : .complete
      made += more
      if outcome.status == 3, killed.words != killed.resume, killed.words[1] == "undo" || killed.words[1] == "redo" {
        // It may have been killed between its last result and its end.
        let again = try changes.run(killed.words).outcome
        #expect(again.status == (end == .untouched ? 0 : again.status), "\(context): \(again.errors)")
        made += try changes.report().changes
      } else if end == .untouched {
        #expect(try changes.report().states == killed.before, context)
        return end
      }
    }
    let states = try changes.report().states
    #expect(made.sorted() == killed.changes.sorted(), "each is made once: \(context)")
    #expect(states == killed.after, context)
    return states == killed.after ? end : .between
  }

  /// Checks that rows tell the states before and after.
  private func check(_ rows: [ChangesHome.Row], of killed: Killed, _ context: Comment) {
    // The rows of `configure` are the fields that it changes.
    let rows = rows.filter { $0.subject != nil }
    for row in rows {
      let (before, after) = (row.subject.flatMap { killed.before[$0] }, row.subject.flatMap { killed.after[$0] })
      #expect(row.text("status") == after?.status, "\(row.description) \(context)")
      #expect(row.text("previous_status") == before?.status, "\(row.description) \(context)")
      #expect(row.isChanged && !row.hasFailed, "\(row.description) \(context)")
    }
    #expect(Set(rows.compactMap(\.subject)).count == rows.count, context)
  }

  private func checkHistory(
    of entry: ChangeEntry, from first: [ChangesServer.Subject: ChangesServer.State], isUndone: Bool, _ context: Comment
  ) throws {
    let runs = try changes.run(["connections", "history"]).rows
    let isReversal = { (row: ChangesHome.Row) in
      row.text("command")?.contains(/connections (undo|redo)/) == true
    }
    let run = try #require(runs.first { !isReversal($0) }, context)
    #expect(run.text("outcome") == (isUndone ? "undone" : "done"), "\(run.description) \(context)")
    #expect(run.number("subjects") == entry.subjects.count, "\(run.description) \(context)")
    #expect(run.number("changed") == entry.subjects.count, "\(run.description) \(context)")
    #expect(run.number("failed") == 0, "\(run.description) \(context)")
    let rows = try changes.run(["connections", "history", String(run.number("number") ?? 0)]).rows
    #expect(Set(rows.compactMap(\.subject)) == entry.subjects, context)
    #expect(rows.count == entry.subjects.count, context)
    let after = entry.applied(to: first)
    for row in rows {
      let (before, after) = (row.subject.flatMap { first[$0] }, row.subject.flatMap { after[$0] })
      #expect(row.isChanged && !row.hasFailed, "\(row.description) \(context)")
      // Settings are recorded only by runs that change them.
      let (recorded, result) = (row.state("before"), row.state("after"))
      #expect(recorded?.status == before?.status && result?.status == after?.status, "\(row.description) \(context)")
      guard !entry.fields.isEmpty else { continue }
      #expect(recorded?.fields == before?.fields, "\(row.description) \(context)")
      // IFTTT shows no settings of a disabled connection, so a run that was resumed after that does not know them.
      let isUnknown = after?.status == "disabled" && result?.fields.isEmpty == true
      #expect(isUnknown || result?.fields == after?.fields, "\(row.description) \(context)")
    }
  }

  private func undo(
    _ entry: ChangeEntry, to first: [ChangesServer.Subject: ChangesServer.State], _ context: Comment
  ) throws {
    let (outcome, rows) = try changes.run(Self.undo)
    #expect(outcome.status == 0, "\(context): \(outcome.errors)")
    let report = try changes.report()
    #expect(report.changes.sorted() == entry.reverted.sorted(), context)
    #expect(report.states == first, context)
    let applied = entry.applied(to: first)
    check(rows, of: Killed(words: [], resume: [], changes: [], before: applied, after: first), context)
    #expect(Set(rows.compactMap(\.subject)) == entry.subjects, context)
  }
}
