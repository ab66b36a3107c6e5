import JSON
import ProgramDriver
import Support
import Testing

@testable import Session

/// Rule 8 for every entry: the result of a change whose response is lost, unreadable, or an error.
@Suite struct ChangeResultMatrixTests {
  private let index = 0

  /// The row of the first subject, after a fault of its last or first step; the others are changed.
  private func run(
    _ entry: ChangeEntry, isLast: Bool, _ fault: ChangeServer.Fault, alsoReads: Bool = false
  ) throws -> (row: ChangedRow, outcome: Home.Outcome, stage: ChangeStage) {
    let stage = try ChangeStage(entry)
    let subject = stage.subjects[index]
    let step = isLast ? entry.steps.last : entry.steps.first
    var isStruck = false
    stage.server.fault = { call in
      guard call.subject == subject.key else { return nil }
      if call.verb == step {
        isStruck = true
        return fault
      }
      return isStruck && alsoReads ? .answer(500, "server_error") : nil
    }
    let outcome = stage.perform()
    #expect(isStruck)
    let row = try #require(
      try stage.rows(outcome).first { $0.id == subject.id && $0.user == subject.user }, "\(outcome.errors)")
    #expect(stage.subjects.dropFirst().allSatisfy { stage.has($0, entry.goal) }, "\(outcome.errors)")
    let sent = stage.sent[subject.key] ?? []
    #expect(sent.count(where: { $0 == step }) == 1, "it is not sent again: \(sent)")
    return (row, outcome, stage)
  }

  @Test(arguments: ChangeEntry.entries(for: .results)) func aLostResponseIsRead(_ entry: ChangeEntry) throws {
    let (row, outcome, stage) = try run(entry, isLast: true, .lost)
    #expect(outcome.exit == .success && stage.isAtGoal, "\(outcome.errors)")
    #expect(row.status == entry.goal.status && row.previous == entry.start.status, "\(row)")
    #expect(row.isChanged && row.code == nil, "\(row)")
  }

  @Test(arguments: ChangeEntry.entries(for: .results)) func anUnreadableResultIsUnknown(_ entry: ChangeEntry) throws {
    let (row, outcome, _) = try run(entry, isLast: true, .lost, alsoReads: true)
    #expect(row.status == "unknown" && row.code != nil, "\(row)")
    let isPlugin = entry.audience == .plugin
    #expect(outcome.exit == (!entry.isSingle ? .partial : isPlugin ? .failure : .unavailable), "\(outcome.errors)")
  }

  @Test(arguments: ChangeEntry.entries(for: .results)) func aRejectedChangeLeavesTheStateThatWasRead(
    _ entry: ChangeEntry
  ) throws {
    let (row, outcome, stage) = try run(entry, isLast: false, .answer(422, "invalid_parameters"))
    #expect(row.status == entry.start.status && row.previous == entry.start.status && !row.isChanged, "\(row)")
    #expect(row.code == "invalid_parameters", "\(row)")
    #expect(outcome.exit == (entry.isSingle ? .failure : .partial), "\(outcome.errors)")
    #expect(stage.has(stage.subjects[index], entry.start))
  }

  @Test(arguments: ChangeEntry.entries(for: .results)) func aChangeWithoutEffectIsAnError(_ entry: ChangeEntry) throws {
    let (row, outcome, stage) = try run(entry, isLast: false, .ineffective)
    #expect(row.status == entry.start.status && !row.isChanged && row.code == "refused", "\(row)")
    #expect(outcome.exit == (entry.isSingle ? .failure : .partial), "\(outcome.errors)")
    #expect(stage.has(stage.subjects[index], entry.start))
  }

  /// The second of two steps fails: the row has the state that the first one left.
  @Test(arguments: ChangeEntry.entries(for: .results).filter { $0.steps.count > 1 })
  func aHalfChangedSubjectIsReported(_ entry: ChangeEntry) throws {
    let (row, outcome, _) = try run(entry, isLast: true, .answer(422, "invalid_parameters"))
    #expect(row.isChanged && row.code == "invalid_parameters" && row.status == "enabled", "\(row)")
    #expect(outcome.exit == .partial, "\(outcome.errors)")
  }
}
