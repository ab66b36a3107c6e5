import JSON
import ProgramDriver
import Support
import Testing

@testable import Session

/// The output of `configure`, its requests and their results.
@Suite struct ConfigureTests {
  static let asked = [
    "GET connect.ifttt.com/v2/connections/cc?user_id=u-1",
    "GET connect.ifttt.com/v2/connections/cc/features/ft/field_options?user_id=u-1",
    "GET connect.ifttt.com/v2/connections/cc/actions/tides.add/field_options?user_id=u-1",
    "PUT connect.ifttt.com/v2/connections/cc/user_connection?user_id=u-1",
    "GET connect.ifttt.com/v2/connections/cc?user_id=u-1",
  ]

  private func changed(_ configuration: String) -> Server {
    Server.reading().answering(204).answering(200, Lamps.connection(configuration))
  }

  @Test func showsTheFieldsIfNoChangeIsGiven() {
    let server = Server().answering(200, Lamps.connection())
    let shown = Lamps.home().run("configure cc -o csv --no-header --fields field,label,value", answers: server)
    #expect(
      shown.lines == [
        "ft,Come home,true", "ft.name,Name,Hall",
        #"ft.scene,Scene,"{""group"":null,""label"":""sc_4"",""value"":""sc_4""}""#,
        #"ft.location.enter.area,Area,"{""lat"":38.736900,""lng"":-9.1427,""radius"":220.5,""address"":""Rua 9"",""description"":""Home"",""zoom"":15}""#,
        #"ft.tides.add.calendar,Calendar,"{""group"":""Shared"",""label"":""Boat"",""value"":""cal_b""}""#,
        "ft.tides.add.lamps,Lamps,", #"ft.tides.add.note,Note,"a"#, #"b""#, "gx.sky.wind.place,Place,",
      ])
    #expect(shown.exit == .success)
    #expect(server.asked == [Self.asked[0]])
  }

  @Test func setsOneValueAndSendsTheRestUnchanged() throws {
    let server = changed(Lamps.configuration(scene: "sc_1"))
    let run = Lamps.home().run("configure cc --set ft.scene=Evening --json", answers: server)
    #expect(server.asked == Self.asked)
    #expect(
      server.body(3)
        == #"{"user_features":[{"id":"u1","feature_id":"ft","enabled":true,"user_fields":[{"field_id":"name","value":"#
        + #""Hall"},{"field_id":"scene","value":"sc_1"}],"user_feature_triggers":[{"feature_trigger_id":"t1","user_fields":[{"#
        + #""field_id":"area","value":{"lat":38.736900,"lng":-9.1427,"radius":220.5,"address":"Rua 9","description":"Home","#
        + #""zoom":15}}]}],"user_feature_queries":[{"feature_query_id":"q1","user_fields":[]}],"user_feature_actions":[{"#
        + #""feature_action_id":"a1","user_fields":[{"field_id":"calendar","value":"cal_b"},{"field_id":"note","value":"a\nb"}]}]}]}"#
    )
    #expect(
      run.output == """
        [
        {"field":"ft.scene","label":"Scene","type":"COLLECTION_SELECT","required":true,"hidden":false,"value":{"group":null,"label":"Evening","value":"sc_1"},"shown":"Evening","previous_value":{"group":null,"label":"sc_4","value":"sc_4"},"change":"changed"}
        ]

        """)
    #expect(run.errors == "")
    #expect(run.exit == .success)
  }

  @Test func setsFieldsOfEveryKind() throws {
    let home = Lamps.home()
    let after = Lamps.connection(
      Lamps.configuration(name: "Attic").replacing("38.736900", with: "1.50").replacing("-9.1427", with: "2")
        .replacing("220.5", with: "300").replacing("cal_b", with: "cal_a"))
    // The options of the first setting are fetched first.
    let server = Server().answering(200, Lamps.connection()).answering(200, Lamps.actionOptions)
      .answering(200, Lamps.sceneOptions).answering(204).answering(200, after)
    let run = home.run(
      "configure cc --set ft.name=Attic --set enter.area=1.50,2,300 --set ft.calendar=Garden --set lamps=Floor "
        + "--set lamps=l_1 --set note=x",
      answers: server)
    let sent = try server.sent(3)
    #expect(
      sent["user_feature_triggers"]?.array?[0]["user_fields"]?.array?[0]["value"]?.text
        == #"{"lat":1.50,"lng":2,"radius":300}"#)
    #expect(
      sent["user_feature_actions"]?.array?[0]["user_fields"]?.text
        == #"[{"field_id":"calendar","value":"cal_a"},{"field_id":"note","value":"x"},{"field_id":"lamps","value":"#
        + #"[{"label":"Floor","value":"l_2"},{"label":"Ceiling","value":"l_1"}]}]"#)
    #expect(run.exit == .failure, "IFTTT did not apply the note and the lamps")
    #expect(run.notes.first == "ifttt: IFTTT accepted the settings, but did not apply all of them")
    #expect(run.notes.contains { $0.hasPrefix("  - ft.tides.add.note: ") })
    #expect(!run.notes.contains { $0.hasPrefix("  - ft.location") }, "an address filled in is not a difference")
  }

  @Test func anUnchangedValueSendsNothing() {
    let run = Lamps.home().run("configure cc --set ft.scene=sc_4", answers: .reading())
    #expect(run.output == "")
    #expect(run.errors == "There is nothing to change.\n")
    #expect(run.exit == .success)
  }

  @Test func aRoundTripSendsNothing() {
    let home = Lamps.home()
    let shown = home.run("connections show cc --json", answers: Server().answering(200, Lamps.connection()))
    for file in [shown.output, (try? JSONValue(parsing: Array(shown.output.utf8)))?["configuration"]?.text ?? ""] {
      let run = home.run("configure cc --file - --yes --max-age 0", input: .text(file), answers: .reading())
      #expect(run.errors == "There is nothing to change.\n")
    }
  }

  @Test func aFileReplacesTheWholeConfiguration() throws {
    let file = #"""
      {"features":[{"feature_id":"ft","enabled":true,"fields":{"name":"Hall","scene":"Evening"},
      "triggers":[{"step_id":"t1","fields":{"area":"1,2,300"}}],"queries":[],"actions":[]}]}
      """#
    let home = Lamps.home()
    let reading = Server().answering(200, Lamps.connection()).answering(200, Lamps.sceneOptions)
    let refused = home.run("configure cc --file -", input: .text(file), answers: reading)
    #expect(refused.exit == .failure)
    #expect(
      refused.errors == """
        ifttt: confirmation required
          Remove 3 settings?
          - ft.tides.add.calendar (Calendar): Boat
          - ft.tides.add.note (Note): a\\nb
          - ft.tides.list (List)
          Run 'ifttt configure cc --file - --yes', and pass the input again.

        """)
    let after = Lamps.configuration(scene: "sc_1", note: nil)
    let server = Server().answering(200, Lamps.connection()).answering(204).answering(200, Lamps.connection(after))
    let run = home.run("configure cc --file - --yes", input: .text(file), answers: server)
    #expect(try server.sent(1)["user_feature_actions"]?.array == [])
    #expect(run.exit == .failure, "IFTTT did not remove the settings")
  }

  @Test(arguments: ["", "{", "[]", #"{"features":[{"feature_id":"ft"}]}"#, "\u{0}"])
  func rejectsAnInvalidFileBeforeAnythingIsSent(file: String) {
    let run = Lamps.home().run("configure cc --file - --yes", input: .text(file))
    #expect(run.exit == .failure)
    #expect(run.errors.hasPrefix("ifttt: stdin "))
    let home = Lamps.home()
    #expect(home.run("configure cc --file \(home.folder.path)/nowhere.json --yes").exit == .failure)
  }

  /// `--file` rejects the names that `--set` rejects. A stored value may stay.
  @Test(arguments: [
    (#"{"feature_id":"fx","enabled":true,"fields":{},"triggers":[],"queries":[],"actions":[]}"#, "feature 'fx'"),
    (#"{"id":"u9","enabled":true,"fields":{},"triggers":[],"queries":[],"actions":[]}"#, "feature 'u9'"),
    (
      #"{"feature_id":"ft","fields":{"name":"x","scen":"sc_1"},"triggers":[],"queries":[],"actions":[]}"#,
      "field 'ft.scen'"
    ),
    (
      #"{"feature_id":"ft","fields":{},"triggers":[{"step_id":"t7","fields":{}}],"queries":[],"actions":[]}"#,
      "trigger 't7'"
    ),
    (
      #"{"feature_id":"ft","fields":{},"triggers":[],"queries":[],"actions":[{"step_id":"a1","fields":{"nope":1}}]}"#,
      "field 'ft.tides.add.nope'"
    ),
  ])
  func rejectsAnUnknownNameInAFile(feature: String, name: String) {
    let server = Server().answering(200, Lamps.connection())
    let run = Lamps.home().run(
      "configure cc --file - --yes", input: .text(#"{"features":[\#(feature)]}"#), answers: server)
    #expect(run.notes.first == "ifttt: there is no \(name)")
    #expect(run.exit == .failure)
    #expect(server.asked == [Self.asked[0]], "nothing is sent")
  }

  @Test func acceptsAStoredFieldThatTheConnectionHasLost() {
    let home = Lamps.home()
    let stored = Lamps.connection().replacing(#"{ "id": "name", "label""#, with: #"{ "id": "title", "label""#)
    let shown = home.run("connections show cc --json", answers: Server().answering(200, stored))
    let run = home.run("configure cc --file - --yes --max-age 0", input: .text(shown.output), answers: .reading(stored))
    #expect(!run.errors.contains("there is no"))
  }

  /// The field has no value before and after.
  @Test(arguments: ["lamps=[]", "lamps="]) func anEmptyListThatStaysEmptyIsNotARemoval(words: String) {
    let stored = Lamps.connection().replacing(
      #"{ "field_id": "calendar""#,
      with: #"{ "field_id": "lamps", "field_type": "CHECKBOX_MULTI", "value": [] }, { "field_id": "calendar""#)
    #expect(stored != Lamps.connection())
    let home = Lamps.home()
    // The options of the first setting are fetched first.
    let reading = Server().answering(200, stored).answering(200, Lamps.actionOptions).answering(200, Lamps.sceneOptions)
    let alone = home.run("configure cc --set \(words)", answers: reading)
    #expect(alone.errors == "There is nothing to change.\n")
    let after = stored.replacing(#""value": "Hall""#, with: #""value": "Attic""#)
    let server = Server().answering(200, stored).answering(204).answering(200, after)
    let run = home.run("configure cc --set \(words) --set ft.name=Attic", answers: server)
    #expect(run.exit == .success, "no prompt is shown: \(run.errors)")
    #expect(server.body(1).contains(#"{"field_id":"lamps","value":[]}"#), "the list is sent unchanged")
  }

  /// Clearing a list is a removal, whichever option does it.
  @Test func emptyingAListIsARemoval() {
    let stored = Lamps.connection().replacing(
      #"{ "field_id": "calendar""#,
      with: #"{ "field_id": "lamps", "field_type": "CHECKBOX_MULTI", "value": [{"label":"Floor","value":"l_2"}] }, "#
        + #"{ "field_id": "calendar""#)
    let home = Lamps.home()
    let reading = Server().answering(200, stored).answering(200, Lamps.actionOptions).answering(200, Lamps.sceneOptions)
    let set = home.run("configure cc --set lamps=[]", answers: reading)
    #expect(
      set.notes.prefix(3) == [
        "ifttt: confirmation required", "  Remove 1 setting?", "  - ft.tides.add.lamps (Lamps): Floor",
      ])
    let shown = home.run("connections show cc --json", answers: Server().answering(200, stored))
    let file = shown.output.replacing(#""lamps":[{"group":null,"label":"Floor","value":"l_2"}]"#, with: #""lamps":[]"#)
    #expect(file != shown.output)
    let run = home.run("configure cc --file - --max-age 0", input: .text(file), answers: .reading(stored))
    #expect(run.notes.prefix(3) == set.notes.prefix(3))
  }

  @Test func addsEnablesDisablesAndRemovesFeatures() throws {
    let home = Lamps.home()
    let second =
      #", { "id": "u2", "feature_id": "gx", "enabled": true, "user_fields": [], "user_feature_triggers": [ { "feature_trigger_id": "t2", "user_fields": [ { "field_id": "place", "field_type": "LOCATION_POINT", "value": { "lat": 1, "lng": 2 } } ] } ], "user_feature_queries": [], "user_feature_actions": [] }"#
    let added = changed(Lamps.configuration(more: second))
    let run = home.run(
      "configure cc --enable-feature gx --set gx.place=1,2 -o csv --no-header --fields field,change", answers: added)
    #expect(run.output == "gx,added\ngx.sky.wind.place,added\n")
    #expect(run.exit == .success)
    let off = Server().answering(200, Lamps.connection()).answering(204).answering(
      200, Lamps.connection(Lamps.configuration(enabled: false)))
    let disabled = home.run(
      "configure cc --disable-feature ft -o csv --no-header --fields field,value,previous_value", answers: off)
    #expect(disabled.output == "ft,false,true\n")
    #expect(try off.sent(1)["enabled"] == false)
    let removed = home.run("configure cc --remove-feature u1", answers: Server().answering(200, Lamps.connection()))
    #expect(removed.notes.dropFirst().first == "  Remove 6 settings?")
    let unknown = home.run("configure cc --remove-feature nope", answers: Server().answering(200, Lamps.connection()))
    #expect(unknown.notes.first == "ifttt: there is no feature 'nope'")
  }

  @Test func addressesASecondUserFeature() throws {
    let home = Lamps.home()
    let server = changed(Lamps.configuration())
    let run = home.run(
      "configure cc --add-feature ft --set ft#2.name=Attic --set ft#2.scene=sc_1 --set ft#2.area=1,2,3", answers: server
    )
    let sent = try server.sent(3, feature: 1)
    #expect(sent["id"] == nil)
    #expect(sent["user_fields"]?.text == #"[{"field_id":"name","value":"Attic"},{"field_id":"scene","value":"sc_1"}]"#)
    #expect(run.exit == .failure, "IFTTT did not apply the change")
    let ambiguous = home.run(
      "configure cc --add-feature ft --set ft.name=Attic --max-age 0",
      answers: Server().answering(200, Lamps.connection()))
    #expect(ambiguous.notes == ["ifttt: 'ft.name' matches more than one field", "  Use one of: ft#1.name, ft#2.name."])
  }
}
