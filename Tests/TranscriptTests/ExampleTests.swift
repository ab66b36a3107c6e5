import Foundation
import Support
import Testing

/// The first example of each command's help page, as transcripts.
@Suite struct ExampleTests {
  /// The first examples that are in no transcript, each with the reason.
  static let exempt = [
    "sandbox start --ready-file ready.json": "it runs until it is stopped; the cookbook starts it",
    "init": "it prompts; InitTests types the responses",
    "service listen": "it runs until it is stopped; WebhookListenTests starts it",
    "service events show 1 --json": "it needs a received webhook, as in ServiceEventsTests",
    "service events replay 1 --forward http://localhost:3000": "it needs a received webhook and a server, as above",
  ]

  /// Sessions with the sandbox in a working folder with the files that the examples name. A plugin's environment has no
  /// setting that stops the leak report of the address sanitizer, so a plugin that runs the program is not run with it.
  @Test(arguments: Transcript.examples.filter { $0.name != "ifttt-hello" || Sanitizer.active != .address })
  func matchesTheBuiltProgram(_ transcript: Transcript) throws {
    let home = Home(nil, ["IFTTT_PROFILE": "sandbox"])
    // A plugin that is tested needs Python.
    home.environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
    home.workplace.write("key.txt", "a-service-key-for-an-example\n")
    home.workplace.write("acme.pub", SamplePublicKey.text)
    home.workplace.write("users.csv", "user_id,access_token\nu-5521,at_7f20c1\n")
    let files = [
      "walk.gpx": "location/walk.gpx", "connections.json": "connections.json", "ifttt-hello": "plugins/ifttt-hello",
      "ifttt-feeds": "plugins/feeds",
    ]
    for (name, path) in files {
      try FileManager.default.copyItem(atPath: Checkout.path("Examples/\(path)"), toPath: home.workplace[name])
    }
    try check(transcript, in: home)
  }

  @Test(arguments: Transcript.withServer) func matchesWithAServer(_ transcript: Transcript) throws {
    let server = try SandboxServer()
    server.home.environment.merge(server.environment) { $1 }
    try check(transcript, in: server.home, url: server.url)
  }

  private static let shownURL = "http://127.0.0.1:PORT"

  private func check(_ transcript: Transcript, in home: Home, url: String = Self.shownURL) throws {
    for step in transcript.steps {
      let outcome = try home.run(step.words, step.environment, input: step.input)
      let problem = step.difference(
        status: outcome.status, output: outcome.text.replacingOccurrences(of: url, with: Self.shownURL),
        errors: outcome.errors.replacingOccurrences(of: url, with: Self.shownURL))
      if let problem { Issue.record("\(transcript.name), \(problem)") }
    }
  }

  /// A command without examples must be in a transcript with any arguments.
  @Test func everyFirstExampleIsInATranscript() throws {
    let transcripts = Transcript.all + Transcript.inBrowser + Transcript.examples + Transcript.withServer
    let lines = transcripts.flatMap(\.steps).filter { $0.status == 0 }.map(\.words)
    let outcome = try Home().run("help", "--json", "--no-plugins")
    let commands = try JSONDecoder().decode(Command.self, from: Data(outcome.output)).commands
    #expect(commands.count > 60)
    var unusedExemptions = Set(Self.exempt.keys)
    for command in commands {
      guard let example = command.examples.first?.arguments else {
        let path = command.path.dropFirst()
        #expect(lines.contains { $0.starts(with: path) }, "no transcript of: \(path.joined(separator: " "))")
        continue
      }
      if unusedExemptions.remove(example) != nil { continue }
      let words = try Transcript.split(example[...])
      #expect(lines.contains(words), "no transcript of the example: \(example)")
    }
    #expect(unusedExemptions.isEmpty)
  }

  /// A command of `help --json`.
  private struct Command: Decodable {
    struct Example: Decodable { let arguments: String }
    let path: [String]
    let examples: [Example]
    let subcommands: [Command]

    /// The command, or the commands below a noun.
    var commands: [Command] { subcommands.isEmpty ? [self] : subcommands.flatMap(\.commands) }
  }
}
