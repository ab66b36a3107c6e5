import JSON
import ProgramDriver
import Support
import Testing

@testable import Session

/// Rules 1 to 3 for every entry: the order, the state before, and subjects that need nothing.
@Suite struct ChangeReadingTests {
  // MARK: Rule 1

  @Test(arguments: ChangeEntry.entries(for: .order)) func aRepeatedSubjectIsChangedOnce(_ entry: ChangeEntry) throws {
    // A file names each connection once, and an undo or a resumed run has the subjects of the run.
    let isFile = entry.verb == .apply || entry.verb == .plan
    let order = isFile && entry.audience == .own ? [2, 0, 1] : [2, 0, 2, 1, 0]
    let stage = try ChangeStage(entry, order: order)
    let isOrdered = entry.audience == .users && entry.phase == .forward && !entry.isResumed
    let outcome = stage.perform("--jobs 1 -o json\(isOrdered ? " --ordered" : "")")
    #expect(outcome.exit == .success, "\(outcome.errors)")
    let rows = try stage.rows(outcome)
    var expected = [2, 0, 1].map { entry.subjects[$0] }
    // The users of an undo are listed in the order of their ids.
    if entry.audience == .users, entry.phase != .forward { expected = entry.subjects }
    #expect(rows.map(\.id) == expected.map(\.id) && rows.map(\.user) == expected.map(\.user), "\(outcome.output)")
    #expect(stage.sent == stage.expected)
    #expect(stage.isAtGoal)
  }

  @Test(arguments: ["apply", "diff"]) func aFileThatNamesAConnectionTwiceIsRejected(_ verb: String) throws {
    let entry = try #require(ChangeEntry.all.first { $0.verb == .apply && $0.phase == .forward })
    let stage = try ChangeStage(entry)
    let item = #"{"id":"aa","status":"disabled"}"#
    let file = stage.home.folder.write("twice.json", #"{"version":1,"connections":[\#(item),\#(item)]}"#)
    let outcome = stage.home.run("connections \(verb) \(file)\(verb == "apply" ? " --yes" : "")")
    #expect(outcome.exit != .success && outcome.errors.contains("has the same id"), "\(outcome.errors)")
    #expect(stage.server.calls == [])
  }

  /// JSON has the requested order, and JSON Lines that of completion, as a run over users without `--ordered`.
  @Test(arguments: ChangeEntry.entries(for: .order), ["json", "jsonl"])
  func rowsHaveTheOrderOfTheFormat(_ entry: ChangeEntry, _ format: String) throws {
    let stage = try ChangeStage(entry)
    stage.server.answersNewestFirst = true
    let outcome = stage.perform("--jobs 3 -o \(format)")
    #expect(outcome.exit == .success, "\(outcome.errors)")
    let rows = try stage.rows(outcome)
    let isArrival = format == "jsonl" || entry.audience == .users
    var last: [String: Int] = [:]
    for (index, call) in stage.server.completed.enumerated() { last[call.subject] = index }
    let arrived = entry.subjects.sorted { last[$0.key] ?? -1 < last[$1.key] ?? -1 }
    let expected = isArrival ? arrived : entry.subjects
    #expect(
      rows.map { "\($0.user ?? "") \($0.id)" } == expected.map { "\($0.user ?? "") \($0.id)" }, "\(outcome.output)")
    #expect(entry.audience == .plugin || arrived != entry.subjects, "the server answers in another order")
  }

  // MARK: Rule 2

  /// A fresh cache is good enough only to enable connections, or to set those that `configure` has just read.
  @Test(arguments: ChangeEntry.entries(for: .reading), [false, true])
  func theStateIsReadFirst(_ entry: ChangeEntry, _ isFresh: Bool) throws {
    let stage = try ChangeStage(entry)
    stage.home.wait(.seconds(3600))
    if isFresh, entry.audience == .own {
      let asUser = entry.steps == [.enable] ? " --as user" : ""
      stage.home.run("connections show \(stage.subjects.map(\.id).joined(separator: " "))\(asUser)")
      stage.server.forgetCalls()
    }
    #expect(stage.perform().exit == .success)
    let trustsCache =
      isFresh && entry.audience == .own && entry.verb == .enable && entry.phase == .forward && !entry.isResumed
    for subject in stage.subjects {
      let calls = stage.server.calls.filter { $0.subject == subject.key }
      #expect(calls.first?.verb == (trustsCache ? .enable : .read), "\(subject.key): \(calls.map(\.verb))")
      let reads = calls.prefix { !$0.isChange }.count
      #expect(reads <= 1, "it is read once before it is changed: \(calls.map(\.verb))")
    }
    #expect(stage.isAtGoal)
  }

