import Foundation
import JSON
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
      for: GrabInvocation(command: "login", options: options))
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

  /// Each of 2,000 references means the same text of 1,500 bytes.
  @Test func aTextThatManyObjectsShareIsReadOnlyUpToALimit() {
    let array = [0xaf, 0x11, 0x07, 0xd0] + [UInt8](repeating: 1, count: 2000)
    let text = [0x5f, 0x11, 0x05, 0xdc] + [UInt8](repeating: UInt8(ascii: "x"), count: 1500)
    func list(_ array: [UInt8]) -> [UInt8] {
      let objects = Array("bplist00".utf8) + array + text
      let second = 8 + array.count
      let table = [0, 8, UInt8(second >> 8), UInt8(second & 255)]
      let numbers = [2, 0, objects.count].flatMap { (number: Int) -> [UInt8] in
        [0, 0, 0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 255)]
      }
      return objects + table + [0, 0, 0, 0, 0, 0, 2, 1] + numbers
    }
    #expect(PropertyList(parsing: list(array)) == nil)
    let few = [0xaf, 0x10, 3] + [UInt8](repeating: 1, count: 3)
    let shared = PropertyList.text(String(repeating: "x", count: 1500))
    #expect(PropertyList(parsing: list(few)) == .array([shared, shared, shared]))
  }

  @Test func aBinaryPropertyListGivesTheSameSettings() throws {
    let python = try #require(Tool("python3"))
    let scratch = try ScratchFolder()
    try scratch.write(Self.plist, to: "a.plist")
    let made = try python.run(
      [
        "-c",
        "import plistlib,sys; d=plistlib.load(open('a.plist','rb')); d['GrabIdPartnerSDK']['Hint']='hü😀'; d['GrabIdPartnerSDK']['Scope']='openid '+'x'*300; plistlib.dump(d, open('b.plist','wb'), fmt=plistlib.FMT_BINARY)",
      ],
      in: scratch)
    #expect(made.status == 0)
    let bytes = [UInt8](try Data(contentsOf: scratch.url.appending(path: "b.plist")))
    let found = try AppSettings(propertyList: bytes).settings
    #expect(found.clientID == "from-app" && found.loginHint == "hü😀" && found.scope?.names.last?.utf8.count == 300)
    #expect(found.acrValues.map(\.text) == ["service:PASSENGER"] && found.partnerID == "p-1")
    for index in bytes.indices {
      // With any corrupted byte, parsing ends with settings or an error.
      var broken = bytes
      broken[index] ^= 0xff
      _ = try? AppSettings(propertyList: broken)
      _ = try? AppSettings(propertyList: Array(bytes[..<index]))
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
