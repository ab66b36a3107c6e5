import Support
import Testing

/// The sessions in `Transcripts/Changes`, by the built program, with the server of `Servers/changes.py` and the plugin of
/// `Servers/lamps.sh`.
@Suite struct ChangeTranscriptTests {
  @Test func findsTheTranscripts() { #expect(Transcript.ofChanges.count >= 5) }

  @Test(arguments: Transcript.ofChanges) func matches(_ transcript: Transcript) throws {
    let changes = try ChangesHome()
    let users = (1...2).map { #"{"user_id":"u-\#($0)","access_token":"at_u-\#($0)_c0ffee"}"# + "\n" }
    changes.home.workplace.write("one-user.jsonl", users[0])
    changes.home.workplace.write("two-users.jsonl", users.joined())
    for step in transcript.steps {
      let outcome = try changes.home.run(step.words, step.environment, input: step.input)
      if let problem = step.difference(status: outcome.status, output: outcome.text, errors: outcome.errors) {
        Issue.record("\(transcript.name), \(problem)")
      }
    }
    let report = try changes.report()
    let strays = report.states.keys.filter { $0.user != LampsPlugin.name && LampsPlugin.ids.contains($0.id) }
    #expect(strays.isEmpty, "nothing of the provider is sent to IFTTT")
    switch transcript.name {
    case "confirmations": #expect(report.changes.map(\.id) == ["conf-skipped-1", "conf-skipped-1"])
    case "dry-runs": #expect(report.changes.isEmpty)
    case "lost-responses": #expect(Set(report.changes).count == report.changes.count, "each is sent once")
    default: break
    }
  }
}
