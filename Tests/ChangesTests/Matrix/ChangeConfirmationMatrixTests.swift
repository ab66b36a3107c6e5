import JSON
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// Rules 4 and 5 for every entry: what needs a confirmation, with and without a terminal.
@Suite struct ChangeConfirmationMatrixTests {
  private static let prompt = "[y/N]"

  /// The questions in the output of a terminal, without line breaks.
  private static func questions(_ outcome: Home.Outcome) -> Int {
    outcome.errors.ranges(of: prompt).count
  }

  private static func text(_ outcome: Home.Outcome) -> String {
    outcome.errors.split { $0 == "\n" || $0 == " " }.joined(separator: " ")
  }

  /// Runs the entry at a terminal.
  private func ask(_ stage: ChangeStage, _ answer: String?, line: String? = nil) -> Home.Outcome {
    stage.home.terminal = .interactive()
    return stage.home.run(
      "\(line ?? stage.line) --jobs 1 --retries 0 -o json",
      input: answer.map { .typed(lines: [$0]) })
  }

  /// Asserts that a command asks once, sends nothing after a no, and everything after a yes.
  private func expectQuestion(
    _ words: String..., of entry: ChangeEntry, trustsCache: Bool = false, line: String? = nil,
    stage make: () throws -> ChangeStage
  ) throws {
    let declined = try make()
    let no = ask(declined, "n", line: line)
    #expect(no.exit == .failure && Self.questions(no) == 1, "\(no.errors)")
    for word in words { #expect(Self.text(no).contains(word), "\(no.errors)") }
    #expect(declined.server.changes == [])
    let agreed = try make()
    let yes = ask(agreed, "y", line: line)
    #expect(Self.questions(yes) == 1, "\(yes.errors)")
    #expect(!agreed.server.changes.isEmpty)
    let firstChange = agreed.server.calls.firstIndex(where: \.isChange) ?? 0
    let read = Set(agreed.server.calls.prefix(firstChange).map(\.subject))
    #expect(trustsCache || read.count >= agreed.subjects.count, "everything is read before the question")
  }

  // MARK: Rule 4

  @Test(arguments: ChangeEntry.entries(for: .confirmation)) func theWholePlanIsConfirmedOnce(_ entry: ChangeEntry)
    throws
  {
    if entry.asks {
      try expectQuestion(entry.question(entry.subjects.count), of: entry) { try ChangeStage(entry) }
    } else {
      let stage = try ChangeStage(entry)
      let outcome = ask(stage, nil)
      #expect(outcome.exit == .success && Self.questions(outcome) == 0, "\(outcome.errors)")
      #expect(stage.isAtGoal && stage.sent == stage.expected)
    }
  }

  /// A users file with one user is like the profile's own user.
  @Test(arguments: ChangeEntry.entries(for: .confirmation).filter { $0.audience == .users && $0.verb != .apply })
  func oneUserNeedsNoConfirmation(_ entry: ChangeEntry) throws {
    let stage = try ChangeStage(entry, count: 1)
    let outcome = ask(stage, nil)
    #expect(outcome.exit == .success && Self.questions(outcome) == 0, "\(outcome.errors)")
    #expect(stage.isAtGoal)
  }

  private static func isPendingStep(_ entry: ChangeEntry) -> Bool {
    (entry.audience == .own || entry.audience == .users) && entry.steps == [.disable] && !entry.isResumed
  }

  /// A pending connection that is disabled cannot be enabled again.
  @Test(arguments: ChangeEntry.entries(for: .confirmation).filter(isPendingStep))
  func aPendingConnectionIsNamed(_ entry: ChangeEntry) throws {
    func make() throws -> ChangeStage {
      let stage = try ChangeStage(entry)
      stage.server.states[stage.subjects[1].key]?.isPending = true
      return stage
    }
    let subject = entry.subjects[1]
    let isOfMany = Set(entry.subjects.map(\.user)).count > 1
    let name = isOfMany ? "\(subject.id) of user '\(subject.user ?? "")'" : subject.id
    try expectQuestion("Once disabled, \(name) cannot be enabled again", entry.question(3), of: entry, stage: make)
    try refused(make(), names: entry.subjects[1].id)
  }

  private static func isResumedPendingStep(_ entry: ChangeEntry) -> Bool {
    (entry.audience == .own || entry.audience == .users) && entry.verb == .disable && entry.phase == .forward
      && entry.isResumed
  }

  /// What was confirmed is not asked about again, but still named.
  @Test(arguments: ChangeEntry.entries(for: .confirmation).filter(isResumedPendingStep))
  func aConfirmedPendingConnectionIsOnlyNoted(_ entry: ChangeEntry) throws {
    let stage = try ChangeStage(entry) { $0.isPending = true }
    let plan = stage.perform("--dry-run -o json", confirms: false)
    #expect(plan.exit == .success && !plan.errors.contains("It would ask"), "\(plan.errors)")
    let outcome = ask(stage, nil)
    #expect(outcome.exit == .success && Self.questions(outcome) == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("enabled again"), "\(outcome.errors)")
    #expect(stage.isAtGoal && stage.sent == stage.expected)
  }

  private static func isProviderStep(_ entry: ChangeEntry) -> Bool {
    entry.audience == .plugin && entry.phase == .forward && entry.steps == [.disable] && !entry.isResumed
  }

  @Test(arguments: ChangeEntry.entries(for: .confirmation).filter(isProviderStep))
  func aProviderThatCannotEnableIsNamed(_ entry: ChangeEntry) throws {
    func make() throws -> ChangeStage { try ChangeStage(entry, canEnable: false) }
    try expectQuestion("lamps:l1, lamps:l2, lamps:l3", entry.question(3), of: entry, stage: make)
    try refused(make(), names: "lamps:l2")
  }

  /// Without a terminal, an irreversible step is refused; with `--yes`, a note names it.
  private func refused(_ stage: ChangeStage, names name: String) throws {
    let refused = stage.perform(confirms: false)
    let error = try ChangeStage.error(refused)
    #expect(refused.exit == .failure && error["code"]?.string == "confirmation_required", "\(refused.errors)")
    #expect(stage.server.changes == [])
    if stage.entry.audience != .users {
      let details = error["details"]?.array?.compactMap { $0["message"]?.string } ?? []
      #expect(details.contains(name), "\(refused.errors)")
    }
    let done = stage.perform()
    #expect(done.exit == .success && stage.isAtGoal, "\(done.errors)")
    let notes = done.notes.filter { $0.contains(name) && $0.contains("enabled again") }
    #expect(notes.count == 1, "\(done.errors)")
  }

  @Test(arguments: ["enable", "disable"]) func allAreSelectedAndOthersAreNamed(_ verb: String) throws {
    let entry = try #require(ChangeEntry.all.first { $0.testDescription == "connections \(verb)" })
    func make() throws -> ChangeStage { try ChangeStage(entry) }
    // A fresh cache is good enough to enable.
    try expectQuestion(
      entry.question(3), of: entry, trustsCache: verb == "enable", line: "connections \(verb) --all", stage: make)
    let byStatus = try make()
    let named = ask(byStatus, nil, line: "connections \(verb) --status \(entry.start.status)")
    #expect(named.exit == .success && Self.questions(named) == 0 && byStatus.isAtGoal, "\(named.errors)")
    let byInput = try make()
    let typed = byInput.home.run("connections \(verb) --stdin", input: .text("aa\nbb\ncc\n"))
    #expect(typed.exit == .success && byInput.isAtGoal, "\(typed.errors)")
    let refused = try make().home.run("connections \(verb) --all --json")
    #expect(try ChangeStage.error(refused)["code"]?.string == "confirmation_required")
  }

  @Test func removedSettingsAreConfirmed() throws {
    let entry = try #require(ChangeEntry.all.first { $0.testDescription == "configure" })
    try expectQuestion("Remove 3 settings?", of: entry, line: "configure aa --remove-feature ft") {
      try ChangeStage(entry) { $0.note = "a note" }
    }
  }

  /// An undo asks if it removes settings, and only then.
  @Test func anUndoThatRemovesSettingsIsConfirmed() throws {
    let entry = try #require(ChangeEntry.all.first { $0.testDescription == "configure" })
    try expectQuestion("removing 1 setting?", of: entry, line: "connections undo") {
      let stage = try ChangeStage(entry)
      #expect(stage.home.run("configure aa --set ft.note=more").exit == .success)
      #expect(stage.server.states["u1 aa"]?.note == "more")
      stage.server.forgetCalls()
      return stage
    }
  }

  // MARK: Rule 5

  private static let refusals: [(options: String, environment: [String: String], terminal: Terminal)] = [
    ("", [:], .none), ("--no-input", [:], .interactive()), ("", ["CI": "true"], .interactive()),
  ]

  @Test(arguments: ChangeEntry.entries(for: .withoutTerminal), [0, 1, 2])
  func aPlanIsRefusedWithoutAPerson(_ entry: ChangeEntry, _ way: Int) throws {
    let (options, environment, terminal) = Self.refusals[way]
    let stage = try ChangeStage(entry)
    stage.home.terminal = terminal
    stage.home.environment.merge(environment) { $1 }
    let outcome = stage.perform("--jobs 1 -o json \(options)", confirms: false)
    let error = try ChangeStage.error(outcome)
    #expect(outcome.exit == .failure && outcome.output == "", "\(outcome.output)")
    #expect(error["code"]?.string == "confirmation_required", "\(outcome.errors)")
    #expect(stage.server.changes == [])
    // The hint is the same command, which then runs.
    let hint = try #require(error["hint"]?.string)
    let parts = hint.split(separator: "'", omittingEmptySubsequences: false)
    try #require(parts.count == 3 && parts[1].hasPrefix("ifttt "), "\(hint)")
    let command = String(parts[1].dropFirst("ifttt ".count))
    #expect(command.hasSuffix(" --yes"))
    let typed = Set(stage.line.split(separator: " "))
    #expect(typed.isSubset(of: Set(command.split(separator: " "))), "\(hint)")
    stage.home.terminal = .none
    let again = stage.home.run(command)
    #expect(again.exit == .success && stage.isAtGoal && stage.sent == stage.expected, "\(again.errors)")
  }

  @Test(arguments: ["disable aa", "apply"]) func usersFromStdinArePassedAgain(_ words: String) throws {
    let entry = try #require(
      ChangeEntry.all.first { $0.audience == .users && words.hasPrefix($0.verb.rawValue) && $0.phase == .forward })
    let stage = try ChangeStage(entry)
    let base = stage.line.replacing(stage.home.folder["users.csv"], with: "-")
    let outcome = stage.home.run("\(base) --json", input: .text("user_id\nu1\nu2\n"))
    let error = try ChangeStage.error(outcome)
    #expect(error["code"]?.string == "confirmation_required", "\(outcome.errors)")
    #expect(error["hint"]?.string?.contains("--yes', and pass the input again.") == true, "\(outcome.errors)")
    #expect(stage.server.calls == [])
  }
}
