import JSON
import ProgramDriver
import Support
import Testing

@testable import Session

/// A plan file is executed only on the state that it was made from.
@Suite struct ChangePlanTests {
  private static let entry = ChangeEntry(verb: .plan, audience: .own, phase: .forward, isResumed: false)

  @Test(arguments: ["goal", "status", "settings", "pending", "gone"])
  func anyDifferenceIsAConflict(_ difference: String) throws {
    let stage = try ChangeStage(Self.entry)
    switch difference {
    case "goal": stage.server.states["u1 bb"] = Self.entry.goal
    case "status": stage.server.states["u1 bb"]?.status = "disabled"
    case "settings": stage.server.states["u1 bb"]?.name = "Garden"
    case "pending": stage.server.states["u1 bb"]?.isPending = true
    default: stage.server.states["u1 bb"] = nil
    }
    for options in ["-o json --yes", "-o json --dry-run"] {
      let outcome = stage.perform(options, confirms: false)
      #expect(outcome.exit == .failure && outcome.output == "", "\(outcome.output)")
      #expect(try ChangeStage.error(outcome)["code"]?.string == "conflict", "\(outcome.errors)")
      #expect(stage.server.changes == [])
    }
  }
}
