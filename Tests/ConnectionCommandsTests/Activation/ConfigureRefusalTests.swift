import HTTP
import JSON
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// Configurations that are rejected, either before anything is sent or by IFTTT.
@Suite struct ConfigureRefusalTests {
  let home = Lamps.home()

  @Test(arguments: [
    (
      "--set ft.scene=Noon", "ifttt: 'ft.scene' does not accept 'Noon'",
      "  'Noon' is not an option; available: Evening (sc_1), Night (sc_4)"
    ),
    ("--set ft.area=1,2", "ifttt: 'ft.area' does not accept '1,2'", "  it needs a radius in meters: lat,lng,radius"),
    ("--set ft.area=91,2,3", "ifttt: 'ft.area' does not accept '91,2,3'", "  the latitude is not from -90.0 to 90.0"),
    ("--set ft.name=", "ifttt: 'ft.name' (Name) cannot be sent", "  it needs a value"),
    ("--set ft.scene=", "ifttt: 'ft.scene' (Scene) cannot be sent", "  it needs a value"),
    ("--enable-feature gx", "ifttt: 'gx.sky.wind.place' (Place) cannot be sent", "  it needs a value"),
  ]) func rejectsAnInvalidValue(words: String, message: String, reason: String) {
    let run = home.run("configure cc \(words)", answers: .reading())
    let notes = run.notes.map { $0.replacing("'ft.location.enter.area'", with: "'ft.area'") }
    #expect(notes.first == message)
    #expect(notes.dropFirst().first == reason)
    #expect(run.exit == .failure)
  }

  @Test func rejectsAnUnknownFieldName() {
    let run = home.run("configure cc --set ft.scen=Evening", answers: Server().answering(200, Lamps.connection()))
    #expect(run.notes == ["ifttt: there is no field 'ft.scen'", "  Did you mean: ft.scene."])
    let json = home.run("configure cc --set x=1 --json", answers: Server().answering(200, Lamps.connection()))
    #expect(json.errors.hasPrefix(#"{"error":{"code":"invalid_parameters","#))
  }

  @Test(arguments: [
    ("never_enabled", "ifttt: connection 'cc' was never enabled", "  Run 'ifttt connections activate cc'."),
    ("disabled", "ifttt: connection 'cc' is disabled", "  Enable it: 'ifttt connections enable cc'."),
  ]) func rejectsAConnectionThatIsNotEnabled(status: String, message: String, hint: String) {
    let answer = Lamps.connection(nil, status: status)
    let run = home.run("configure cc --set ft.scene=sc_1", answers: Server().answering(200, answer))
    #expect(run.notes.first == message)
    #expect(run.notes.last == hint)
    #expect(run.exit == .failure)
  }

  @Test func replacingAnUnseenConfigurationNeedsConfirmation() {
    let answers = Server().answering(200, Lamps.connection(nil)).answering(200, Lamps.sceneOptions)
    let run = home.run("configure cc --set ft.name=x --set ft.scene=sc_1 --set ft.area=1,2,3", answers: answers)
    #expect(run.notes.first == "ifttt: confirmation required")
    #expect(run.notes[1].contains("did not send the current settings"))
  }

  @Test func losingUnreadableSettingsNeedsConfirmation() {
    let odd = Lamps.configuration(more: ", 7")
    let run = home.run("configure cc --set ft.scene=sc_1", answers: .reading(Lamps.connection(odd)))
    #expect(run.notes.first == "ifttt: confirmation required")
    #expect(run.notes[1].contains("user_connection.user_features[1]"))
  }

