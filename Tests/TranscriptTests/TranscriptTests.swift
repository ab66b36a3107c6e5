import CommandLine
import Commands
import Foundation
import HTTP
import Session
import Support
import Testing
import World

/// Complete sessions with the sandbox, each run in process and by the built program.
@Suite struct TranscriptTests {
  /// The transcripts of which ``matchesOverLoopback(_:)`` leaves something out.
  private static let beyondLoopback = Transcript.all.filter { $0.exceedsLoopback }

  @Test func findsTheTranscripts() { #expect(Transcript.all.count >= 6 && Self.beyondLoopback.count >= 3) }

  /// With the sandbox profile. The steps of all other transcripts are matched with the built program over loopback.
  @Test(arguments: beyondLoopback)
  func matchesTheBuiltProgram(_ transcript: Transcript) throws {
    let home = Home(nil, ["IFTTT_PROFILE": "sandbox"].merging(transcript.environment) { $1 })
    for step in transcript.steps {
      let outcome = try home.run(step.words, step.environment, input: step.input)
      if let problem = step.difference(status: outcome.status, output: outcome.text, errors: outcome.errors) {
        Issue.record("\(transcript.name), \(problem)")
      }
    }
  }

  /// The emulator behind a real socket with a real client: the results are the same as in process.
  @Test(arguments: Transcript.all)
  func matchesOverLoopback(_ transcript: Transcript) throws {
    let server = try SandboxServer(options: transcript.seed.map { ["--seed", $0] } ?? [])
    // The emulator in the program accepts the credentials of its own fixtures, so this profile uses those too.
    let home = Home(nil, server.environment.filter { $0.key.hasSuffix("_URL") })
    let world = server.environment
    let made = try home.run(
      ["profile", "create", "loopback", "--use", "--service", world["IFTTT_SERVICE"] ?? "", "--user-id", "u-5521"])
    #expect(made.status == 0, "\(made.errors)")
    for name in ["IFTTT_SERVICE_KEY", "IFTTT_USER_TOKEN", "IFTTT_ACCESS_TOKEN", "IFTTT_INVITE_CODE"] {
      home.environment[name] = world[name]
    }
    #expect(try home.run(["connections", "add", "--quiet", "--offline"] + Self.tracked).status == 0)
    for step in transcript.steps where !step.isAboutProfiles {
      // If a step names a user, the token is saved, but the environment's token would take precedence.
      let given = step.words.contains("--user-id") ? ["IFTTT_USER_TOKEN": ""] : [:]
      let outcome = try home.run(step.words, given.merging(step.environment) { $1 }, input: step.input)
      let (text, errors) = (Self.asInTheSandbox(outcome.text, server), Self.asInTheSandbox(outcome.errors, server))
      if let problem = step.difference(status: outcome.status, output: text, errors: errors) {
        Issue.record("\(transcript.name), \(problem)")
      }
    }
  }

  private static let tracked = [
    "Kd7Rn2Qx", "Fq3Lw8Zt", "pT5vXb2M", "Rw9Ky4Hc", "Wd5Po8Rk", "Xe2Gf9Ln", "Ud6Jn1Gs", "Yb8Cz3Ve", "Mh4Ts7Aq",
  ]

  private static func asInTheSandbox(_ text: String, _ server: SandboxServer) -> String {
    text.replacingOccurrences(of: server.url, with: "https://connect.ifttt.com")
      .replacingOccurrences(of: #""profile":"loopback""#, with: #""profile":"sandbox""#)
  }

  @Test func findsTheBrowserTranscripts() { #expect(Transcript.inBrowser.count >= 2) }

  /// A server whose pages connect every user immediately, and a browser that follows redirects.
  @Test(arguments: Transcript.inBrowser)
  func matchesWithABrowser(_ transcript: Transcript) throws {
    let server = try SandboxServer("--outcome", "complete")
    let home = server.user()
    let script = try #require(Bundle.module.resourceURL).appendingPathComponent("Servers/browser.py").path
    home.environment["BROWSER"] =
      "\(try Tool.required("python3").path) -B \(script) follow \(home.folder.path)/seen %s"
    for step in transcript.steps {
      let outcome = try home.run(step.words, step.environment, input: step.input)
      let errors = outcome.errors.replacingOccurrences(of: server.url, with: "https://ifttt.com")
      if let problem = step.difference(status: outcome.status, output: outcome.text, errors: errors) {
        Issue.record("\(transcript.name), \(problem)")
      }
    }
  }

  @Test(arguments: Transcript.all)
  func matchesInProcess(_ transcript: Transcript) throws {
    let folder = TemporaryFolder()
    for (number, step) in transcript.steps.enumerated() {
      let environment = ["IFTTT_HOME": folder.path, "IFTTT_PROFILE": "sandbox", "LC_ALL": "C.UTF-8"]
        .merging(transcript.environment) { $1 }
      let world = TestWorld(
        environment: environment.merging(step.environment) { $1 },
        now: Timestamp(milliseconds: 1_800_000_000_000 + Int64(number) * 1000), input: .text(step.input ?? ""),
        folder: folder, seed: UInt64(number + 1))
      let code = Program.run(step.words.map { RawArgument($0) }, world: world.world) { world in
        Issue.record("\(transcript.name), line \(step.line): the network was used")
        return OfflineTransport(world: world)
      }
      let problem = step.difference(status: code.rawValue, output: world.output.text, errors: world.errors.text)
      if let problem { Issue.record("\(transcript.name), \(problem)") }
    }
  }
}

extension Transcript.Step {
  /// Whether the step shows the profiles, whose list depends on the profile in use.
  fileprivate var isAboutProfiles: Bool { words.contains("profile") || words.contains("--profile") }
}

extension Transcript {
  /// Whether it has steps about profiles, or a seed, which the sandbox profile reads from a variable.
  fileprivate var exceedsLoopback: Bool { seed != nil || steps.contains(where: \.isAboutProfiles) }
}
