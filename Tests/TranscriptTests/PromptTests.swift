import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Prompts on a terminal, and the state in which they leave the terminal.
@Suite struct PromptTests {
  let home = Home()

  @Test func secretsAreReadWithoutEcho() throws {
    let running = try home.start(onTerminal: ["token", "set", "--user-id", "u-1"])
    #expect(running.read(until: "\r\nuser token: ").contains("'token set' needs a user token"))
    waitForSilence(running)
    running.type(Known.userToken + "\n")
    let rest = running.read(until: "status 0")
    #expect(!rest.contains(Known.userToken))
    #expect(running.echoes)
    running.type("\n")
    #expect(try home.run("token", "show", "--print").text == Known.userToken + "\n")
  }

  @Test(arguments: [("\u{3}", "status 130"), ("\u{4}", "status 4")])
  func leavingAPromptRestoresTheTerminal(_ key: String, _ status: String) throws {
    let running = try home.start(onTerminal: ["token", "set"])
    running.read(until: "\r\nuser token: ")
    waitForSilence(running)
    running.type(key)
    #expect(running.read(until: status).hasSuffix(status))
    #expect(running.echoes)
    running.type("\n")
    #expect(try home.run("token", "list", "--json").text == "[]\n")
    #expect(try home.isIntact())
  }

  @Test func aConfirmationCanBeInterrupted() throws {
    #expect(try home.run("profile", "create", "work").status == 0)
    let running = try home.start(onTerminal: ["profile", "remove", "work"])
    running.read(until: "[y/N] ")
    running.type("\u{3}")
    #expect(running.read(until: "status 130").hasSuffix("status 130"))
    running.type("\n")
    #expect(try home.run("profile", "show", "work").status == 0)
  }

  @Test(arguments: [("y", 0), ("", 1), ("n", 1), ("yes", 0)])
  func aConfirmationIsAnswered(_ answer: String, _ status: Int) throws {
    #expect(try home.run("profile", "create", "work").status == 0)
    let running = try home.start(onTerminal: ["profile", "remove", "work"])
    running.read(until: "[y/N] ")
    running.type(answer + "\n")
    #expect(running.read(until: "status \(status)").hasSuffix("status \(status)"))
    running.type("\n")
    #expect(try home.run("profile", "show", "work").status == (status == 0 ? 3 : 0))
  }

  @Test(arguments: [["--no-input"], []], ["CI", "NOTHING"])
  func nonInteractiveRunsDoNotPrompt(_ words: [String], _ variable: String) throws {
    guard !words.isEmpty || variable == "CI" else { return }
    let running = try home.start(onTerminal: ["token", "set"] + words, [variable: "true"])
    let text = running.read(until: "status 4")
    #expect(text.contains("pass --user-token-file FILE or set IFTTT_USER_TOKEN"))
    running.type("\n")
  }

  /// Wait for echo to be disabled, which happens after the prompt is printed.
  private func waitForSilence(_ running: Running) { waitUntil(!running.echoes) }
}
