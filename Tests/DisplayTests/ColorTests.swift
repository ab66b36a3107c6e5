import Display
import Testing

@Suite struct ColorTests {
  @Test(
    arguments: [
      (.always, ["NO_COLOR": "1", "TERM": "dumb"], false, true), (.never, ["CLICOLOR_FORCE": "1"], true, false),
      (.auto, [:], true, true), (.auto, [:], false, false), (.auto, ["NO_COLOR": "1"], true, false),
      (.auto, ["NO_COLOR": ""], true, true), (.auto, ["CLICOLOR_FORCE": "1"], false, true),
      (.auto, ["CLICOLOR_FORCE": "0"], false, false), (.auto, ["CLICOLOR_FORCE": ""], false, false),
      (.auto, ["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], true, false), (.auto, ["TERM": "dumb"], true, false),
      (.auto, ["TERM": "dumb", "CLICOLOR_FORCE": "1"], true, true), (.auto, ["TERM": "xterm"], true, true),
    ] as [(ColorChoice, [String: String], Bool, Bool)])
  func obeysOptionThenVariablesThenTerminal(
    choice: ColorChoice, environment: [String: String], isTerminal: Bool, expected: Bool
  ) {
    #expect(useColor(choice, environment: { environment[$0] }, isTerminal: isTerminal) == expected)
  }
}
