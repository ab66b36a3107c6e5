import Output
import Testing
import World

@Suite struct ColorTests {
  @Test(
    arguments: [
      (.always, ["NO_COLOR": "1", "TERM": "dumb"], false, true), (.never, ["CLICOLOR_FORCE": "1"], true, false),
      (.auto, [:], true, true), (.auto, [:], false, false), (.auto, ["NO_COLOR": "1"], true, false),
      (.auto, ["NO_COLOR": ""], true, true), (.auto, ["CLICOLOR_FORCE": "1"], false, true),
      (.auto, ["CLICOLOR_FORCE": "0"], false, false), (.auto, ["CLICOLOR_FORCE": ""], false, false),
      (.auto, ["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], true, false), (.auto, ["TERM": "dumb"], true, false),
      (.auto, ["TERM": "dumb", "CLICOLOR_FORCE": "1"], true, true), (.auto, ["TERM": "xterm"], true, true),
      (.auto, ["FORCE_COLOR": "1"], false, true), (.auto, ["FORCE_COLOR": "true", "TERM": "dumb"], false, true),
      (.auto, ["FORCE_COLOR": ""], false, false), (.auto, ["FORCE_COLOR": "0"], true, false),
      (.auto, ["FORCE_COLOR": "1", "NO_COLOR": "1"], true, false), (.never, ["FORCE_COLOR": "1"], true, false),
      (.auto, ["CLICOLOR": "0"], true, false), (.auto, ["CLICOLOR": "1"], true, true),
      (.auto, ["CLICOLOR": "1"], false, false), (.auto, ["CLICOLOR": "0", "FORCE_COLOR": "1"], false, true),
      (.auto, ["CLICOLOR": "0", "CLICOLOR_FORCE": "1"], false, true), (.always, ["CLICOLOR": "0"], false, true),
      (.auto, ["CI": "true"], true, false), (.auto, ["CI": ""], true, true),
      (.auto, ["CI": "true", "FORCE_COLOR": "1"], false, true), (.always, ["CI": "true"], false, true),
      (.auto, ["CI": "true", "CLICOLOR_FORCE": "1"], false, true),
    ] as [(ColorChoice, [String: String], Bool, Bool)])
  func optionTakesPrecedenceThenVariablesThenTerminal(
    choice: ColorChoice, environment: [String: String], isTerminal: Bool, expected: Bool
  ) {
    #expect(useColor(choice, environment: Environment(environment), isTerminal: isTerminal) == expected)
  }
}
