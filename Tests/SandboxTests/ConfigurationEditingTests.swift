import Foundation
import HTTP
import JSON
import Testing

@testable import Sandbox

/// The page on which a user's configuration is edited.
@Suite struct ConfigurationEditingTests {
  private static func target(_ connection: String, _ user: String) -> String {
    "/connections/\(connection)/edit?user_id=\(Browser.encoded(user))"
  }

  /// Each enabled connection of each seeded user.
  private static func enabled(in emulator: Emulator) -> [(connection: SeededConnection, user: SandboxFixtures.User)] {
    emulator.seed.allConnections.flatMap { seeded in
      emulator.allUsers.filter {
        $0.service == seeded.connection.services.first?.slug && emulator.status(of: $0, in: seeded) == .enabled
          && !emulator.configuration(of: $0, in: seeded).isPending
      }.map { (seeded, $0) }
    }
  }

  @Test(arguments: BuiltInSeed.allCases) func savingWithoutAChangeKeepsTheConfiguration(_ seed: BuiltInSeed) {
    var browser = Browser()
    browser.session = EmulatorSession(SandboxState(seed))
    let enabled = Self.enabled(in: browser.session.emulator)
    var count = 0
    for (seeded, user) in enabled {
      func configuration() -> [String] {
        browser.session.emulator.configuration(of: user, in: seeded).features
          .filter(\.isEnabled).map { $0.seedJSON.text }
      }
      let before = configuration()
      #expect(browser.open(Self.target(seeded.connection.id, user.id)).status == 200)
      let status = browser.press(("do", "go")).status
      #expect(configuration() == before, "\(seeded.connection.id) \(user.id)")
      guard status == 303 else {
        // Some stored values are no longer valid, such as an option that the field does not have any more.
        #expect(browser.html.contains("class=\"error\""), "\(seeded.connection.id) \(user.id)")
        continue
      }
      count += 1
      browser.open(browser.returned ?? "")
      #expect(browser.html.contains("Saved."))
    }
    #expect(count >= 4)
  }

  @Test func aChangeIsStoredAndTheServiceIsTold() {
    var browser = Browser()
    browser.session = EmulatorSession(SandboxState(.plain))
    browser.open(Self.target("Kd7Rn2Qx", "u-5521"))
    #expect(browser.press(("do", "go"), typing: ["c.0.fields.0": "sc_03"]).status == 303)
    let shown = browser.session.get(
      "/v2/connections/Kd7Rn2Qx", [Header("Authorization", "Bearer \(SandboxFixtures.userToken)")])
    let json = try? JSONValue(parsing: shown.body)
    let feature = json?["user_connection"]?["user_features"]?.array?.first
    #expect(feature?["user_fields"]?.array?.first?["value"]?["value"] == "sc_03")
    #expect(feature?["id"] == "8f0b6c1e-2d57-4a93-b8e4-71c0d9a5f326", "the ids stay")
    #expect(
      feature?["user_feature_triggers"]?.array?.first?["id"] == "d27e9a40-5b13-4c68-9f02-3e8a6b7c1d54")
  }

  @Test func wrongValuesAreExplainedAndChangeNothing() {
    var browser = Browser()
    browser.session = EmulatorSession(SandboxState(.plain))
    browser.open(Self.target("Kd7Rn2Qx", "u-5521"))
    let before = browser.session.emulator.state
    let typed = ["c.0.fields.0": "", "c.0.triggers0.0.lat": "north"]
    #expect(browser.press(("do", "go"), typing: typed).status == 200)
    #expect(browser.html.contains("Is required") && browser.html.contains("value=\"north\""))
    #expect(browser.session.emulator.state.configurations == before.configurations)
    // A form without any feature.
    #expect(browser.press(("do", "go"), typing: ["c.0.on": nil]).status == 200)
    #expect(browser.html.contains("Turn on at least one feature"))
  }

  @Test func onlyUsersOfTheConnectionHaveAConfiguration() {
    var browser = Browser()
    browser.session = EmulatorSession(SandboxState(.plain))
    #expect(browser.open(Self.target("Kd7Rn2Qx", "u-7304")).status == 409, "disabled")
    #expect(browser.open(Self.target("Kd7Rn2Qx", "nobody")).status == 404)
    #expect(browser.open(Self.target("none", "u-5521")).status == 404)
    #expect(browser.open("/connections/Kd7Rn2Qx/edit").status == 200, "the list of all users")
  }

  @Test func theServersOptionsAndValidationApply() throws {
    var session = try RuntimeSession()
    session.ask(.post, "/v2/connections/C1/enable")
    session.scripted["triggers/pressed/fields/lamp/options"] = .data([
      ["label": "Hall", "value": "hall"], ["label": "Roof", "value": "roof"],
    ])
    let target = Self.target("C1", "u-1")
    let page = session.browse(target)
    let html = String(decoding: page.body, as: UTF8.self)
    #expect(html.contains("<option value=\"hall\" selected>Hall</option><option value=\"roof\">Roof</option>"))
    session.scripted["triggers/pressed/fields/lamp/validate"] = .data(["valid": false, "message": "It is broken."])
    var form = Browser.inputs(in: html.components(separatedBy: "</form>")[0])
    let rejected = session.browse(target, form: form)
    #expect(rejected.status == 200 && String(decoding: rejected.body, as: UTF8.self).contains("It is broken."))
    session.scripted["triggers/pressed/fields/lamp/validate"] = .data(["valid": true])
    form = form.map { $0.name == "c.0.triggers0.0" ? QueryItem($0.name, "roof") : $0 }
    session.forget()
    #expect(session.browse(target, form: form).status == 303)
    let sent = session.sent.map { "\($0.call.method.rawValue) \($0.call.path.joined(separator: "/"))" }
    #expect(sent.contains("POST webhooks/connection/updated") && sent.contains("POST triggers/pressed"))
    #expect(session.body("triggers/pressed")?["triggerFields"]?["lamp"] == "roof")
  }
}
