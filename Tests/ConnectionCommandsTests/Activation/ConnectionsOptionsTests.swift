import HTTP
import ProgramDriver
import Support
import Testing

@testable import Session

/// The options of fields, fetched once and cached.
@Suite struct ConnectionsOptionsTests {
  let home = Lamps.home()

  @Test func printsOneRowPerOption() {
    let run = home.run(
      "connections options cc -o csv --no-header --fields field,accepts,group,label,value,chosen", answers: .reading())
    #expect(
      run.lines == [
        "ft.name,text,,,,false", "ft.scene,an option,,Evening,sc_1,false", "ft.scene,an option,,Night,sc_4,true",
        #"ft.location.enter.area,"lat,lng,radius",,,,false"#, "ft.tides.add.calendar,an option,,Garden,cal_a,false",
        "ft.tides.add.calendar,an option,Shared,Boat,cal_b,true", "ft.tides.add.lamps,options,,Ceiling,l_1,false",
        "ft.tides.add.lamps,options,,Floor,l_2,false", #"gx.sky.wind.place,"lat,lng",,,,false"#,
      ])
    #expect(run.exit == .success)
  }

  @Test func namesFieldsAsConfigureDoes() {
    let server = Server().answering(200, Lamps.connection()).answering(200, Lamps.actionOptions)
    let run = home.run("connections options cc calendar note --fields field,value -o tsv --no-header", answers: server)
    #expect(run.output == "ft.tides.add.calendar\tcal_a\nft.tides.add.calendar\tcal_b\nft.tides.add.note\t\n")
    #expect(server.asked.count == 2, "one request per step")
    let wrong = home.run("connections options cc calender")
    #expect(wrong.notes.last == "  Did you mean: ft.tides.add.calendar.")
  }

  /// Several user features of one feature have the same options.
  @Test func showsASharedFieldForTheFirstUserFeature() {
    let second = #", { "id": "u2", "feature_id": "ft", "enabled": true, "user_fields": [] }"#
    let server = Server().answering(200, Lamps.connection(Lamps.configuration(more: second)))
      .answering(200, Lamps.sceneOptions)
    let run = home.run(
      "connections options cc scene ft#2.scene --fields field,value -o tsv --no-header", answers: server)
    #expect(run.output == "ft#1.scene\tsc_1\nft#1.scene\tsc_4\nft#2.scene\tsc_1\nft#2.scene\tsc_4\n")
  }

  @Test func cachesOptionsForMaxAge() {
    home.run("connections options cc", answers: .reading())
    #expect(home.run("connections options cc").exit == .success, "nothing is fetched again")
    home.wait(.seconds(61))
    home.run("connections options cc", answers: .reading())
    home.run("connections options cc --max-age 0", answers: .reading())
    home.wait(.seconds(3600))
    #expect(home.run("connections options cc --offline").lines.count > 5)
    home.environment["IFTTT_USER_ID"] = "u-2"
    let other = home.run("connections options cc --offline")
    #expect(other.exit == .unavailable, "another user's options are not used")
  }

  @Test func refreshUpdatesTheNamesAndDiscardsTheCachedOptions() {
    let first = home.run("connections options cc", answers: .reading())
    let server = Server().answering(204).answering(200, Lamps.connection()).answering(200, Lamps.sceneOptions)
      .answering(200, Lamps.actionOptions)
    let run = home.run("connections options cc --refresh", answers: server)
    #expect(server.asked.first == "POST connect.ifttt.com/v2/connections/cc/user_connection/refresh?user_id=u-1")
    #expect(server.asked.count == 4, "nothing comes from the cache")
    #expect(run.exit == .success && run.output == first.output, "\(run.errors)")
    #expect(home.run("connections options cc").output == first.output, "the new options are cached")
  }

  @Test func refreshNeedsTheServiceKey() {
    home.environment["IFTTT_SERVICE_KEY"] = nil
    home.environment["IFTTT_USER_TOKEN"] = "a-user-token-of-some-length"
    #expect(home.run("connections options cc", answers: .reading()).exit == .success)
    let run = home.run("connections options cc --refresh")
    #expect(run.exit == .credentials && run.errors.contains("service key"), "\(run.errors)")
  }

  /// A recording that depended on the cache could not be replayed.
  @Test func aRecordedRunFetchesEverything() {
    home.environment["TMPDIR"] = home.folder.path
    let first = home.run("connections options cc", answers: .reading())
    let recorded = home.run("connections options cc --record \(home.folder["r"])", answers: .reading())
    #expect(recorded.output == first.output)
    let replayed = home.run("connections options cc --replay \(home.folder["r"])")
    #expect(replayed.output == first.output)
    #expect(replayed.exit == .success)
  }

  @Test func printsTheOptionsOfOtherStepsIfOneFails() {
    let server = Server().answering(200, Lamps.connection()).answering(502).answering(200, Lamps.actionOptions)
    let run = home.run("connections options cc --retries 0 -o csv --no-header --fields field", answers: server)
    #expect(run.lines.contains("ft.tides.add.lamps"))
    #expect(!run.lines.contains("ft.scene"))
    #expect(run.exit == .partial)
  }

  @Test func explainsWhyANeverEnabledConnectionIsForbidden() {
    let never = Lamps.connection(nil, status: "never_enabled")
    let server = Server().answering(200, never).answering(403).answering(403)
    let hint = "  It was never enabled, which may be the cause: 'ifttt connections activate cc'."
    #expect(home.run("connections options cc", answers: server).notes.last == hint)
    let fetched = Server().answering(403).answering(200, never)
    #expect(home.run("connections options cc --refresh", answers: fetched).notes.last == hint)
    let enabled = Server().answering(403).answering(200, Lamps.connection())
    let other = home.run("connections options cc --refresh", answers: enabled)
    #expect(other.notes.last == "  Check who owns the token or key: 'ifttt token verify'.")
  }

  /// The cache says that it is enabled, and its user has disabled it since.
  @Test func explainsWhyADisabledConnectionIsForbidden() {
    home.run("configure cc", answers: .init().answering(200, Lamps.connection()))
    let server = Server().answering(403).answering(200, Lamps.connection(nil, status: "disabled"))
    let run = home.run("connections options cc --refresh", answers: server)
    #expect(run.notes.last == "  It is disabled, which may be the cause: 'ifttt connections enable cc'.")
    #expect(run.exit == .credentials)
  }

  @Test func aDryRunShowsTheRequests() {
    #expect(home.run("connections options cc --dry-run -o csv --no-header --fields url").lines.count == 1)
    home.run("configure cc", answers: Server().answering(200, Lamps.connection()))
    #expect(
      home.run("connections options cc --dry-run -o csv --no-header --fields url").lines == [
        "https://connect.ifttt.com/v2/connections/cc/features/ft/field_options?user_id=u-1",
        "https://connect.ifttt.com/v2/connections/cc/actions/tides.add/field_options?user_id=u-1",
      ])
  }

  /// The URL comes from the response, and the credential must not be sent to another server.
  @Test func ignoresAnOptionsURLOfAnotherServer() {
    let evil = Lamps.connection().replacing(
      #""title": "Come home","#, with: #""title": "x", "field_options_url": "https://evil.test/v2/connections/cc/x","#)
    let server = Server.reading(evil)
    home.run("connections options cc", answers: server)
    #expect(!server.requests.isEmpty && server.requests.allSatisfy { $0.url.host == "connect.ifttt.com" })
  }

  @Test func escapesHostileLabels() {
    let server = Server().answering(200, Lamps.connection()).answering(
      200, #"{"options":{"scene":[{"label":"\u001b[31mred","value":"a\nb"}]}}"#
    )
    let run = home.run("connections options cc ft.scene", answers: server)
    #expect(run.output.contains("\\u{1b}[31mred"))
    #expect(run.output.contains("a\\nb"))
  }
}
