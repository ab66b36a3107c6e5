import HTTP
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// `configure --skip` with settings, which are checked before a browser is opened.
@Suite struct ConfigureSkipTests {
  let activator = Activator()

  private static let unknown = Lamps.connection(nil, status: "unknown")

  /// These errors are found without knowing the user.
  @Test(arguments: [
    ("--set ft.scen=Evening", "ifttt: there is no field 'ft.scen'"),
    ("--set area=1,2", "ifttt: 'ft.location.enter.area' does not accept '1,2'"),
    ("--enable-feature nope", "ifttt: there is no feature 'nope'"),
  ]) func anInvalidSettingOpensNoBrowser(words: String, message: String) {
    let server = Server().answering(200, Self.unknown)
    let run = activator.home.run("configure cc --skip \(words)", answers: server)
    #expect(run.notes.first == message)
    #expect(run.exit == .failure)
    #expect(activator.port.settings.isEmpty, "no listener is started")
    #expect(server.asked == ["GET connect.ifttt.com/v2/connections/cc"])
  }

  @Test func rejectsAnUnknownOptionIfTheOptionsAreKnown() {
    activator.home.environment["IFTTT_USER_TOKEN"] = Activator.token
    let server = Server().answering(200, Lamps.connection(nil)).answering(200, Lamps.sceneOptions)
    let run = activator.home.run("configure cc --skip --set scene=Noon", answers: server)
    #expect(run.notes.first == "ifttt: 'ft.scene' does not accept 'Noon'")
    #expect(activator.port.settings.isEmpty)
  }

  /// Values that cannot be checked yet are neither rejected nor reported.
  @Test func defersChecksThatNeedTheActivation() {
    activator.nothingHappens()
    let server = Server().answering(200, Self.unknown).answering(200, Self.unknown).answering(204)
    let run = activator.home.run(
      "configure cc --skip --set scene=Noon --set ft#2.name=x --remove-feature ft --email kai@mail.test --no-browser",
      answers: server)
    #expect(run.errors.hasPrefix("Open this page in your browser:\n"))
    #expect(run.notes.contains("ifttt: timed out waiting for the browser"))
  }

  @Test func readsStdinOnceBeforeAnythingElse() {
    let run = activator.home.run("configure cc --skip --file -", input: .text("{"))
    #expect(run.notes.first == "ifttt: stdin is not JSON")
    #expect(activator.port.settings.isEmpty)
  }

  // MARK: A real activation

  private static let new = Lamps.connection(nil, status: "never_enabled")

  /// The options and the result are those of `connections activate`.
  @Test func noWaitPrintsTheActivationResult() {
    activator.home.environment["IFTTT_USER_TOKEN"] = Activator.token
    activator.home.environment["IFTTT_OAUTH_CODE"] = "oc_91fz"
    activator.returns("next_step=complete&user_token=\(Activator.newToken)")
    let server = Server().answering(200, Self.new).answering(200, #"{"user_login":"kai"}"#).answering(
      200, #"{"user_login":"kai"}"#
    ).answering(200, Lamps.connection(nil))
    let run = activator.home.run(
      "configure cc --skip --no-wait --url sdk --redirect-uri http://127.0.0.1:47823/x --no-nonce --json "
        + "--fields id,status,previous_status,pending,token_saved,user_login,url_kind", answers: server)
    #expect(
      run.output
        == #"{"id":"cc","status":"enabled","previous_status":"never_enabled","pending":true,"token_saved":true,"#
        + #""user_login":"kai","url_kind":"sdk"}"# + "\n")
    #expect(run.notes.last == "It does nothing until it is configured: 'ifttt configure cc'.")
    #expect(activator.item("sdk_return_to") == "http://127.0.0.1:47823/x")
    #expect(activator.item("skip_config") == "true")
    #expect(activator.item("code") == "oc_91fz")
  }

  /// The redirect of an earlier run, accepted as by `connections activate`.
  @Test func acceptsTheRedirectOfAnEarlierRun() {
    activator.home.environment["IFTTT_USER_TOKEN"] = Activator.token
    let server = Server().answering(200, Self.new).answering(200, Lamps.connection(nil))
    let run = activator.home.run(
      "configure cc --skip --no-wait --redirect-uri lampost://done --no-nonce --finish - --json --fields pending",
      input: .text("lampost://done?next_step=complete\n"), answers: server)
    #expect(run.output == "{\"pending\":true}\n")
  }

  /// The settings follow. Input typed during the wait for the browser does not answer their prompts.
  @Test func discardsInputTypedDuringTheWait() {
    activator.home.environment["IFTTT_USER_TOKEN"] = Activator.token
    activator.home.terminal = .interactive()
    let prepare = activator.home.prepare
    activator.home.prepare = { world in
      prepare(world)
      world.input.typedAhead = ["y", "y"]
    }
    activator.returns("next_step=complete")
    let empty = Lamps.connection(#"{"user_features":[]}"#)
    let server = Server().answering(200, Self.new).answering(200, #"{"user_login":"kai"}"#).answering(200, empty)
      .answering(200, empty).answering(200, Lamps.sceneOptions).answering(200, Lamps.actionOptions)
    let run = activator.home.run("configure cc --skip", input: .typed(lines: ["", ""]), answers: server)
    #expect(run.errors.contains("Connection 'cc' is enabled (pending).\n"))
    #expect(
      run.errors.hasSuffix("There is nothing to change.\nNo feature is enabled, so connection 'cc' stays pending.\n"),
      "\(run.errors)")
    #expect(run.exit == .success)
  }
}
