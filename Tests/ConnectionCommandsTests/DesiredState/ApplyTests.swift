import HTTP
import ProgramDriver
import Support
import Testing

@testable import Session

/// Applying a file of connections, plans, permissions and undo.
@Suite struct ApplyTests {
  private let home = Home()

  private func write(_ connections: String...) -> String {
    home.folder.write(
      "connections.json", #"{"version":1,"connections":[\#(connections.joined(separator: ","))]}"#)
  }

  @discardableResult
  private func apply(_ connections: String..., options: String = "--yes") -> Home.Outcome {
    let file = home.folder.write(
      "connections.json", #"{"version":1,"connections":[\#(connections.joined(separator: ","))]}"#)
    return home.sandbox("connections apply \(file) -o csv --no-header --fields id,status,changed \(options)")
  }

  private func export() -> String { home.sandbox("connections export --all --max-age 0").output }

  private static let scene = #"{"feature":"mw4tq9hzjc","fields":{"scene":"Evening"}}"#
  private static let disabling = #"{"id":"Kd7Rn2Qx","status":"disabled","features":[\#(scene)]}"#

  @Test func onlyDifferencesAreSent() {
    let enabling = #"{"id":"Xe2Gf9Ln","status":"enabled"}"#
    let first = apply(Self.disabling, enabling, #"{"id":"Rw9Ky4Hc","status":"enabled"}"#)
    #expect(first.output == "Kd7Rn2Qx,disabled,true\nXe2Gf9Ln,enabled,true\nRw9Ky4Hc,enabled,false\n")
    #expect(first.exit == .success, "\(first.errors)")
    let second = apply(Self.disabling, enabling)
    #expect(second.output == "Kd7Rn2Qx,disabled,false\nXe2Gf9Ln,enabled,false\n" && second.exit == .success)
    let plan = home.sandbox("connections apply \(write(Self.disabling)) --dry-run --exit-code --json")
    #expect(plan.lines.count == 3 && plan.lines[1].hasSuffix(#""requests":[]}"#), "\(plan.output)")
    #expect(plan.exit == .success && plan.errors.contains("Nothing would be sent."))
    let states = home.sandbox(
      "connections apply \(write(Self.disabling)) --dry-run -o csv --no-header --fields id,before.status,after.status")
    #expect(states.output == "Kd7Rn2Qx,disabled,disabled\n")
  }

  /// A connection is enabled before its settings can be seen, and an undo restores what was seen then.
  @Test func undoRevertsStatusAndSettings() {
    let before = export()
    apply(Self.disabling)
    let between = export()
    #expect(
      apply(#"{"id":"Kd7Rn2Qx","status":"enabled","features":[{"feature":"mw4tq9hzjc","fields":{"scene":"sc_03"}}]}"#)
        .output == "Kd7Rn2Qx,enabled,true\n")
    #expect(export().contains(#""scene": "sc_03""#))
    #expect(home.sandbox("connections undo").exit == .success)
    #expect(export() == between)
    #expect(home.sandbox("connections enable Kd7Rn2Qx").exit == .success)
    #expect(export().contains(#""scene": "sc_01""#), "the settings of the first run")
    apply(#"{"id":"Kd7Rn2Qx","features":[{"feature":"mw4tq9hzjc","fields":{"scene":"sc_04"}}]}"#)
    #expect(export() == before)
  }

  @Test func aRedoAppliesAgain() {
    let before = export()
    apply(Self.disabling)
    let applied = export()
    let undo = home.sandbox("connections undo -o csv --no-header --fields id,status,changed")
    #expect(undo.output == "Kd7Rn2Qx,enabled,true\n" && undo.exit == .success, "\(undo.errors)")
    #expect(export() == before)
    #expect(home.sandbox("connections undo").exit == .notFound, "nothing is left to undo")
    let redo = home.sandbox("connections redo -o csv --no-header --fields id,status,changed")
    #expect(redo.output == "Kd7Rn2Qx,disabled,true\n" && redo.exit == .success, "\(redo.errors)")
    #expect(export() == applied)
    #expect(home.sandbox("connections redo").exit == .notFound, "nothing is left to redo")
    #expect(home.sandbox("connections undo").exit == .success)
    #expect(export() == before)
  }

  @Test func whatOthersChangedSinceFailsInAnUndo() {
    let before = export()
    apply(#"{"id":"Kd7Rn2Qx","features":[\#(Self.scene)]}"#)
    let body = home.folder.write("body.json", #"{"user_features":[]}"#)
    let put = home.sandbox("api PUT /v2/connections/Kd7Rn2Qx/user_connection --input \(body)")
    #expect(put.exit == .success, "\(put.errors)")
    let changed = export()
    let failed = home.sandbox("connections undo --json --fields id,status,changed,error.code")
    #expect(failed.exit == .failure && failed.errors.contains("was changed by others since"), "\(failed.errors)")
    #expect(
      failed.lines == [
        "[", #"{"id":"Kd7Rn2Qx","status":"enabled","changed":false,"error.code":"conflict"}"#, "]",
      ])
    #expect(export() == changed)
    #expect(home.sandbox("connections undo --force --yes").exit == .success)
    #expect(export() == before)
  }

  @Test func removalsNeedPermission() {
    // The user of the sandbox configured this feature twice.
    let fewer = #"{"id":"Fq3Lw8Zt","features":[{"feature":"r2pzk8ydqn"}]}"#
    let before = export()
    let rejected = apply(fewer)
    #expect(rejected.exit == .failure && rejected.output == "")
    #expect(rejected.errors.contains("would remove") && rejected.errors.contains("--allow-removal"))
    #expect(export() == before)
    #expect(apply(fewer, options: "--yes --allow-removal").output == "Fq3Lw8Zt,enabled,true\n")
    #expect(home.sandbox("connections undo").exit == .success)
  }

  @Test func pruningNeedsPermission() {
    let remaining = #"{"id":"Kd7Rn2Qx"}"#
    let rejected = apply(remaining, options: "--yes --prune")
    #expect(rejected.exit == .failure && rejected.output == "")
    #expect(rejected.errors.contains("--prune would disable 4 connections"))
    let pruned = apply(remaining, options: "--yes --prune --allow-removal")
    #expect(pruned.exit == .success, "\(pruned.errors)")
    #expect(pruned.errors.contains("Once disabled, Yb8Cz3Ve cannot be enabled again"))
    #expect(pruned.output.hasSuffix("Kd7Rn2Qx,enabled,false\n") && pruned.lines.count == 5)
    #expect(home.sandbox("connections list --status enabled --fields id --no-header").output == "Kd7Rn2Qx\n")
    let undone = home.sandbox("connections undo")
    #expect(undone.exit == .partial && undone.errors.contains("'Yb8Cz3Ve' was disabled before it was configured"))
  }

  /// What another shard applies is in the file, so it is not surplus here.
  @Test(arguments: ["1/2", "2/2"]) func aShardPrunesNothingThatIsInTheFile(_ shard: String) {
    let file = home.folder.write("connections.json", export())
    let pruned = home.sandbox(
      "connections apply \(file) --prune --allow-removal --yes --shard \(shard) --json --fields changed")
    #expect(pruned.exit == .success && !pruned.output.contains("true"), "\(pruned.output)")
    let all = ["1/2", "2/2"].map {
      home.sandbox("connections diff \(write("")) --prune --shard \($0) -o tsv --no-header")
    }
    #expect(all.flatMap(\.lines).count == 5 && all.allSatisfy { !$0.lines.isEmpty }, "each is in one shard")
  }

  @Test func nothingIsSentIfAnythingIsInvalid() {
    let before = export()
    let wrong = apply(
      #"{"id":"Xe2Gf9Ln","status":"enabled"}"#,
      #"{"id":"Kd7Rn2Qx","features":[{"feature":"mw4tq9hzjc","fields":{"scene":"Dusk"}}]}"#)
    #expect(wrong.exit == .failure && wrong.output == "")
    #expect(wrong.errors.contains("connections[1].features[0].fields.scene: 'Dusk' is not an option"))
    #expect(export() == before)
  }

  @Test func oneFailureDoesNotStopTheRest() {
    let outcome = apply(
      #"{"id":"nope","status":"enabled"}"#, #"{"id":"Ud6Jn1Gs","status":"enabled"}"#,
      #"{"id":"Xe2Gf9Ln","status":"enabled"}"#)
    #expect(outcome.exit == .partial)
    #expect(outcome.output == "nope,unknown,false\nUd6Jn1Gs,never_enabled,false\nXe2Gf9Ln,enabled,true\n")
  }

  @Test func confirmationIsNeeded() {
    let outcome = apply(Self.disabling, options: "")
    #expect(outcome.exit == .failure && outcome.errors.contains("Change 1 connection?"))
    let refused = home.sandbox("connections apply \(write(Self.disabling)) --json")
    #expect(refused.exit == .failure && refused.output == "")
    #expect(refused.errors.contains(#""code":"confirmation_required""#) && refused.errors.contains("--yes'."))
    home.terminal = .interactive()
    let file = write(Self.disabling)
    let declined = home.sandbox("connections apply \(file)", input: .typed(lines: ["n"]))
    #expect(declined.errors.contains("~ mw4tq9hzjc.scene (Scene): sc_04 → sc_01"))
    #expect(declined.exit == .failure && declined.errors.contains("nothing was changed"))
  }

  // MARK: Plans

  @Test func aPlanIsExecutedOnceAndOnlyAsItWasMade() {
    let file = write(Self.disabling)
    let plan = "\(home.folder.path)/reviewed.plan"
    #expect(home.sandbox("connections diff \(file) --plan-out \(plan) --exit-code").exit == .notYet)
    let before = export()
    home.sandbox("connections disable Rw9Ky4Hc")
    let planned = home.sandbox("connections apply --plan \(plan) --dry-run --json")
    #expect(planned.lines.count == 3 && planned.output.contains("/v2/connections/Kd7Rn2Qx/disable"))
    home.sandbox("configure Kd7Rn2Qx --set mw4tq9hzjc.scene=sc_03")
    let outdated = home.sandbox("connections apply --plan \(plan) --yes --json")
    #expect(outdated.exit == .failure && outdated.errors.contains(#""code":"conflict""#), "\(outdated.errors)")
    #expect(outdated.output == "" && export().contains(#""scene": "sc_03""#))
    home.sandbox("configure Kd7Rn2Qx --set mw4tq9hzjc.scene=sc_04")
    home.sandbox("connections enable Rw9Ky4Hc")
    #expect(export() == before)
    #expect(home.sandbox("connections apply --plan \(plan) --yes").exit == .success)
    #expect(home.sandbox("connections apply --plan \(plan) --yes").exit == .failure, "it is done")
  }

  @Test func aPlanHasItsPermissions() {
    let file = write(#"{"id":"Kd7Rn2Qx"}"#)
    let plan = "\(home.folder.path)/reviewed.plan"
    #expect(home.sandbox("connections diff \(file) --prune --json").lines.count == 6, "shown without permission")
    let rejected = home.sandbox("connections diff \(file) --prune --plan-out \(plan)")
    #expect(rejected.exit == .failure && rejected.errors.contains("--allow-removal"))
    #expect(home.sandbox("connections diff \(file) --prune --allow-removal --plan-out \(plan)").exit == .success)
    #expect(home.sandbox("connections apply --plan \(plan) --allow-removal").exit == .usage)
    #expect(home.sandbox("connections apply --plan \(plan) --yes").exit == .success)
    #expect(home.sandbox("connections list --status enabled --fields id --no-header").output == "Kd7Rn2Qx\n")
  }

  @Test func exactlyOneSourceIsGiven() {
    #expect(home.sandbox("connections apply").exit == .usage)
    #expect(home.sandbox("connections apply a.json --resume").exit == .usage)
    #expect(home.sandbox("connections apply --resume --prune").exit == .usage)
    #expect(home.sandbox("connections apply --resume").exit == .notFound)
  }
}
