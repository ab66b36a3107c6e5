import Foundation
import JSON
import PluginProtocol
import Support
import Testing
import Text
import World

@testable import GrabID

@Suite struct SettingsTests {
  /// The settings that a command would sign in with.
  private func settings(
    _ options: JSONObject, stored: GrabSettings? = nil, environment: [String: String] = [:], file: String? = nil
  ) throws -> GrabSettings {
    let folder = TemporaryFolder()
    let test = TestWorld(environment: environment, now: Scene.start, folder: folder, seed: 1)
    let host = FakeHost()
    if let stored { host.rows[GrabSettings.storedName] = stored.stored.text }
    var options = options
    if let file { folder.write("given", file) }
    for key in ["from-plist", "from-manifest", "client-secret-file"] {
      if let name = options[key]?.string { options[key] = .string(folder[name]) }
    }
    let http = Scene.client(test)
    return try GrabWorld(host: host, http: http, world: test.world).settings(
      for: CommandCall("login", options))
  }

  private static let plist = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict><key>CFBundleName</key><string>Lamp &amp; Post</string><key>GrabPartnerID</key><string>p-1</string>
    <key>GrabIdPartnerSDK</key><dict><key>ClientId</key><string>from-app</string><key>RedirectUrl</key><string>grablamp://open</string>
    <key>Scope</key><string>openid profile.read</string><key>ServiceDiscoveryUrl</key><string>https://idp.test/d</string>
    <key>AcrValues</key><dict><key>service</key><string>PASSENGER</string><key>empty</key><string></string></dict>
    <key>Hint</key><string>h</string><key>prompt</key><string>login</string></dict><key>n</key><integer>5</integer></dict></plist>
    """

  @Test func optionsOverrideEnvironmentAppAndStore() throws {
    var stored = GrabSettings()
    (stored.clientID, stored.issuer, stored.partnerID) = ("kept", "https://kept.test", "kept")
    stored.scope = try Scope(parsing: ["kept"])
    let merged = try settings(
      ["from-plist": "given", "client-id": "typed"], stored: stored,
      environment: ["IFTTT_GRAB_CLIENT_ID": "set", "IFTTT_GRAB_SCOPE": "set", "IFTTT_GRAB_ISSUER": ""], file: Self.plist
    )
    #expect(merged.clientID == "typed" && merged.scope?.names == ["set"] && merged.partnerID == "p-1")
    #expect(merged.issuer == "https://kept.test" && merged.redirectURI?.text == "grablamp://open")
  }

  @Test func aPropertyListHasAllKeysOfTheSDK() throws {
    let found = try settings(["from-plist": "given"], file: Self.plist)
    #expect(found.clientID == "from-app" && found.scope?.names == ["openid", "profile.read"])
    #expect(found.discoveryURL == "https://idp.test/d" && found.loginHint == "h" && found.prompt == "login")
    #expect(found.acrValues.map(\.text) == ["service:PASSENGER"], "an empty value is dropped, as the SDK does")
    let other = Self.plist.replacing("<key>prompt</key>", with: "<key>Prompt</key>").replacing(
      "GrabIdPartnerSDK", with: "GrabPartnerIdSDK")
    #expect(try settings(["from-plist": "given"], file: other).prompt == "login")
  }

  @Test func anAndroidManifestHasAllKeysOfTheSDK() throws {
    let text = """
      <?xml version="1.0"?><!-- c --><manifest xmlns:android="x"><application>
      <meta-data android:name="com.grab.partner.sdk.ClientId" android:value="from-&quot;app"/>
      <meta-data android:name='com.grab.partner.sdk.RedirectURI' android:value='https://lampost.test/back'/>
      <meta-data android:name="com.grab.partner.sdk.Scope" android:value="@string/scope"/>
      <meta-data android:name="com.grab.partner.sdk.AcrValues" android:value="service:PASSENGER consent_ctx:countryCode=SG"/>
      <meta-data android:name="com.other" android:value="no"/></application></manifest>
      """
    let found = try settings(["from-manifest": "given"], file: text)
    #expect(
      found.clientID == "from-\"app" && found.redirectURI?.text == "https://lampost.test/back" && found.scope == nil)
    #expect(found.acrValues.map(\.text) == ["service:PASSENGER", "consent_ctx:countryCode=SG"])
  }

  @Test(arguments: [
    ("from-plist", "rubbish", GrabEvent.noAppFile), ("from-plist", "<plist><dict></dict></plist>", .noGrabSettings),
    ("from-plist", "bplist00", .noAppFile), ("from-manifest", "<html></html>", .noAppFile),
    ("from-manifest", "<manifest></manifest>", .noGrabSettings),
    ("from-plist", "<!DOCTYPE p [<!ENTITY a \"b\">]><plist><dict/></plist>", .noAppFile),
  ])
  func rejectsOtherFiles(_ option: String, _ text: String, _ event: GrabEvent) throws {
    do {
      _ = try settings(JSONObject(members: [(option, "given")]), file: text)
      Issue.record("the file was accepted")
    } catch let failure as GrabError { #expect(failure.event == event && failure.code == .usage) }
  }

  /// The Info.plist of a built app is binary.
  @Test func aBinaryPropertyListIsRejectedWithTheCommandThatConvertsIt() throws {
    do {
      _ = try AppSettings(propertyList: Array("bplist00".utf8) + [0xd0, 8, 0])
      Issue.record("the file was accepted")
    } catch {
      #expect(error.event == .noAppFile && error.message == "the file is a binary property list")
      #expect(error.hint?.text == "Convert it to XML: plutil -convert xml1 -o Info.xml Info.plist")
    }
  }

  @Test func secretsComeOnlyFromFiles() throws {
    #expect(
      try settings(["client-secret-file": "given"], file: "lamp-oil-42\n").clientSecret?.revealed == "lamp-oil-42")
    #expect(throws: GrabError.self) { try settings(["client-secret-file": "given"], file: "two\nlines\n") }
    #expect(throws: GrabError.self) { try settings(["client-secret-file": "given"], file: "\n") }
    #expect(throws: GrabError.self) { try settings(["id-token-hint": "eyJhbGciOiJSUzI1NiJ9"]) }
  }

  @Test(
    arguments: [
      ["scope": [""]], ["scope": ["a\"b"]], ["acr-value": ["x"]], ["acr-value": ["x:"]], ["acr-value": [":x"]],
      ["acr-value": ["a b:c"]],
      ["acr-value": ["a:b c"]], ["environment": "moon"], ["environment": "staging", "discovery-url": "https://x.test"],
      ["claims": "no"], ["max-auth-age": "soon"], ["max-auth-age": "-5"], ["param": ["x"]], ["param": ["=x"]],
      ["param": ["a=1", "a=2"]],
      ["token-request": "xml"],
      ["algorithm": ["none"]], ["algorithm": ["HS256"]], ["from-plist": "a", "from-manifest": "b"],
      ["from-plist": "missing"],
    ] as [JSONObject])
  func reportsUsageErrors(_ options: JSONObject) throws {
    do {
      _ = try settings(options, file: "x")
      Issue.record("the options were accepted")
    } catch let failure as GrabError { #expect(failure.code == .usage) }
  }

  @Test func settingsAreReadBackAsStored() throws {
    var settings = GrabSettings()
    settings.clientID = "c"
    settings.scope = try Scope(parsing: ["openid", "x"])
    settings.acrValues = [try ACRValue(parsing: "service:PASSENGER")]
    (settings.tokenRequest, settings.tokenInfoRequest, settings.remoteVerification) = (.json, .form, .always)
    (settings.clockAllowance, settings.requiresPKCE, settings.strictKeyID) = (9, true, false)
    settings.moreAlgorithms = [.ps256]
    settings.trustedAudiences = ["friend"]
    let again = GrabSettings(stored: settings.stored, secret: nil)
    #expect(again.stored == settings.stored && again.scope == settings.scope)
    #expect(try Scope(parsing: ["a", "b"]) == Scope(parsing: ["b a"]), "order does not matter")
    #expect(try Scope(parsing: ["a"]) != Scope(parsing: ["A"]), "scopes are case-sensitive")
  }

  @Test func aParameterOfTheSignInCannotBeSetTwice() throws {
    for name in [
      "state", "client_id", "redirect_uri", "prompt", "claims", "response_mode", "nonce", "code_challenge_method",
    ] {
      let scene = try Scene()
      scene.settings.parameters = [(name, "x")]
      _ = try scene.refused(.badSetting)
    }
    let scene = try Scene()
    scene.provider.metadata = ["authorization_endpoint": "https://idp.lampost.test/authorize?state=fixed"]
    _ = try scene.refused(.authorizeURLImpossible)
  }
}
