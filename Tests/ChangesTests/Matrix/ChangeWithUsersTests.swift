import JSON
import ProgramDriver
import Support
import Testing

@testable import Session

/// The profile's own user and a users file with that user alone: one question, the same requests, and the same rows plus
/// `user_id`.
@Suite struct ChangeWithUsersTests {
  private struct Run {
    var question: String?
    var requests: [String]
    var calls: [ChangeServer.Call]
    var rows: [JSONValue]
    var exit: ExitCode
    var code: String?
  }

  private static let entries = ChangeEntry.all.filter { $0.audience == .users && !$0.isResumed }

  /// - Parameter fault: a fault of the only change.
  private func run(
    _ entry: ChangeEntry, isOverUsers: Bool, _ options: String, answer: String?, isPending: Bool,
    fault: ChangeServer.Fault?
  ) throws -> Run {
    let audience: ChangeEntry.Audience = isOverUsers ? .users : .own
    let entry = ChangeEntry(verb: entry.verb, audience: audience, phase: entry.phase, isResumed: false)
    let stage = try ChangeStage(entry, count: 1)
    stage.home.wait(.seconds(3600))
    stage.server.states["u1 aa"]?.isPending = isPending
    stage.server.fault = { $0.isChange ? fault : nil }
    if answer != nil { stage.home.terminal = .interactive() }
    let asUser = entry.changesSettings ? "" : " --as user"
    let outcome = stage.home.run(
      "\(stage.line)\(asUser) --jobs 1 --retries 0 -o json \(options)", input: answer.map { .typed(lines: [$0]) })
    let words = outcome.errors.split { $0 == "\n" || $0 == " " }.joined(separator: " ")
    let question = words.firstRange(of: "[y/N]").flatMap { end -> String? in
      let before = words[..<end.lowerBound]
      let start = before.firstRange(of: "Once disabled")?.lowerBound ?? before.firstRange(of: "Change ")?.lowerBound
      return start.map { String(before[$0...]) } ?? String(before)
    }
    let rows = try ChangeStage.json(outcome.output)
    let error = outcome.notes.last { $0.hasPrefix(#"{"error":"#) }
    return Run(
      question: question, requests: rows.compactMap { $0["requests"]?.text }, calls: stage.server.calls,
      rows: rows.map(Self.withoutUser), exit: outcome.exit,
      code: try error.flatMap { try JSONValue(parsing: Array($0.utf8))["error"]?["code"]?.string })
  }

  private static func withoutUser(_ row: JSONValue) -> JSONValue {
    .object(JSONObject(members: (row.object?.members ?? []).filter { $0.key != "user_id" }))
  }

  private func expectSame(
    _ entry: ChangeEntry, _ options: String = "", answer: String? = nil, isPending: Bool = false,
    fault: ChangeServer.Fault? = nil
  ) throws -> Run {
    let own = try run(entry, isOverUsers: false, options, answer: answer, isPending: isPending, fault: fault)
    let users = try run(entry, isOverUsers: true, options, answer: answer, isPending: isPending, fault: fault)
    #expect(own.question == users.question)
    #expect(own.requests == users.requests)
    #expect(own.calls == users.calls)
    #expect(own.rows == users.rows)
    #expect(own.exit == users.exit && own.code == users.code)
    return own
  }

  @Test(arguments: entries) func theRowsAreTheSame(_ entry: ChangeEntry) throws {
    let run = try expectSame(entry, "--yes")
    #expect(run.exit == .success && run.rows.count == 1 && run.calls.filter(\.isChange).map(\.verb) == entry.steps)
  }

  @Test(arguments: entries) func theDryRunIsTheSame(_ entry: ChangeEntry) throws {
    let run = try expectSame(entry, "--dry-run --exit-code")
    #expect(run.exit == .notYet && run.requests.count == 1)
  }

  @Test(arguments: entries, ["y", "n"]) func theQuestionIsTheSame(_ entry: ChangeEntry, _ answer: String) throws {
    // Without a question, nothing is typed.
    let asks = entry.phase == .forward && entry.verb == .apply
    let isIrreversible = entry.steps == [.disable]
    guard asks || isIrreversible else { return }
    let run = try expectSame(entry, answer: answer, isPending: isIrreversible)
    #expect(run.question?.contains("1 connection") == true, "\(run.question ?? "no question")")
    #expect(run.calls.contains(where: \.isChange) == (answer == "y"))
  }

  @Test(arguments: entries) func theFailuresAreTheSame(_ entry: ChangeEntry) throws {
    for fault in [
      ChangeServer.Fault.answer(422, "invalid_parameters"), .ineffective, .lost, .answer(500, "server_error"),
    ] {
      let run = try expectSame(entry, "--yes", fault: fault)
      #expect(run.rows.count == 1, "\(fault)")
    }
  }

  /// The credential that is documented for settings is missing, for the profile's own user or for the users of a file.
  @Test(
    arguments: ChangeEntry.all.filter { $0.audience == .users && !$0.isResumed && $0.changesSettings }, [true, false])
  func settingsNeedTheServiceKey(_ entry: ChangeEntry, _ isOverUsers: Bool) throws {
    let entry = ChangeEntry(
      verb: entry.verb, audience: isOverUsers ? .users : .own, phase: entry.phase, isResumed: false)
    let stage = try ChangeStage(entry)
    stage.home.environment["IFTTT_SERVICE_KEY"] = nil
    for options in ["--yes", "--dry-run --exit-code"] {
      let outcome = stage.home.run("\(stage.line) --jobs 1 --retries 0 -o json \(options)")
      #expect(outcome.exit == .credentials, "\(options): \(outcome.errors)")
      let error = try ChangeStage.error(outcome)
      #expect(error["code"]?.string == "credentials_missing", "\(error.text)")
      #expect(error.text.contains("needs a service key"), "\(error.text)")
      #expect(error["hint"]?.string?.contains("--as user") == true, "\(error.text)")
      #expect(stage.server.changes.isEmpty && stage.isAtStart)
    }
    #expect(stage.perform("--as user --jobs 1 -o json").exit == .success && stage.isAtGoal)
  }

  /// Without the token that changes a user's status, that user keeps the settings too.
  @Test(arguments: ChangeEntry.all.filter { $0.verb == .apply && $0.audience == .users && !$0.isResumed })
  func aUserWithoutATokenKeepsTheSettings(_ entry: ChangeEntry) throws {
    let stage = try ChangeStage(entry)
    #expect(stage.home.run("token remove u2 --yes").exit == .success)
    let outcome = stage.perform()
    #expect(outcome.exit == .partial, "\(outcome.errors)")
    let row = try #require(try stage.rows(outcome).first { $0.user == "u2" })
    #expect(row.code == "credentials_missing" && !row.isChanged)
    #expect(Set(stage.sent.keys) == ["u1 aa", "u3 aa"] && stage.has(stage.subjects[1], entry.start))
  }
}
