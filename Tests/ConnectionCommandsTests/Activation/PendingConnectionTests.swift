import IFTTT
import ProgramDriver
import Support
import Testing
import World

@testable import Commands
@testable import Session

/// A connection whose configuration was skipped: how it is shown, what is rejected, and how to configure it later.
@Suite struct PendingConnectionTests {
  let home = Lamps.home()
  private static let empty = #"{"user_features":[]}"#
  private static let off = #"{"user_features":[{"id":"u1","feature_id":"ft","enabled":false}]}"#

  /// Leaves the connection as an activation that skipped the configuration does.
  private func markPending(in home: Home? = nil) throws {
    let home = home ?? self.home
    home.run("connections add cc", answers: Server().answering(200, Lamps.connection(Self.off)))
    let test = TestWorld(environment: home.environment, now: home.now, folder: home.folder, seed: 7)
    let session = Session(
      world: test.world, options: GlobalOptions(), path: [], provenance: [], tree: Root.tree,
      transport: { _ in Server().transport(clock: test.clock) })
    try session.storage.pendingConnections.mark(#require(ConnectionID(parsing: "cc")))
  }

  private func status(_ words: String, _ answer: String) -> String {
    let words = "\(words) -o csv --no-header --fields status,pending --max-age 0"
    return home.run(words, answers: Server().answering(200, answer)).output
  }

  @Test func aPendingConnectionIsRememberedAndShown() throws {
    #expect(status("connections show cc", Lamps.connection(Self.off)) == "enabled,false\n")
    try markPending()
    #expect(status("connections show cc --track", Lamps.connection(Self.off)) == "enabled,true\n")
    #expect(status("connections list", Lamps.connection(nil)) == "enabled,true\n")
    #expect(status("connections list", Lamps.connection(nil, status: "disabled")) == "disabled,true\n")
    #expect(status("connections wait cc --for pending=true", Lamps.connection(nil)) == "enabled,true\n")
    #expect(home.run("connections list").output.contains("enabled (pending)"))
    let card = home.run("connections show cc", answers: Server().answering(200, Lamps.connection(Self.off)))
    #expect(card.output.contains("enabled (pending: its configuration was skipped)"))
  }

  @Test func enabledSettingsEndPending() throws {
    try markPending()
    #expect(status("connections show cc", Lamps.connection()) == "enabled,false\n")
    #expect(status("connections show cc", Lamps.connection(Self.off)) == "enabled,false\n", "it is cleared")
  }

  @Test func aDeletedConnectionIsNotPending() throws {
    try markPending()
    #expect(status("connections show cc", Lamps.connection(nil, status: "never_enabled")) == "never_enabled,false\n")
  }

  @Test func aConnectionWithoutSettingsIsPending() {
    #expect(status("connections show cc", Lamps.connection(Self.empty)) == "enabled,true\n")
    #expect(status("connections show cc", Lamps.connection(Self.empty, status: "disabled")) == "disabled,false\n")
  }

  @Test(arguments: ["run cc tides.add", "query cc list", "test cc location.enter"])
  func aPendingConnectionsStepsCannotBeUsed(words: String) throws {
    try markPending()
    let run = home.run("connections \(words)")
    #expect(
      run.errors == """
        ifttt: connection 'cc' is pending
          its configuration was skipped, so it does not run yet
          Configure it: 'ifttt configure cc'.

        """)
    #expect(run.exit == .failure)
  }

  @Test func aReplayRemembersThePendingState() throws {
    try markPending()
    home.environment["TMPDIR"] = home.folder.path
    let recorded = home.run(
      "connections run cc add --record \(home.folder["r"])",
      answers: Server().answering(200, Lamps.connection(Self.off)))
    #expect(recorded.notes.contains("ifttt: connection 'cc' is pending"))
    let replayed = home.run("connections run cc add --replay \(home.folder["r"])")
    #expect(replayed.notes.contains("ifttt: connection 'cc' is pending"))
    #expect(replayed.exit == .failure)
  }

  @Test func configuringEndsPending() throws {
    try markPending()
    let server = Server().answering(200, Lamps.connection(nil)).answering(204).answering(
      200,
      Lamps.connection(
        #"{"user_features":[{"id":"u1","feature_id":"gx","enabled":true,"user_feature_triggers":[{"feature_trigger_id":"t2","user_fields":[{"field_id":"place","value":{"lat":1,"lng":2}}]}]}]}"#
      ))
    let run = home.run("configure cc --set gx.place=1,2", answers: server)
    #expect(run.exit == .success)
    #expect(status("connections list", Lamps.connection(nil)) == "enabled,false\n")
  }

