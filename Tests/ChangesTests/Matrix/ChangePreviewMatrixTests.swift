import JSON
import ProgramDriver
import Support
import Testing

@testable import Session

/// Rule 6 for every entry: a dry run has one row per subject, in the same form, and sends nothing.
@Suite struct ChangePreviewMatrixTests {
  @Test(arguments: ChangeEntry.entries(for: .dryRun)) func aDryRunShowsEachSubject(_ entry: ChangeEntry) throws {
    let stage = try ChangeStage(entry)
    let outcome = stage.perform("--dry-run --exit-code --jobs 1 -o json", confirms: false)
    #expect(outcome.exit == .notYet, "\(outcome.errors)")
    #expect(stage.server.changes == [] && stage.isAtStart)
    let rows = try ChangeStage.json(outcome.output)
    #expect(rows.map { $0["id"]?.string } == stage.subjects.map(\.id), "\(outcome.output)")
    for (row, subject) in zip(rows, stage.subjects) {
      #expect(row.object?.members.map(\.key) == ["id", "provider", "user_id", "before", "after", "requests"])
      #expect(row["provider"]?.string == subject.provider)
      #expect(row["user_id"]?.string == subject.user)
      #expect(row["before"]?["status"]?.string == entry.start.status, "\(row.text)")
      let isPartly = entry.isComparedLater
      #expect(row["after"]?["status"]?.string == entry.goal.status, "\(row.text)")
      if entry.changesSettings, entry.start.status == "enabled" {
        #expect(Self.names(row["before"]) == [entry.start.name], "\(row.text)")
        #expect(Self.names(row["after"]) == [entry.goal.name], "\(row.text)")
      }
      let steps = isPartly ? Array(entry.steps.prefix(1)) : entry.steps
      #expect(try Self.requests(row) == steps.map { Self.request($0, subject) }, "\(row.text)")
    }
    let announcement = "Would ask: \(entry.question(stage.subjects.count))"
    #expect(outcome.errors.contains("Would ask: ") == entry.asks, "\(outcome.errors)")
    #expect(!entry.asks || outcome.errors.contains(announcement), "\(outcome.errors)")
    // Nothing was recorded, so the entry still has everything to do.
    let done = stage.perform()
    #expect(done.exit == .success && stage.isAtGoal && stage.sent == stage.expected, "\(done.errors)")
  }

  /// The value of field `ft.name`, whichever address it has.
  private static func names(_ state: JSONValue?) -> [String] {
    (state?["fields"]?.object?.members ?? []).filter { $0.key.hasSuffix("name") }.compactMap(\.value.string)
  }

  private static func requests(_ row: JSONValue) throws -> [String] {
    try #require(row["requests"]?.array).map { request in
      let method = request["method"]?.string ?? ""
      if let id = request["params"]?["id"]?.string { return "\(method) \(id)" }
      #expect(request.object?.members.map(\.key) == ["method", "url", "headers", "body"])
      let path = request["url"]?.string?.split(separator: "?").first.map(String.init) ?? ""
      return "\(method) \(path)"
    }
  }

  private static func request(_ step: ChangeServer.Call.Verb, _ subject: ChangeEntry.Subject) -> String {
    if subject.provider != nil { return "connections/\(step.rawValue) \(subject.id.dropFirst("lamps:".count))" }
    if subject.id.hasPrefix("p") {
      return "POST https://api.ifttt.com/v1/services/lampost/applets/\(subject.id)/\(step.rawValue)"
    }
    let connection = "https://connect.ifttt.com/v2/connections/\(subject.id)"
    return step == .configure ? "PUT \(connection)/user_connection" : "POST \(connection)/\(step.rawValue)"
  }

  /// A dry run starts no plugin, so it would not see that others have changed something.
  @Test(arguments: ChangeEntry.entries(for: .nothingToDo).filter { $0.audience != .plugin })
  func aDryRunOfNothingSucceeds(_ entry: ChangeEntry) throws {
    let stage = try ChangeStage(entry)
    for subject in stage.subjects { stage.server.states[subject.key] = entry.goal }
    stage.home.wait(.seconds(3600))
    let outcome = stage.perform("--dry-run --exit-code -o json", confirms: false)
    #expect(outcome.exit == .success && stage.server.changes == [], "\(outcome.errors)")
    #expect(outcome.errors.contains("Nothing would be sent.") && !outcome.errors.contains("It would ask"))
    let rows = try ChangeStage.json(outcome.output)
    #expect(rows.count == stage.subjects.count, "an unchanged subject has a row too")
    #expect(rows.allSatisfy { $0["requests"]?.array?.isEmpty == true && $0["before"] == $0["after"] })
  }
}
