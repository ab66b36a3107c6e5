import Support
import Testing
import World

@Suite struct TestWorldTests {
  @Test func unprovidedEffectFailsTheTestByName() throws {
    let test = TestWorld()
    let effects: [(name: String, use: (World) throws -> Void)] = [
      ("the time was asked for", { _ = $0.clock.now() }),
      ("time was measured", { _ = $0.clock.monotonic() }),
      ("a sleep of 1.0 seconds began", { $0.clock.sleep(for: .seconds(1)) }),
      ("all of stdin was read", { _ = try $0.input.readAll(limit: 1) }),
      ("a line was read", { _ = try $0.input.readLine() }),
      ("a secret was asked for", { _ = try $0.input.readSecret(prompt: {}) }),
      ("4 random bytes were asked for", { _ = $0.random.bytes(4) }),
      (#"["id"] was run"#, { _ = try $0.processes.run(["id"], input: [], limit: .zero) }),
      ("a browser was opened at about:blank", { try $0.processes.openBrowser("about:blank") }),
      ("read was asked of /etc/hosts", { _ = try? $0.files.read("/etc/hosts", limit: 10_000) }),
    ]
    for (name, use) in effects {
      try withKnownIssue {
        try use(test.world)
      } matching: {
        $0.comments.contains { $0.rawValue.hasPrefix(name) }
      }
    }
  }

  @Test func filesAreLimitedToTheTestFolder() throws {
    let test = TestWorld(folder: TemporaryFolder())
    let home = try #require(test.world.environment[named: "IFTTT_HOME"])
    try test.world.files.replace("\(home)/file", with: [1], mode: 0o600)
    #expect(try test.world.files.read("\(home)/file", limit: 1) == [1])
    withKnownIssue { _ = try? test.world.files.status(home + "-beside") }
    test.files.failure = { operation, _ in operation == "read" ? SystemError(number: 5, call: "read") : nil }
    #expect(throws: SystemError(number: 5, call: "read")) { try test.world.files.read("\(home)/file", limit: 1) }
  }

  @Test func unusedInputFailsTheTest() {
    for input in [ScriptedInput.text("rest"), .typed(lines: ["y"]), .typed(secrets: ["s"])] {
      withKnownIssue { _ = TestWorld(input: input) }
    }
    withKnownIssue { try TestWorld().world.errors.write("note") }
    let test = TestWorld(input: .typed(lines: ["yes"], secrets: ["hidden"]), seed: 1)
    #expect(throws: Never.self) {
      #expect(try test.world.input.readSecret(prompt: {}) == "hidden")
      #expect(try test.world.input.readLine() == "yes")
      #expect(try test.world.input.readLine() == nil)
      try test.world.errors.write("a\n\nb")
    }
    #expect(test.errors.lines == ["a", "", "b"])
  }

  @Test func clockAdvancesOnlyOnRequest() {
    let test = TestWorld(now: Timestamp(milliseconds: 1000))
    test.world.clock.sleep(for: .milliseconds(250))
    test.clock.advance(by: .seconds(1))
    #expect(test.world.clock.now() == Timestamp(milliseconds: 2250))
    #expect(test.world.clock.monotonic() == .milliseconds(1250))
    #expect(test.clock.sleeps == [.milliseconds(250)])
  }

  @Test func randomBytesDependOnlyOnTheSeed() {
    #expect(TestWorld(seed: 7).world.random.bytes(16) == TestWorld(seed: 7).world.random.bytes(16))
    #expect(TestWorld(seed: 7).world.random.bytes(16) != TestWorld(seed: 8).world.random.bytes(16))
  }

  @Test func outputFailsAtTheRequestedByte() {
    let test = TestWorld()
    test.output.failure = (after: 3, error: SystemError(number: 28, call: "write"))
    #expect(throws: SystemError(number: 28, call: "write")) { try test.world.output.write("four") }
    #expect(test.output.text == "fou")
  }

  @Test func interruptArrivesAtTheRequestedCheck() {
    let test = TestWorld()
    #expect(!test.world.interruption.isInterrupted)
    test.interruption.interrupt(afterChecks: 1)
    #expect(!test.world.interruption.isInterrupted)
    #expect(test.world.interruption.isInterrupted)
  }

  @Test func programsReturnTheScriptedResults() throws {
    let test = TestWorld { (words, input) throws(SystemError) in
      guard words == ["cat"] else { throw SystemError(number: 2, call: words[0]) }
      return ProcessResult(status: 0, output: input)
    }
    #expect(try test.world.processes.run(["cat"], input: [7], limit: .seconds(1)).output == [7])
    #expect(throws: SystemError(number: 2, call: "dog")) {
      try test.world.processes.run(["dog"], input: [], limit: .seconds(1))
    }
    #expect(test.processes.runs.map(\.arguments) == [["cat"], ["dog"]])
    test.processes.browser = .success(())
    try test.world.processes.openBrowser("https://ifttt.com")
    #expect(test.processes.pages == ["https://ifttt.com"])
  }
}
