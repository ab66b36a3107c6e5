import Arguments
import Commands
import HTTP
import Support
import Testing
import World

/// Whole sessions with the sandbox, each run twice: within this process, and by the built program.
@Suite struct TranscriptTests {
  @Test func thereAreTranscripts() { #expect(Transcript.all.count >= 6) }

  @Test(arguments: Transcript.all)
  func asTheBuiltProgram(_ transcript: Transcript) throws {
    let home = Home(nil, ["IFTTT_PROFILE": "sandbox"])
    for step in transcript.steps {
      let outcome = try home.run(step.words, step.environment, input: step.input)
      if let problem = step.difference(status: outcome.status, output: outcome.text, errors: outcome.errors) {
        Issue.record("\(transcript.name), \(problem)")
      }
    }
  }

  @Test(arguments: Transcript.all)
  func inProcess(_ transcript: Transcript) throws {
    let folder = TemporaryFolder()
    for (number, step) in transcript.steps.enumerated() {
      let environment = ["IFTTT_HOME": folder.path, "IFTTT_PROFILE": "sandbox", "LC_ALL": "C.UTF-8"]
      let world = TestWorld(
        environment: environment.merging(step.environment) { $1 },
        now: Timestamp(milliseconds: 1_800_000_000_000 + Int64(number) * 1000), input: .text(step.input ?? ""),
        folder: folder, seed: UInt64(number + 1))
      let code = Program.run(step.words.map { Word($0) }, world: world.world) { _ in
        Issue.record("\(transcript.name), line \(step.line): the network was asked for")
        return OfflineTransport()
      }
      let problem = step.difference(status: code.rawValue, output: world.output.text, errors: world.errors.text)
      if let problem { Issue.record("\(transcript.name), \(problem)") }
    }
  }
}
