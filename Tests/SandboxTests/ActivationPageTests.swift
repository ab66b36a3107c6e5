import Foundation
import HTTP
import JSON
import Sandbox
import Testing
import World

/// The pages of an activation (docs/api/activation.md §17).
@Suite struct ActivationPageTests {
  private static let back = "http%3A%2F%2F127.0.0.1%3A47823%2Fr%2Fx"
  private static func access(_ id: String = "Ud6Jn1Gs", _ rest: String = "&email=kai%40mail.test") -> String {
    "/access/api/\(id)?sdk_return_to=\(back)\(rest)"
  }

  @Test func aReturningUserSeesEveryStep() throws {
    var browser = Browser()
    #expect(browser.open(Self.access()).status == 200 && browser.html.contains("kai_lamps"))
    #expect(browser.step == "account")
    browser.goOn()
    #expect(browser.step == "service" && browser.html.contains("Lampost Lights"))
    browser.goOn()
    #expect(browser.step == "configuration" && browser.html.contains("Red 🔴"))
    browser.goOn(typing: ["c.0.fields.0": "sc_32", "c.0.triggers0.0.lat": "38.5"])
    #expect(browser.step == "connect")
    #expect(browser.goOn().status == 303)
    let location = try #require(browser.returned)
    #expect(location.hasPrefix("http://127.0.0.1:47823/r/x?next_step=complete&user_token="))
    let token = String(location.split(separator: "=").last ?? "")
    #expect(browser.session.get("/v2/me", [.bearer(token)]).json["user_login"] == "kai_lamps")
    let shown = browser.session.get("/v2/connections/Ud6Jn1Gs", [.bearer(token)])
    #expect(shown.status200 == "enabled" && shown.assumptions == [] && shown.json["enabled_count"] == 1)
    let feature = try #require(browser.session.userFeatures("Ud6Jn1Gs").first)
    #expect(feature["user_fields"]?.array?.first?["value"]?["value"] == "sc_32")
    let area = feature["user_feature_triggers"]?.array?.first?["user_fields"]?.array?.first?["value"]
    #expect(area?["lat"]?.double == 38.5 && area?["radius"] == 5000)
  }

