import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What is asked for on a terminal, and how the terminal is left.
@Suite struct PromptTests {
  let home = Home()

  @Test func aSecretIsAskedForWithoutEcho() throws {
    let running = try home.start(onTerminal: ["token", "set", "--user-id", "u-1"])
    #expect(running.read(until: ": ").hasSuffix("user token: "))
    waitForSilence(running)
    running.type(Known.userToken + "\n")
    let rest = running.read(until: "status 0")
    #expect(!rest.contains(Known.userToken))
    #expect(running.echoes)
    running.type("\n")
    #expect(try home.run("token", "show", "--print").text == Known.userToken + "\n")
  }

  @Test(arguments: [("\u{3}", "status 130"), ("\u{4}", "status 4")])
  func leavingThePromptLeavesTheTerminalAsItWas(_ key: String, _ status: String) throws {
    let running = try home.start(onTerminal: ["token", "set"])
    running.read(until: "user token: ")
    waitForSilence(running)
    running.type(key)
    #expect(running.read(until: status).hasSuffix(status))
    #expect(running.echoes)
    running.type("\n")
    #expect(try home.run("token", "list", "--json").text == "[]\n")
    #expect(try home.isIntact())
  }

  @Test func aQuestionCanBeInterrupted() throws {
    #expect(try home.run("profile", "create", "work").status == 0)
    let running = try home.start(onTerminal: ["profile", "remove", "work"])
    running.read(until: "[y/N] ")
    running.type("\u{3}")
    #expect(running.read(until: "status 130").hasSuffix("status 130"))
    running.type("\n")
    #expect(try home.run("profile", "show", "work").status == 0)
  }

  @Test(arguments: [("y", 0), ("", 1), ("n", 1), ("yes", 0)])
  func aQuestionIsAnswered(_ answer: String, _ status: Int) throws {
    #expect(try home.run("profile", "create", "work").status == 0)
    let running = try home.start(onTerminal: ["profile", "remove", "work"])
    running.read(until: "[y/N] ")
    running.type(answer + "\n")
    #expect(running.read(until: "status \(status)").hasSuffix("status \(status)"))
    running.type("\n")
    #expect(try home.run("profile", "show", "work").status == (status == 0 ? 3 : 0))
  }

  @Test(arguments: [["--no-input"], []], ["CI", "NOTHING"])
  func whereNobodyAnswersNothingIsAsked(_ words: [String], _ variable: String) throws {
    guard !words.isEmpty || variable == "CI" else { return }
    let running = try home.start(onTerminal: ["token", "set"] + words, [variable: "true"])
    let text = running.read(until: "status 4")
    #expect(text.contains("--user-token-file FILE or IFTTT_USER_TOKEN"))
    running.type("\n")
  }

  /// The prompt comes before the echo goes.
  private func waitForSilence(_ running: Running) { while running.echoes { sched_yield() } }
}
