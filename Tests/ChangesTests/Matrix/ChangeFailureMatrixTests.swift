import JSON
import ProgramDriver
import Support
import Testing

@testable import Session

/// Rules 9 and 11 for every entry: what a failure stops, and the reports.
@Suite struct ChangeFailureMatrixTests {
  // MARK: Rule 9

  @Test(arguments: ChangeEntry.entries(for: .failures).filter { !$0.isSingle }, [false, true])
  func oneFailureDoesNotStopTheRest(_ entry: ChangeEntry, _ whileReading: Bool) throws {
    // A plan whose connections cannot all be read is not executed.
    guard !whileReading || entry.verb != .plan || entry.phase != .forward || entry.isResumed else { return }
    let stage = try ChangeStage(entry)
    let failing = stage.subjects[1]
    stage.home.wait(.seconds(3600))
    stage.server.fault = { call in
      guard call.subject == failing.key, call.isChange != whileReading else { return nil }
      return .answer(whileReading ? 404 : 422, whileReading ? "not_found" : "invalid_parameters")
    }
    let outcome = stage.perform()
    #expect(outcome.exit == .partial, "\(outcome.errors)")
    let rows = try stage.rows(outcome)
    #expect(rows.count == 3)
    for row in rows {
      let isFailing = row.id == failing.id && row.user == failing.user
      #expect(row.isChanged == !isFailing, "\(row)")
      #expect(row.code == (isFailing ? whileReading ? "not_found" : "invalid_parameters" : nil), "\(row)")
    }
    #expect(stage.has(failing, entry.start))
    #expect([0, 2].allSatisfy { stage.has(stage.subjects[$0], entry.goal) })
  }

  @Test(arguments: ChangeEntry.entries(for: .failures).filter { $0.audience != .plugin })
  func anUnreachableServerStopsTheRun(_ entry: ChangeEntry) throws {
    let stage = try ChangeStage(entry)
    var isDown = false
    stage.server.fault = { call in
      isDown = isDown || call.isChange
      return isDown ? .unreachable : nil
    }
    let outcome = stage.perform()
    #expect(outcome.exit != .success && stage.isAtStart, "\(outcome.errors)")
    #expect(stage.server.changes.count == 1, "it is tried once: \(stage.server.changes)")
    let rows = try stage.rows(outcome)
    #expect(rows.count == stage.subjects.count, "\(outcome.output)")
    #expect(rows.allSatisfy { !$0.isChanged && $0.code == "network" }, "\(outcome.output)")
    // Nothing is lost.
    stage.server.fault = { _ in nil }
    let resumed = stage.home.run("\(stage.resumingLine) --jobs 1")
    #expect(resumed.exit == .success && stage.isAtGoal, "\(resumed.errors)")
  }

  @Test(arguments: ChangeEntry.entries(for: .failures).filter { $0.audience != .plugin })
  func rejectedCredentialsStopWhatSharesThem(_ entry: ChangeEntry) throws {
    let stage = try ChangeStage(entry)
    let rejected = stage.subjects[0]
    stage.server.fault = { call in
      let isShared = entry.audience != .users || call.subject == rejected.key
      return call.isChange && isShared ? .answer(401, "unauthorized") : nil
    }
    let outcome = stage.perform()
    let rows = try stage.rows(outcome)
    let row = try #require(rows.first { $0.id == rejected.id && $0.user == rejected.user })
    #expect(row.code == "unauthorized" && !row.isChanged, "\(row)")
    if entry.audience == .users {
      #expect(outcome.exit == .partial && stage.subjects.dropFirst().allSatisfy { stage.has($0, entry.goal) })
    } else {
      #expect(outcome.exit != .success && stage.isAtStart, "\(outcome.errors)")
      #expect(stage.server.changes.count == 1, "\(stage.server.changes)")
    }
  }

