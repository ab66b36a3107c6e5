import HTTP
import JSON
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// `connections undo` after `configure`: the whole previous configuration is sent.
@Suite struct UndoConfigureTests {
  private static let rows = "-o csv --no-header --fields id,status,previous_status,changed"
  private let home = Lamps.home()

  private func connection(scene: String, name: String = "Hall") -> String {
    Lamps.connection(Lamps.configuration(name: name, scene: scene))
  }

  /// Changes `Night` to `Evening`.
  private func configured() {
    let server = Server.reading().answering(204).answering(200, connection(scene: "sc_1"))
    let run = home.run("configure cc --set ft.scene=Evening", answers: server)
    #expect(run.exit == .success, "\(run.errors)")
  }

  private func replacing(_ present: String, with next: String) -> Server {
    Server().answering(200, connection(scene: present)).answering(204).answering(200, connection(scene: next))
  }

  private func scene(in server: Server, request: Int = 1) throws -> String? {
    try server.sent(request)["user_fields"]?.array?.first { $0["field_id"] == "scene" }?["value"]?.string
  }

  @Test func undoAndRedoRestoreTheWholeConfiguration() throws {
    configured()
    let server = replacing("sc_1", with: "sc_4")
    let undo = home.run("connections undo \(Self.rows)", answers: server)
    #expect(undo.output == "cc,enabled,enabled,true\n")
    #expect(undo.errors == "")
    #expect(
      server.asked == [
        "GET connect.ifttt.com/v2/connections/cc?user_id=u-1",
        "PUT connect.ifttt.com/v2/connections/cc/user_connection?user_id=u-1",
        "GET connect.ifttt.com/v2/connections/cc?user_id=u-1",
      ])
    #expect(try scene(in: server) == "sc_4")
    // The whole configuration, in the form in which it was sent before.
    #expect(server.body(1).contains(#"{"field_id":"area","value":{"lat":38.736900,"lng":-9.1427,"radius":220.5,"#))
    let redo = replacing("sc_4", with: "sc_1")
    #expect(home.run("connections redo \(Self.rows)", answers: redo).output == "cc,enabled,enabled,true\n")
    #expect(try scene(in: redo) == "sc_1")
    #expect(redo.body(1).contains(#"{"field_id":"area","value":{"lat":38.736900,"lng":-9.1427,"radius":220.5,"#))
  }

  @Test func aDryRunShowsTheDifferenceAndSendsNothing() throws {
    configured()
    func present() -> Server { Server().answering(200, connection(scene: "sc_1")) }
    let plan = home.run("connections undo --dry-run --exit-code --json", answers: present())
    #expect(plan.exit == .notYet)
    let rows = try #require(try JSONValue(parsing: Array(plan.output.utf8)).array)
    #expect(rows.count == 1)
    #expect(rows.first?["before"]?["fields"]?["ft.scene"] == "sc_1", "\(plan.output)")
    #expect(rows.first?["after"]?["fields"]?["ft.scene"] == "sc_4", "\(plan.output)")
    let requests = rows.first?["requests"]?.array
    #expect(requests?.count == 1)
    #expect(requests?.first?["method"] == "PUT")
    #expect(
      requests?.first?["url"] == "https://connect.ifttt.com/v2/connections/cc/user_connection?user_id=u-1")
    let table = home.run("connections undo --dry-run --exit-code", answers: present())
    #expect(table.exit == .notYet)
    #expect(
      table.notes == ["cc  Lamps", "  ~ ft.scene (Scene): sc_1 → sc_4", "ifttt: something would change"])
    let back = Server().answering(200, connection(scene: "sc_4"))
    let nothing = home.run("connections undo --dry-run --exit-code", answers: back)
    #expect(nothing.exit == .success)
    #expect(nothing.notes == ["Nothing would be sent."])
  }

  @Test func aRevertedConnectionNeedsNoRequest() {
    configured()
    let server = Server().answering(200, connection(scene: "sc_4"))
    #expect(home.run("connections undo \(Self.rows)", answers: server).output == "cc,enabled,enabled,false\n")
  }

  @Test func aLaterConfigurationIsPreservedUnlessForced() throws {
    configured()
    let other = connection(scene: "sc_1", name: "Attic")
    let left = home.run("connections undo \(Self.rows)", answers: Server().answering(200, other))
    #expect(left.output == "cc,enabled,enabled,false\n")
    #expect(left.notes.first?.hasPrefix("ifttt: connection 'cc' was changed by others since") == true)
    #expect(left.notes.last == "  Pass --force to revert it too.")
    #expect(left.exit == .failure)
    let coded = home.run("connections undo --json", answers: Server().answering(200, other))
    #expect(coded.errors.contains(#""code":"conflict""#))
    let server = Server().answering(200, other).answering(204).answering(200, connection(scene: "sc_4"))
    let forced = home.run("connections undo --force \(Self.rows)", answers: server)
    #expect(forced.output == "cc,enabled,enabled,true\n")
    #expect(try scene(in: server) == "sc_4")
  }

  /// Undoing the addition of a feature removes it, which needs a confirmation.
  @Test func undoRemovesAnAddedFeature() throws {
    let second =
      #", { "id": "u2", "feature_id": "gx", "enabled": true, "user_fields": [], "user_feature_triggers": [ { "feature_trigger_id": "t2", "user_fields": [ { "field_id": "place", "field_type": "LOCATION_POINT", "value": { "lat": 1, "lng": 2 } } ] } ], "user_feature_queries": [], "user_feature_actions": [] }"#
    let two = Lamps.connection(Lamps.configuration(more: second))
    let added = Server.reading().answering(204).answering(200, two)
    #expect(home.run("configure cc --enable-feature gx --set gx.place=1,2", answers: added).exit == .success)
    let plan = home.run("connections undo --dry-run", answers: Server().answering(200, two))
    #expect(plan.notes.contains { $0.hasPrefix("  - gx (Wind)") }, "\(plan.errors)")
    #expect(plan.notes.contains("  - gx.sky.wind.place (Place): 1, 2"), "\(plan.errors)")
    #expect(plan.notes.last == "Would ask: Change 1 connection, removing 2 settings?")
    let refused = home.run("connections undo", answers: Server().answering(200, two))
    #expect(refused.exit == .failure)
    #expect(refused.output == "")
    #expect(refused.errors.contains("Change 1 connection, removing 2 settings?"))
    #expect(refused.notes.last == "  Run 'ifttt connections undo --yes'.")
    let server = Server().answering(200, two).answering(204).answering(200, Lamps.connection())
    let undo = home.run("connections undo --yes \(Self.rows)", answers: server)
    #expect(undo.output == "cc,enabled,enabled,true\n")
    #expect(undo.errors == "")
    #expect(!server.body(1).contains("gx"))
  }

  /// It is unknown whether the request arrived; the previous configuration was journaled before it was sent.
  @Test func aChangeWithoutAResponseCanBeUndone() throws {
    let lost = Server.reading().failing(.timeout, "Timeout", mayHaveArrived: true)
      .failing(.timeout, "Timeout", mayHaveArrived: true)
    #expect(home.run("configure cc --set ft.scene=Evening --retries 0", answers: lost).exit == .unavailable)
    let server = replacing("sc_1", with: "sc_4")
    #expect(home.run("connections undo \(Self.rows)", answers: server).output == "cc,enabled,enabled,true\n")
    #expect(try scene(in: server) == "sc_4")
  }

  @Test func aRejectedChangeLeavesNothingToUndo() {
    let rejected = Server.reading().answering(422, Server.error("invalid_parameters", "No"))
    #expect(home.run("configure cc --set ft.scene=Evening", answers: rejected).exit == .failure)
    #expect(home.run("connections undo").exit == .notFound)
  }

  /// IFTTT does not always return the configuration, and an unknown configuration cannot be restored.
  @Test func anUnknownConfigurationCannotBeRestored() {
    let server = Server().answering(200, Lamps.connection(nil)).answering(200, Lamps.sceneOptions).answering(204)
      .answering(200, connection(scene: "sc_1"))
    home.run("configure cc --set ft.name=Hall --set ft.scene=Evening --set ft.area=1,2,3 --yes", answers: server)
    let undo = home.run("connections undo")
    #expect(undo.notes.first?.hasPrefix("ifttt: run 1, 'ifttt configure ") == true, "\(undo.errors)")
    #expect(undo.errors.contains("cannot be undone"))
    #expect(undo.errors.contains("the previous settings of connection 'cc' are unknown"))
    #expect(undo.notes.last == "  Set them with 'ifttt configure cc'.")
    #expect(undo.exit == .failure)
    #expect(home.run("connections undo --json").errors.contains(#""code":"cannot_undo""#))
  }

  @Test func aFailedUndoIsResumed() throws {
    configured()
    let failed = Server().answering(200, connection(scene: "sc_1")).answering(503)
      .answering(200, connection(scene: "sc_1"))
    #expect(home.run("connections undo --retries 0", answers: failed).exit == .unavailable)
    let server = replacing("sc_1", with: "sc_4")
    let resumed = home.run("connections undo --resume \(Self.rows)", answers: server)
    #expect(resumed.output == "cc,enabled,enabled,true\n")
    #expect(try scene(in: server) == "sc_4")
    #expect(home.run("connections undo --resume").exit == .notFound)
  }

  /// The steps of a user, with the emulator in place of IFTTT.
  @Test func undoRestoresTheSandbox() {
    let home = Home()
    let show = "configure Kd7Rn2Qx --no-input --json"
    let before = home.sandbox(show).output
    #expect(home.sandbox("configure Kd7Rn2Qx --set mw4tq9hzjc.scene=Evening").exit == .success)
    let after = home.sandbox(show).output
    #expect(after != before)
    #expect(home.sandbox("connections undo").exit == .success)
    #expect(home.sandbox(show).output == before)
    #expect(home.sandbox("connections redo").exit == .success)
    #expect(home.sandbox(show).output == after)
  }
}
