import JSON
import ProgramDriver
import Support
import Testing

@testable import Session

/// Rules 7 and 10 for every entry: the journal, `--resume`, the history, undo and redo.
@Suite struct ChangeJournalMatrixTests {
  // MARK: Rule 7

  /// Another process sees the run and its subject while the request is on its way.
  @Test(arguments: ChangeEntry.entries(for: .journal)) func aChangeIsRecordedBeforeItIsSent(_ entry: ChangeEntry) throws
  {
    let stage = try ChangeStage(entry)
    var seen: [String] = []
    stage.server.observe = { call in
      guard call.isChange else { return }
      stage.observing { home in
        let rows = (try? ChangeStage.json(home.run("connections history --json").output)) ?? []
        #expect(rows.first?["outcome"]?.string == "running", "\(call): \(rows)")
        guard entry.phase == .forward else { return seen.append(call.subject) }
        let changes = (try? ChangeStage.json(home.run("connections history 1 --json").output)) ?? []
        for subject in stage.subjects where subject.key == call.subject {
          let row = changes.first { $0["id"]?.string == subject.id && $0["user_id"]?.string == subject.user }
          #expect(row?["before"]?["status"]?.string == entry.start.status, "\(call): \(changes)")
          seen.append(call.subject)
        }
      }
    }
    #expect(stage.perform().exit == .success)
    #expect(Set(seen) == Set(stage.subjects.map(\.key)) && seen.count == stage.server.changes.count)
  }

  /// Ctrl-C after each number of changes that took effect: a resumed run sends none again, and forgets none.
  @Test(arguments: ChangeEntry.entries(for: .journal)) func aResumedRunSendsNothingTwice(_ entry: ChangeEntry) throws {
    for count in 1...entry.subjects.count * entry.steps.count {
      let stage = try ChangeStage(entry)
      stage.server.fault = { $0.isChange && stage.server.changes.count == count ? .interrupted : nil }
      let stopped = stage.perform()
      #expect(stopped.exit == .interrupted && stage.server.changes.count == count, "\(count): \(stopped.errors)")
      let command = entry.path.joined(separator: " ")
      #expect(stopped.errors.contains("ifttt \(command)") && stopped.errors.contains(" --resume"), "\(stopped.errors)")
      stage.server.fault = { _ in nil }
      let resumed = stage.home.run("\(stage.resumingLine) --jobs 1 -o json")
      #expect(resumed.exit == .success, "\(count): \(resumed.errors)")
      #expect(stage.isAtGoal && stage.sent == stage.expected, "\(count): \(stage.sent)")
      #expect(stage.home.run("\(stage.resumingLine) -o json").exit == .notFound, "nothing is left to resume")
    }
  }

  // MARK: Rule 10

  @Test(arguments: ChangeEntry.entries(for: .history)) func theRunIsListedUndoneAndRedone(_ entry: ChangeEntry) throws {
    let stage = try ChangeStage(entry)
    let count = stage.subjects.count
    #expect(stage.perform().exit == .success)
    var newest = try #require(try stage.history().first)
    #expect(
      newest.object?.members.map(\.key) == ["number", "time", "command", "subjects", "changed", "failed", "outcome"])
    #expect(newest["number"]?.text == "1", "an undo or redo has the number of its run")
    #expect(newest["command"]?.string?.hasPrefix("ifttt \(entry.path.joined(separator: " "))") == true)
    #expect(newest["subjects"]?.text == "\(count)" && newest["changed"]?.text == "\(count)", "\(newest.text)")
    #expect(newest["failed"]?.text == "0" && newest["outcome"]?.string == "done", "\(newest.text)")
    let rows = try ChangeStage.json(stage.home.run("connections history 1 --json").output)
    #expect(rows.count == count && rows.allSatisfy { $0["changed"]?.bool == true && $0["error"]?.isNull == true })
    #expect(
      rows.first?.object?.members.map(\.key) == ["id", "provider", "user_id", "before", "after", "changed", "error"])
    let isUndo = entry.phase == .undo
    func outcome() throws -> String? {
      try stage.history().last { $0["number"]?.text == "1" }?["outcome"]?.string
    }
    #expect(try outcome() == (isUndo ? "undone" : "done"))
    // There and back again.
    for verb in isUndo ? ["redo", "undo"] : ["undo", "redo"] {
      let wrong = verb == "undo" ? "redo" : "undo"
      #expect(stage.home.run("connections \(wrong) --yes").exit == .notFound)
      let run = stage.home.run("connections \(verb) --yes --jobs 1 -o json")
      #expect(run.exit == .success, "\(verb): \(run.errors)")
      let isBack = (verb == "undo") != isUndo
      #expect(isBack ? stage.isAtStart : stage.isAtGoal, "\(verb): \(stage.server.states)")
      #expect(try outcome() == (verb == "undo" ? "undone" : "done"))
      newest = try #require(try stage.history().first)
      #expect(newest["command"]?.string?.hasPrefix("ifttt connections \(verb)") == true)
    }
  }

  /// IFTTT shows settings only while a connection is enabled.
  private static func isReversalOfShownSettings(_ entry: ChangeEntry) -> Bool {
    entry.phase != .forward && !entry.isResumed && entry.changesSettings && entry.start.status == "enabled"
  }

  /// A subject that others have changed is a conflict, which `--force` overrides; the others are reverted.
  @Test(arguments: ChangeEntry.entries(for: .history).filter(isReversalOfShownSettings))
  func settingsThatOthersChangedAreAConflict(_ entry: ChangeEntry) throws {
    let stage = try ChangeStage(entry)
    let changed = stage.subjects[0]
    stage.server.states[changed.key]?.name = "Garden"
    let outcome = stage.perform()
    #expect(outcome.exit == (entry.isSingle ? .failure : .partial), "\(outcome.errors)")
    let row = try #require(try stage.rows(outcome).first { $0.id == changed.id && $0.user == changed.user })
    #expect(row.code == "conflict" && !row.isChanged)
    #expect(stage.sent[changed.key] == nil)
    #expect(stage.subjects.dropFirst().allSatisfy { stage.has($0, entry.goal) })
    let forced = try ChangeStage(entry)
    forced.server.states[changed.key]?.name = "Garden"
    #expect(forced.perform("--force --jobs 1 -o json").exit == .success && forced.isAtGoal)
  }
}