  @Test(arguments: ChangeEntry.entries(for: .failures)) func whatWasInFlightAtCtrlCIsUnknown(_ entry: ChangeEntry)
    throws
  {
    let stage = try ChangeStage(entry)
    stage.server.fault = { $0.isChange ? .interrupted : nil }
    let outcome = stage.perform()
    #expect(outcome.exit == .interrupted, "\(outcome.errors)")
    #expect(stage.server.changes.count == 1)
    let sent = try #require(stage.server.changes.first?.subject)
    let rows = try stage.rows(outcome)
    let subject = try #require(stage.subjects.first { $0.key == sent })
    let row = try #require(rows.first { $0.id == subject.id && $0.user == subject.user }, "\(outcome.output)")
    #expect(row.status == "unknown" && row.previous == entry.start.status, "\(row)")
    let code = try ChangeStage.error(outcome)["code"]?.string
    #expect(code == "interrupted", "\(outcome.errors)")
  }

  /// No later list shows the old state as fresh.
  @Test(arguments: ChangeEntry.entries(for: .failures).filter { $0.audience == .own || $0.audience == .plugin })
  func theCachedStateExpires(_ entry: ChangeEntry) throws {
    let stage = try ChangeStage(entry)
    stage.server.fault = { $0.isChange ? .interrupted : nil }
    #expect(stage.perform().exit == .interrupted)
    stage.server.fault = { _ in nil }
    let subject = try #require(stage.subjects.first { $0.key == stage.server.changes.first?.subject })
    let isPlugin = entry.audience == .plugin
    let list = stage.home.run("connections list\(isPlugin ? " --provider lamps" : "") --json")
    let rows = try ChangeStage.json(list.output)
    let row = try #require(
      rows.first { $0["id"]?.string == (isPlugin ? String(subject.id.dropFirst(6)) : subject.id) }
        ?? rows.first { $0["id"]?.string == subject.id }, "\(list.output)\(list.errors)")
    #expect(row["status"]?.string == stage.server.states[subject.key]?.status, "\(list.output)")
  }

  // MARK: Rule 11

  @Test(arguments: ChangeEntry.entries(for: .reports), [1, 3]) func eachSubjectIsInTheReports(
    _ entry: ChangeEntry, _ count: Int
  ) throws {
    guard count <= entry.subjects.count else { return }
    let stage = try ChangeStage(entry, count: count)
    let failing = stage.subjects[count - 1]
    stage.server.fault = { $0.isChange && $0.subject == failing.key ? .answer(422, "invalid_parameters") : nil }
    let (junit, summary) = (stage.home.folder["junit.xml"], stage.home.folder["summary.json"])
    stage.home.environment["GITHUB_ACTIONS"] = "true"
    stage.home.environment["GITHUB_STEP_SUMMARY"] = stage.home.folder.write("step.md", "")
    let outcome = stage.perform("--jobs 1 -o json --report junit=\(junit) --report summary=\(summary)")
    #expect(outcome.exit == (count == 1 ? .failure : .partial), "\(outcome.errors)")
    let xml = stage.home.folder.text("junit.xml") ?? ""
    #expect(xml.contains(#"tests="\#(count)" failures="1" errors="0" skipped="0""#), "\(xml)")
    for subject in stage.subjects {
      #expect(xml.contains(#"<testcase name="\#(subject.user ?? subject.id)""#), "\(xml)")
    }
    #expect(xml.contains(#"type="invalid_parameters""#))
    let counts = stage.home.folder.text("summary.json") ?? ""
    #expect(
      counts.contains(
        #""total":\#(count),"succeeded":\#(count - 1),"failed":1,"skipped":0,"errors":{"invalid_parameters":1}"#),
      "\(counts)")
    let step = stage.home.folder.text("step.md") ?? ""
    #expect(step.contains("\n\n\(count - 1) of \(count) done, 1 failed."), "\(step)")
    #expect(outcome.errors.contains("::error") || outcome.output.contains("::error"), "\(outcome.errors)")
  }
}