  @Test func sendingAnOutdatedValueNeedsConfirmation() {
    let old = Lamps.connection(Lamps.configuration(scene: "sc_9"))
    let run = home.run("configure cc --set ft.name=Attic", answers: .reading(old))
    #expect(
      run.notes.first
        == "'ft.scene' still has a value that is no longer available: 'sc_9' is not an option; available: "
        + "Evening (sc_1), Night (sc_4).")
    #expect(run.notes[1] == "ifttt: confirmation required")
    let after = Lamps.connection(Lamps.configuration(name: "Attic", scene: "sc_9"))
    let server = Server().answering(200, old).answering(204).answering(200, after)
    #expect(home.run("configure cc --set ft.name=Attic --yes", answers: server).exit == .success)
  }

  @Test(arguments: [
    ("/fields/calendar", "ft.tides.add.calendar"), ("/fields/scene", "ft.scene"),
    ("/user_features/0/user_fields/1/value", "ft.scene"),
    ("/user_features/0/user_feature_triggers/0/user_fields/0", "ft.location.enter.area"),
    ("/user_features/0/user_feature_actions/0/user_fields/0/value", "ft.tides.add.calendar"),
    ("/user_features/9/user_fields/0", "/user_features/9/user_fields/0"), ("/fields/nope", "/fields/nope"),
    ("/user_features/0/user_fields/x", "/user_features/0/user_fields/x"), ("whatever", "whatever"),
  ]) func namesRejectedParametersAsTheUserDoes(pointer: String, name: String) {
    let body = Server.error(
      "invalid_parameters", "The parameters of your request were invalid",
      details: #","details":[{"parameter":"\#(pointer)","message":"No."}]"#)
    let run = home.run("configure cc --set ft.scene=sc_1", answers: .reading().answering(422, body))
    let options = [
      "ft.scene": " available: Evening (sc_1), Night (sc_4).",
      "ft.tides.add.calendar": " available: Garden (cal_a), Shared > Boat (cal_b).",
    ]
    #expect(run.notes.contains("  - \(name): No.\(options[name] ?? "")"))
    #expect(run.exit == .failure)
  }

  @Test func listsTheOptionsAfterTheServersMessage() {
    let body = Server.error(
      "invalid_parameters", "Bad", details: #","details":[{"parameter":"/fields/scene","message":"no such"}]"#)
    let run = home.run("configure cc --set ft.scene=sc_1", answers: .reading().answering(422, body))
    #expect(run.notes.contains("  - ft.scene: no such; available: Evening (sc_1), Night (sc_4)."))
  }

  @Test func namesAllValuesGivenForAList() {
    let run = home.run("configure cc --set lamps=Nope --set lamps=Floor", answers: .reading())
    #expect(run.notes.first == "ifttt: 'ft.tides.add.lamps' does not accept 'Nope' and 'Floor'")
  }

  @Test func reportsAnUnknownResultIfTheFetchFails() {
    let run = home.run(
      "configure cc --set ft.scene=sc_1 --retries 0", answers: .reading().answering(200).answering(500))
    #expect(run.notes.first == "ifttt: IFTTT accepted the change, but its effect is unknown: IFTTT failed")
    #expect(run.exit == .unavailable)
  }

  @Test func changesNothingWithoutANetwork() {
    let server = Server().failing(.connect, "connection refused")
    #expect(home.run("configure cc --set ft.scene=sc_1 --retries 0", answers: server).exit == .unavailable)
    let offline = home.run("configure cc --offline")
    #expect(
      offline.notes == [
        "ifttt: connection 'cc' was never fetched with these credentials",
        "  Run the command without --offline, or with the credentials of an earlier one.",
      ])
    home.run("configure cc", answers: Server().answering(200, Lamps.connection()))
    #expect(home.run("configure cc --offline").exit == .success, "the cached connection is shown")
    #expect(home.run("configure cc --offline --set ft.scene=sc_1").exit == .unavailable)
  }

  @Test func missingOptionsFailOnlyIfTheyAreNeeded() {
    let server = Server().answering(200, Lamps.connection()).answering(404, Server.error("not_found", "Unknown step"))
      .answering(200, Lamps.actionOptions)
    let run = home.run("configure cc --set ft.scene=sc_1", answers: server)
    #expect(run.exit == .notFound)
    #expect(run.notes.first == "ifttt: no options of feature 'ft', or these credentials cannot access it")
    let other = Server().answering(200, Lamps.connection()).answering(404, Server.error("not_found", "Unknown step"))
      .answering(204).answering(200, Lamps.connection(Lamps.configuration(note: "x")))
    let note = home.run("configure cc --set note=x", answers: other)
    #expect(
      note.notes == [
        "The options of feature 'ft' are unknown: no options of feature 'ft', or these credentials cannot access it: IFTTT responded with 404 not_found: Unknown step."
      ])
    #expect(note.exit == .success)
  }

  // MARK: Dry runs

  /// A dry run fetches, shows the difference and stores nothing.
  @Test func aDryRunFetchesButChangesNothing() {
    let server = Server.reading()
    let plan = home.run("configure cc --set ft.scene=Evening --dry-run --exit-code", answers: server)
    #expect(plan.lines == ["ID  BEFORE   AFTER", "cc  enabled  enabled"])
    #expect(plan.notes == ["cc  Lamps", "  ~ ft.scene (Scene): sc_4 → sc_1", "ifttt: something would change"])
    #expect(plan.exit == .notYet)
    #expect(server.requests.allSatisfy { $0.method == .get })
    #expect(home.folder.names == [], "nothing is stored")
    let same = home.run("configure cc --set ft.scene=Night --dry-run --exit-code", answers: .reading())
    #expect(same.errors == "There is nothing to change.\nNothing would be sent.\n")
    #expect(same.exit == .success)
    #expect(home.run("configure cc --dry-run --fields method -o csv --no-header").output == "GET\n")
    let removal = home.run("configure cc --remove-feature ft --dry-run", answers: .reading())
    #expect(removal.exit == .success, "a dry run shows no prompt")
    #expect(removal.notes.contains { $0.hasPrefix("Would ask: Remove ") })
  }

  @Test func aDryRunShowsTheSettingsBeforeAndAfterAndTheRequest() throws {
    let plan = home.run("configure cc --set ft.scene=Evening --dry-run --json", answers: .reading())
    let rows = try JSONValue(parsing: Array(plan.output.utf8)).array ?? []
    #expect(rows.count == 1)
    let row = try #require(rows.first)
    #expect(row["id"]?.string == "cc")
    #expect(row["before"]?["status"]?.string == "enabled")
    #expect(row["after"]?["status"]?.string == "enabled")
    #expect(row["before"]?["fields"]?["ft.scene"]?.string == "sc_4")
    #expect(row["after"]?["fields"]?["ft.scene"]?.string == "Evening")
    #expect(row["before"]?["fields"]?["ft.name"]?.string == "Hall")
    #expect(row["after"]?["fields"]?["ft.name"]?.string == "Hall")
    let requests = try #require(row["requests"]?.array)
    #expect(requests.map { $0["method"]?.string } == ["PUT"])
    #expect(
      requests.first?["url"]?.string == "https://connect.ifttt.com/v2/connections/cc/user_connection?user_id=u-1")
    #expect(requests.first?["body"]?.string?.contains(#"{"field_id":"scene","value":"sc_1"}"#) == true)
  }

  @Test func aDryRunWithoutAChangeShowsTheConnection() {
    let same = home.run(
      "configure cc --set ft.scene=Night --dry-run --json --fields id,before.status,after.status,requests",
      answers: .reading())
    #expect(
      same.lines == ["[", #"{"id":"cc","before.status":"enabled","after.status":"enabled","requests":[]}"#, "]"])
    #expect(same.exit == .success)
  }

  @Test func anOfflineDryRunUsesTheCache() {
    let words = "--offline --dry-run --exit-code -o csv --no-header --fields"
    let unread = home.run("configure cc --set ft.scene=sc_1 \(words) id")
    #expect(
      unread.errors
        == "ifttt: connection 'cc' was never fetched with these credentials\n  Run the command without --offline, or with the credentials of an earlier one.\n"
    )
    #expect(unread.exit == .unavailable)
    home.run("connections options cc", answers: .reading())
    let plan = home.run("configure cc --set ft.scene=Evening \(words) requests.0.method")
    #expect(plan.output == "PUT\n")
    #expect(plan.exit == .notYet)
    #expect(home.run("configure cc --set ft.scene=Night \(words) requests.0.method").exit == .success)
  }

  // MARK: Credentials

  @Test func prefersTheServiceKeyToTheUserToken() {
    home.environment["IFTTT_USER_TOKEN"] = "token-of-the-tests-0123456789"
    let server = Server().answering(200, Lamps.connection())
    home.run("configure cc", answers: server)
    #expect(server.asked == ["GET connect.ifttt.com/v2/connections/cc?user_id=u-1"])
    let user = Server().answering(200, Lamps.connection())
    home.run("configure cc --as user", answers: user)
    #expect(user.asked == ["GET connect.ifttt.com/v2/connections/cc"])
    home.environment["IFTTT_SERVICE_KEY"] = nil
    let token = Server().answering(200, Lamps.connection())
    home.run("configure cc", answers: token)
    #expect(token.asked == ["GET connect.ifttt.com/v2/connections/cc"], "without a service key")
  }

  @Test func requiresAUser() {
    home.environment["IFTTT_USER_ID"] = nil
    let withoutUser = home.run("configure cc")
    #expect(withoutUser.notes.first == "ifttt: 'configure' needs a user id")
    #expect(withoutUser.exit == .credentials)
    home.environment["IFTTT_SERVICE_KEY"] = nil
    #expect(home.run("configure cc").notes.first == "ifttt: 'configure' needs a service key and a user id")
    #expect(home.run("configure cc --as anonymous").exit == .credentials)
  }

  @Test(arguments: [
    "configure", "configure --set a.b=c", "configure cc --no-skip", "configure cc --no-wait",
    "configure --skip --set a=b",
    "configure cc --set =x", "configure cc --set x", "configure cc --skip --no-wait --set a=b",
    "configure cc --url sdk", "configure --skip --redirect-uri http://127.0.0.1/x", "configure cc --set a=b --no-nonce",
    "configure cc --skip --file - --oauth-code-file -", "configure cc --skip --fields status",
  ]) func rejectsConflictingArguments(line: String) {
    #expect(home.run(line).exit == .usage)
  }

  @Test func storesTheSkipDefault() {
    #expect(
      home.run("configure --skip").errors
        == "Later activations of profile 'default' skip IFTTT's configuration screen.\n")
    #expect(home.run("profile show -o csv --no-header --fields settings.skip_config").output == "true\n")
    #expect(home.run("configure --skip --dry-run --exit-code").exit == .success)
    #expect(home.run("configure --no-skip --dry-run --exit-code").exit == .notYet)
    #expect(home.run("configure --no-skip").exit == .success)
    #expect(home.run("profile show -o csv --no-header --fields settings.skip_config").output == "\"\"\n")
  }
}
