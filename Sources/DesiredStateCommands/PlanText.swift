import Batch
import CommandContext
import Connect
import DesiredState
import Display
import Hints
import World

/// Shows what a run would change to a person.
struct PlanText {
  let session: Session

  func show(_ plans: [ConnectionPlan]) {
    let terminal = session.world.terminal
    guard terminal.errorIsTerminal || session.options.isDryRun else { return }
    let color = useColor(
      session.options.color, environment: { session.world.environment[$0] }, isTerminal: terminal.errorIsTerminal)
    var text = DifferenceText(color: color)
    let lines = plans.flatMap { plan in plan.differences.map { text.lines($0, of: plan.present.name) } }
    if !lines.isEmpty { session.console.writeError(lines.joined()) }
  }

  /// Shows the plans, and prompts before they are executed.
  func confirm(_ plans: [ConnectionPlan]) throws {
    show(plans)
    let changing = plans.filter { !$0.isEmpty }
    guard !changing.isEmpty else { return session.console.noteEmpty("Nothing differs; nothing was sent.") }
    let removed = changing.flatMap(\.differences).count { $0.change == .removed }
    let removals = removed == 0 ? "" : ", \(removed == 1 ? "1 setting" : "\(removed) settings") removed"
    try session.console.confirm(
      "Change \(changing.count == 1 ? "1 connection" : "\(changing.count) connections")\(removals)?",
      details: changing.map { $0.id.description })
  }
}