  @Test func decliningEveryFeatureLeavesItPending() throws {
    try markPending()
    home.terminal = .interactive()
    let server = Server().answering(200, Lamps.connection(Self.empty)).answering(200, Lamps.sceneOptions)
      .answering(200, Lamps.actionOptions)
    let run = home.run("configure cc", input: .typed(lines: ["", ""]), answers: server)
    #expect(
      run.errors.hasSuffix(
        "There is nothing to change.\nNo feature is enabled, so connection 'cc' stays pending.\n"))
    #expect(run.exit == .success)
  }

  @Test func aConfigurationWithoutAnEnabledFeatureStaysPending() throws {
    try markPending()
    let answer =
      #"{"user_features":[{"id":"u1","feature_id":"ft","enabled":false,"user_fields":[{"field_id":"name","value":"x"}]}]}"#
    let server = Server().answering(200, Lamps.connection(Self.off)).answering(204).answering(
      200, Lamps.connection(answer))
    let run = home.run("configure cc --set ft.name=x", answers: server)
    #expect(run.errors == "No feature is enabled, so connection 'cc' stays pending.\n")
    #expect(run.exit == .success)
  }

  // MARK: Disabling and reenabling

  private static let irreversible =
    "Once disabled, cc cannot be enabled again until the user activates it in a browser."

  /// The connection was activated elsewhere, so only its empty settings show that it is pending.
  @Test(arguments: [true, false]) func disablingRemembersThatAConnectionWasPending(isCached: Bool) {
    home.environment["IFTTT_USER_TOKEN"] = "token-of-the-tests-0123456789"
    let empty = Lamps.connection(Self.empty)
    let off = Lamps.connection(nil, status: "disabled")
    if isCached { home.run("connections add cc", answers: Server().answering(200, empty)) }
    let server = Server().answering(200, empty).answering(200, off)
    #expect(home.run("connections disable cc --yes", answers: server).exit == .success)
    #expect(
      server.asked == ["GET connect.ifttt.com/v2/connections/cc", "POST connect.ifttt.com/v2/connections/cc/disable"],
      "it is read again even if it is cached")
    let enabled = home.run("connections enable cc --max-age 0", answers: Server().answering(200, off))
    #expect(enabled.notes.first == "ifttt: connection 'cc' was disabled before it was configured")
  }

  @Test func disablingIsConfirmedAndReenablingIsRejected() throws {
    try markPending()
    home.environment["IFTTT_USER_TOKEN"] = "token-of-the-tests-0123456789"
    home.terminal = .interactive()
    let refused = home.run(
      "connections disable cc", input: .typed(lines: ["n"]), answers: Server().answering(200, Lamps.connection(nil)))
    let words = refused.errors.replacing("\n", with: " ")
    #expect(words.contains("\(Self.irreversible) Disable 1 connection?"))
    #expect(refused.errors.contains("not confirmed, nothing was changed"))
    home.terminal = .none
    let off = Lamps.connection(nil, status: "disabled")
    let unasked = home.run(
      "connections disable cc --force --max-age 0", answers: Server().answering(200, Lamps.connection(nil)))
    #expect(
      unasked.errors == """
        ifttt: confirmation required
          \(Self.irreversible) Disable 1 connection?
          - cc
          Run 'ifttt connections disable cc --force --max-age 0 --yes'.

        """, "no prompt is possible")
    #expect(unasked.exit == .failure)
    let disabled = home.run(
      "connections disable cc --yes --force",
      answers: Server().answering(200, Lamps.connection(nil)).answering(200, off))
    #expect(disabled.errors == "\(Self.irreversible)\n", "--yes notes what cannot be reverted")
    #expect(disabled.exit == .success)
    let enabled = home.run("connections enable cc --max-age 0", answers: Server().answering(200, off))
    #expect(
      enabled.errors == """
        ifttt: connection 'cc' was disabled before it was configured
          its configuration was skipped, and IFTTT does not enable such a connection again
          Activate it again without skipping: 'ifttt connections activate cc --no-skip-config'; --force sends the request anyway.

        """)
    #expect(enabled.exit == .failure)
    let undone = home.run("connections undo", answers: Server().answering(200, off))
    #expect(undone.notes.first == "ifttt: connection 'cc' was disabled before it was configured")
    let configured = home.run("configure cc --set ft.name=x", answers: Server().answering(200, off))
    #expect(
      configured.notes.last
        == "  It was never configured, so activate it again without skipping: 'ifttt connections activate cc --no-skip-config'."
    )
    let forced = home.run(
      "connections enable cc --force --max-age 0",
      answers: Server().answering(200, off).answering(200, Lamps.connection()))
    #expect(forced.exit == .success)
    #expect(status("connections list", Lamps.connection(Self.off)) == "enabled,false\n", "it had enabled settings")
  }

  // MARK: Confirmation

  private static let token = "token-of-the-tests-0123456789"

  /// The connection was never fetched: the fetch before the change shows that it is pending.
  @Test func confirmsAConnectionThatTheFetchShowsAsPending() {
    home.environment["IFTTT_USER_TOKEN"] = Self.token
    home.terminal = .interactive()
    let empty = Lamps.connection(Self.empty)
    let server = Server().answering(200, empty)
    let refused = home.run("connections disable cc", input: .typed(lines: ["n"]), answers: server)
    #expect(refused.errors.replacing("\n", with: " ").contains("\(Self.irreversible) Disable 1 connection?"))
    #expect(refused.errors.contains("not confirmed, nothing was changed"))
    #expect(server.asked == ["GET connect.ifttt.com/v2/connections/cc"])
    home.wait(.seconds(100))
    #expect(home.run("connections disable --resume").exit == .notFound, "there is nothing to resume")
    home.terminal = .none
    let read = Server().answering(200, empty)
    let script = home.run("connections disable cc --json", answers: read)
    #expect(script.errors.hasPrefix(#"{"error":{"code":"confirmation_required","#), "prompting is not possible")
    #expect(script.exit == .failure)
    #expect(script.output == "")
    #expect(read.asked == ["GET connect.ifttt.com/v2/connections/cc"])
    let done = Server().answering(200, empty).answering(200, Lamps.connection(nil, status: "disabled"))
    let agreed = home.run("connections disable cc --yes", answers: done)
    #expect(agreed.errors == "\(Self.irreversible)\n")
    #expect(agreed.exit == .success)
  }

  /// One prompt for all connections, which names those that the list shows as pending.
  @Test func confirmsConnectionsListedAsPending() {
    home.environment["IFTTT_USER_TOKEN"] = Self.token
    home.run(
      "connections add aa cc",
      answers: Server().answering(200, Server.connection("aa")).answering(200, Lamps.connection(Self.empty)))
    #expect(home.run("connections list").output.contains("enabled (pending)"))
    home.terminal = .interactive()
    func server() -> Server {
      Server().answering(200, Server.connection("aa")).answering(200, Lamps.connection(Self.empty))
    }
    let refused = home.run("connections disable aa cc", input: .typed(lines: [""]), answers: server())
    #expect(refused.errors.replacing("\n", with: " ").contains("\(Self.irreversible) Disable 2 connections?"))
    #expect(refused.errors.contains("not confirmed, nothing was changed"))
    let plan = home.run("connections disable aa cc --dry-run", answers: server())
    #expect(plan.errors.contains("Would ask: Once disabled, cc cannot be enabled again"), "a dry run warns")
  }

  /// Undoing an `enable` disables.
  @Test func confirmsAnUndoThatDisables() {
    home.environment["IFTTT_USER_TOKEN"] = Self.token
    let empty = Lamps.connection(Self.empty)
    let off = Lamps.connection(nil, status: "disabled")
    #expect(
      home.run("connections enable cc", answers: Server().answering(200, off).answering(200, empty)).exit == .success)
    home.terminal = .interactive()
    let undo = home.run("connections undo", input: .typed(lines: ["n"]), answers: Server().answering(200, empty))
    #expect(undo.errors.replacing("\n", with: " ").contains("\(Self.irreversible) Disable 1 connection?"))
    #expect(undo.errors.contains("not confirmed, nothing was changed"))
    #expect(undo.exit == .failure)
  }

  // MARK: Without features

  /// There is nothing to configure, so the connection is not pending.
  @Test func aConnectionWithoutFeaturesIsNeverPending() {
    home.environment["IFTTT_USER_TOKEN"] = Self.token
    let bare = Server.connection("cc").dropLast() + #","user_connection":{"user_features":[]}}"#
    #expect(status("connections show cc", String(bare)) == "enabled,false\n")
    let off = Server.connection("cc", status: "disabled")
    let disabled = home.run("connections disable cc", answers: Server().answering(200, off))
    #expect(disabled.errors == "")
    let enabled = home.run(
      "connections enable cc --max-age 0", answers: Server().answering(200, off).answering(200, String(bare)))
    #expect(enabled.exit == .success, "\(enabled.errors)")
    let undone = home.run("connections undo", answers: Server().answering(200, String(bare)).answering(200, off))
    #expect(undone.exit == .success, "\(undone.errors)")
  }

  @Test func skippingDoesNotMakeAConnectionWithoutFeaturesPending() {
    let activator = Activator(userToken: Activator.token)
    activator.returns("next_step=complete")
    let server = Server().answering(200, Server.connection("cc", status: "never_enabled"))
      .answering(200, #"{"user_login":"kai"}"#).answering(200, Server.connection("cc"))
    let run = activator.home.run("connections activate cc --skip-config --json --fields pending", answers: server)
    #expect(run.output == "{\"pending\":false}\n")
  }

  /// These credentials are not shown the connection's settings.
  @Test func configuringAtIFTTTEndsPending() throws {
    let activator = Activator(userToken: Activator.token)
    try markPending(in: activator.home)
    let line = "connections activate cc --json --fields pending"
    let seen = activator.home.run(line, answers: Server().answering(200, Lamps.connection(nil)))
    #expect(seen.output == "{\"pending\":true}\n")
    activator.returns("next_step=complete")
    let server = Server().answering(200, Lamps.connection(nil)).answering(200, #"{"user_login":"kai"}"#)
      .answering(200, Lamps.connection(nil))
    let configured = activator.home.run("\(line) --force", answers: server)
    #expect(configured.output == "{\"pending\":false}\n")
    let later = activator.home.run(line, answers: Server().answering(200, Lamps.connection(nil)))
    #expect(later.output == "{\"pending\":false}\n")
  }
}