  @Test func aNewAccountIsCreatedAtTheEnd() throws {
    var browser = Browser()
    browser.open(Self.access("Ud6Jn1Gs", "&email=new%2Bone%40mail.test&sdk_create_account=true&code=oc_1"))
    #expect(browser.html.contains("A new account") && browser.html.contains("new+one@mail.test"))
    #expect(browser.session.get("/v2/account/find?email=new+one@mail.test").status == 404)
    browser.goOn()
    #expect(browser.step == "configuration", "the code is valid")
    browser.goOn()
    browser.goOn()
    let token = String(try #require(browser.returned).split(separator: "=").last ?? "")
    #expect(browser.session.get("/v2/account/find?email=new+one@mail.test").status == 204)
    #expect(browser.session.get("/v2/me", [.bearer(token)]).json["user_login"] == "new_one")
    #expect(browser.session.get("/v2/connections/Ud6Jn1Gs", [.bearer(token)]).status200 == "enabled")
    #expect(browser.session.get("/v2/connections/Ud6Jn1Gs", [.token]).status200 == "never_enabled")
    let state = browser.session.emulator.state
    #expect(try SandboxState(parsing: state.bytes) == state)
    // The code was valid only once.
    browser.open(Self.access("Ud6Jn1Gs", "&email=kai%40mail.test&code=oc_1"))
    browser.goOn()
    #expect(browser.step == "service")
  }

  @Test func anInvalidCodeOnlyAddsAStep() {
    var browser = Browser()
    browser.open(Self.access("Ud6Jn1Gs", "&username=mira_o&code=stale&skip_config=true"))
    #expect(browser.html.contains("mira_o"))
    browser.goOn()
    #expect(browser.step == "service")
    browser.goOn()
    #expect(browser.step == "connect" && browser.html.contains("pending"))
    browser.goOn()
    let shown = browser.session.get("/v2/connections/Ud6Jn1Gs", [.secondToken])
    #expect(shown.status200 == "enabled" && shown.assumptions == ["U4"])
    #expect(shown.json["user_connection"] == ["user_features": []])
  }

  @Test func invalidInputIsRequestedAgain() {
    var browser = Browser()
    browser.open(Self.access("Ud6Jn1Gs", "&username=nobody_here"))
    #expect(browser.html.contains("Who are you?"))
    browser.goOn(typing: ["email": "no address"])
    #expect(browser.step == "account" && browser.html.contains("class=\"error\""))
    browser.goOn(typing: ["email": "kai@mail.test"])
    browser.goOn()
    browser.goOn(typing: ["c.0.fields.0": "nosuch", "c.0.triggers0.0.lat": "1000"])
    #expect(browser.step == "configuration" && browser.html.components(separatedBy: "class=\"error\"").count == 3)
    browser.goOn(typing: ["c.0.on": nil, "c.0.fields.0": "sc_31"])
    #expect(browser.step == "configuration" && browser.html.contains("Turn on at least one feature"))
    #expect(browser.press(("outcome", "cancelled")).status == 303)
    #expect(browser.returned?.hasSuffix("?next_step=user_cancelled_configuration") == true)
    #expect(browser.session.get("/v2/connections/Ud6Jn1Gs", [.token]).status200 == "never_enabled")
  }

  /// Every field of every connection can be submitted with its initial value.
  @Test(arguments: SandboxFixtures.ownConnectionIDs)
  func everyFormCanBeSubmitted(_ id: String) throws {
    var browser = Browser()
    browser.open(Self.access(id, "&email=noor%40mail.test&invite_code=lantern-4417"))
    browser.goOn()
    browser.goOn()
    #expect(browser.step == "configuration")
    let selects = browser.html.components(separatedBy: "<select ").dropFirst()
    var typing: [String: String] = [:]
    for select in selects where !select.components(separatedBy: "</select>")[0].contains(" selected>") {
      let name = select.components(separatedBy: "name=\"")[1].components(separatedBy: "\"")[0]
      typing[name] =
        id == "Hx5Qm9Jd" ? "w 2" : select.components(separatedBy: "value=\"")[2].components(separatedBy: "\"")[0]
    }
    for part in browser.html.components(separatedBy: " name=\"").dropFirst() {
      let name = part.components(separatedBy: "\"")[0]
      if name.hasSuffix(".lat") || name.hasSuffix(".lng") { typing[name] = "7.5" }
      if name.hasSuffix(".radius") { typing[name] = "250" }
      if name.hasPrefix("c."), part.hasPrefix("\(name)\" value=\"\" dir"), typing[name] == nil { typing[name] = "text" }
    }
    browser.goOn(typing: typing)
    #expect(browser.step == "connect", "\(browser.html)")
    browser.goOn()
    let token = String(try #require(browser.returned).split(separator: "=").last ?? "")
    let features = browser.session.userFeatures(id, .bearer(token), .invite)
    #expect(!features.isEmpty && features.allSatisfy { $0["enabled"] == true })
    let put = browser.session.put(
      "/v2/connections/\(id)/user_connection", [.bearer(token), .invite], body: ["user_features": .array(features)])
    #expect(put.status == 200, "\(put.json.text)")
  }

  @Test func aProvisionalCodeIsValidOnceAndForTwoDays() throws {
    var browser = Browser()
    func code(_ oauth: JSONValue) throws -> String {
      let response = browser.session.post("/v2/provisional_access_code", [.key], json: ["oauth_code": oauth])
      return try #require(response.json["provisional_access_code"]?.string)
    }
    func stepAfterAccount(_ code: String) -> String? {
      browser.open("/connect/Ud6Jn1Gs?email=kai%40mail.test&code=\(code)")
      browser.goOn()
      return browser.step
    }
    let good = try code("oc_91fz")
    #expect(stepAfterAccount(good) == "configuration")
    #expect(stepAfterAccount(good) == "service")
    #expect(stepAfterAccount(try code("refused")) == "service")
    #expect(stepAfterAccount("pac_never_issued") == "service")
    let old = try code("oc_92")
    var bytes = String(decoding: browser.session.emulator.state.bytes, as: UTF8.self)
    let issued = EmulatorSession.now.milliseconds
    bytes = bytes.replacingOccurrences(of: "\(issued)", with: "\(issued - 48 * 3_600_000)")
    browser.session = EmulatorSession(try SandboxState(parsing: Array(bytes.utf8)))
    #expect(stepAfterAccount(old) == "service")
  }

  @Test func reconnectingResolvesThePendingState() {
    var browser = Browser()
    #expect(browser.session.get("/v2/connections/Yb8Cz3Ve", [.secondToken]).status200 == "disabled")
    #expect(browser.session.post("/v2/connections/Yb8Cz3Ve/enable", [.secondToken]).code == "emulator_pending")
    browser.open(Self.access("Yb8Cz3Ve", "&username=mira_o&skip_config=true&emulator_outcome=complete"))
    #expect(browser.session.post("/v2/connections/Yb8Cz3Ve/disable", [.secondToken]).status200 == "disabled")
    #expect(browser.session.post("/v2/connections/Yb8Cz3Ve/enable", [.secondToken]).code == "emulator_pending")
    browser.open(Self.access("Yb8Cz3Ve", "&username=mira_o&emulator_outcome=complete"))
    #expect(browser.session.get("/v2/connections/Yb8Cz3Ve", [.secondToken]).assumptions == [])
    #expect(browser.session.post("/v2/connections/Yb8Cz3Ve/disable", [.secondToken]).status200 == "disabled")
    #expect(browser.session.post("/v2/connections/Yb8Cz3Ve/enable", [.secondToken]).status200 == "enabled")
  }
}