  /// A connection that was disabled by others since it was cached is not disabled again.
  @Test(arguments: ChangeEntry.entries(for: .nothingToDo).filter(\.disables))
  func disablingTrustsNoCache(_ entry: ChangeEntry) throws {
    let stage = try ChangeStage(entry)
    if entry.audience == .own { stage.home.run("connections show aa bb cc --as user") }
    for subject in stage.subjects { stage.server.states[subject.key] = entry.goal }
    stage.server.forgetCalls()
    let outcome = stage.perform()
    #expect(outcome.exit == .success && stage.server.changes == [], "\(outcome.errors)")
  }

  @Test(arguments: ChangeEntry.entries(for: .reading).filter { $0.goal.status == "enabled" })
  func aNeverEnabledSubjectIsNotChanged(_ entry: ChangeEntry) throws {
    let stage = try ChangeStage(entry)
    stage.home.wait(.seconds(3600))
    let subject = stage.subjects[0]
    stage.server.states[subject.key]?.status = "never_enabled"
    let outcome = stage.perform()
    #expect(stage.sent[subject.key] == nil)
    #expect(outcome.exit == (entry.isSingle ? .failure : .partial), "\(outcome.errors)")
    if entry.verb == .configure, entry.phase == .forward {
      let error = try ChangeStage.error(outcome)
      #expect(error["code"]?.string == "never_enabled", "\(outcome.errors)")
      return #expect(outcome.output == "")
    }
    let row = try #require(try stage.rows(outcome).first { $0.id == subject.id && $0.user == subject.user })
    #expect(row.code == "never_enabled" && !row.isChanged && row.status == "never_enabled", "\(row)")
    #expect(stage.subjects.dropFirst().allSatisfy { stage.has($0, entry.goal) })
  }

  // MARK: Rule 3

  @Test(arguments: ChangeEntry.entries(for: .nothingToDo)) func nothingIsSentForWhatIsAsWanted(_ entry: ChangeEntry)
    throws
  {
    let stage = try ChangeStage(entry)
    for subject in stage.subjects { stage.server.states[subject.key] = entry.goal }
    stage.home.wait(.seconds(3600))
    let outcome = stage.perform()
    #expect(outcome.exit == .success, "\(outcome.errors)")
    #expect(stage.server.changes == [])
    guard entry.printsSubjects else { return #expect(try ChangeStage.json(outcome.output).isEmpty) }
    let rows = try stage.rows(outcome)
    #expect(
      rows.count == stage.subjects.count && rows.allSatisfy { !$0.isChanged && $0.code == nil }, "\(outcome.output)")
    #expect(rows.allSatisfy { $0.status == entry.goal.status }, "\(outcome.output)")
  }

  /// The other `--force` of an undo overrides what others have changed.
  @Test(arguments: ChangeEntry.entries(for: .nothingToDo).filter(\.offersForce))
  func forceSendsOrOverrides(_ entry: ChangeEntry) throws {
    let stage = try ChangeStage(entry)
    for subject in stage.subjects { stage.server.states[subject.key] = entry.goal }
    stage.home.wait(.seconds(3600))
    let outcome = stage.perform("--force --jobs 1 -o json")
    #expect(outcome.exit == .success, "\(outcome.errors)")
    #expect(stage.sent == (entry.forceSends ? stage.expected : [:]))
    let rows = try stage.rows(outcome)
    #expect(rows.count == stage.subjects.count)
    #expect(rows.allSatisfy { !$0.isChanged && $0.status == entry.goal.status }, "\(outcome.output)")
  }
}
