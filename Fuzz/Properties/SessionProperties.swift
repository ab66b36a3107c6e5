import PluginProtocol
import Plugins

/// The state machine of the session with a plugin, whatever the plugin sends and whenever: it never acts in a state
/// that forbids it, every request of the program gets exactly one result, and every request of the plugin one
/// response.
///
/// The input is a list of steps of both sides. The same steps with the plugin's bytes one by one have the same effect.
enum SessionProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    var choices = InputChoices(bytes)
    let steps = SessionStep.list(&choices)
    guard var whole = SessionModel(), var split = SessionModel() else { return "the name is rejected" }
    for step in steps {
      if let problem = whole.perform(step, splitting: false) { return problem }
      _ = split.perform(step, splitting: true)
      guard whole.history == split.history else { return "split input leads to different actions" }
    }
    return whole.end()
  }
}

/// One step of a session.
enum SessionStep {
  /// The program sends a request, cancels it, or responds to the oldest request of the plugin.
  case call(method: String, holding: Bool)
  case cancel, answer(succeeds: Bool)
  /// Time passes.
  case pass(Duration)
  case plugin(PluginOutput)
  case died

  static func list(_ choices: inout InputChoices) -> [SessionStep] {
    var steps: [SessionStep] = []
    while !choices.isAtEnd, steps.count < 100 {
      switch choices.number(below: 16) {
      case 0: steps.append(.call(method: choices.one(of: PluginOutput.capabilities), holding: choices.flag()))
      case 1: steps.append(.cancel)
      case 2, 3: steps.append(.answer(succeeds: choices.flag()))
      case 4: steps.append(.pass(.milliseconds(Int(choices.byte()) * 40)))
      case 5: steps.append(.pass(.seconds(Int(choices.byte()) * 60)))
      case 6: steps.append(.died)
      default: steps.append(.plugin(PluginOutput(&choices)))
      }
    }
    return steps
  }
}
