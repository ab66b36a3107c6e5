import HTTP
import JSON
import PluginProtocol
import Support
import Testing
import Text

@testable import GrabID

@Suite struct LogoutTests {
  private func run(_ scene: Scene, _ options: JSONObject) throws -> [JSONValue] {
    var rows: [JSONValue] = []
    try GrabCommands(world: scene.world) { if case .rows(let more) = $0 { rows += more } }
      .run(CommandCall("logout", options))
    return rows
  }

  @Test func revokesTheRefreshTokenFirstAndRemovesAll() throws {
    let scene = try Scene()
    try scene.signedIn()
    #expect(try run(scene, [:]) == [["account": "u-1@mail.test", "changed": true, "revoked": true]])
    let bodies = scene.provider.asked("/revoke").map { String(decoding: $0.body ?? [], as: UTF8.self) }
    #expect(
      bodies == [
        "token=refresh-token-number-1-of-the-family&token_type_hint=refresh_token&client_id=lampost-cli",
        "token=access-token-number-1-of-the-family&token_type_hint=access_token&client_id=lampost-cli",
      ])
    #expect(try scene.host.accounts.isEmpty && scene.host.rows[AccountStore.currentName] == nil)
    #expect(!scene.host.rows.values.contains { $0.contains("u-1") }, "no personal data remains")
    #expect(try run(scene, [:]) == [["account": .null, "changed": false, "revoked": false]], "logout is idempotent")
  }

  @Test func localSendsNothing() throws {
    let scene = try Scene()
    try scene.signedIn()
    scene.provider.requests = []
    #expect(try run(scene, ["local": true]).first?["revoked"] == false)
    #expect(scene.provider.requests.isEmpty && scene.host.rows.keys.contains { $0.hasPrefix("account/") } == false)
  }

  @Test(arguments: [401, 403, 500, 503]) func theLocalPartIsAlwaysDone(_ status: Int) throws {
    let scene = try Scene()
    try scene.signedIn()
    scene.provider.overrides["/revoke"] = { _ in .success(Response(status: status)) }
    #expect(try run(scene, [:]).first?["revoked"] == false)
    #expect(try scene.host.accounts.isEmpty)
    #expect(scene.host.notes.contains { $0.level == .warning && $0.text.hasPrefix("u-1@mail.test: not revoked") })
    try scene.signedIn()
    let failure = try scene.refused(.notRevoked) { _ = try run(scene, ["require-revocation": true]) }
    #expect(try scene.host.accounts.isEmpty && failure.grab == GrabCode(.logout, .serviceError))
  }

  @Test func unsupportedTokenTypesAreNotReportedAsRevoked() throws {
    let scene = try Scene()
    try scene.signedIn()
    let unsupported = scene.provider.refusal("unsupported_token_type")
    scene.provider.overrides["/revoke"] = { _ in .success(unsupported) }
    #expect(try run(scene, [:]).first?["revoked"] == false)
    #expect(scene.host.noteText.contains("the service does not revoke tokens of these types"))
    try scene.signedIn()
    scene.provider.overrides["/revoke"] = { request in
      let isAccess = String(decoding: request.body ?? [], as: UTF8.self).contains("hint=access_token")
      return isAccess ? .success(unsupported) : nil
    }
    #expect(try run(scene, [:]).first?["revoked"] == true, "the other kind was revoked")
  }

  @Test func anErrorOfBothRevocationsIsReportedOnce() throws {
    let scene = try Scene()
    try scene.signedIn()
    scene.provider.overrides["/revoke"] = { _ in .success(Response(status: 401)) }
    _ = try run(scene, [:])
    #expect(scene.host.notes.filter { $0.level == .warning }.count == 1)
  }

  @Test func logoutSucceedsOffline() throws {
    let scene = try Scene()
    try scene.signedIn()
    scene.provider.overrides["/revoke"] = { _ in
      .failure(TransportError(kind: .connect, message: "no", mayHaveArrived: false))
    }
    _ = try run(scene, [:])
    #expect(try scene.host.accounts.isEmpty)
  }

  @Test func theServicesSignOutPageIsOpenedOrPrinted() throws {
    let scene = try Scene()
    scene.provider.metadata = ["end_session_endpoint": .string("\(TestProvider.base)/end?lang=en")]
    try scene.signedIn()
    _ = try run(scene, ["browser": true])
    let page = try #require(scene.host.opened.first)
    #expect(
      page.hasPrefix("\(TestProvider.base)/end?lang=en&id_token_hint=ey") && page.hasSuffix("&client_id=lampost-cli"))
    #expect(!scene.host.noteText.contains("id_token_hint"), "a URL with a token is not shown")
    try scene.signedIn()
    _ = try run(scene, ["no-browser": true])
    #expect(scene.host.opened.count == 1 && scene.host.noteText.contains("/end?lang=en&id_token_hint=ey"))
  }

  @Test func signsOutOneAccountOrAll() throws {
    let scene = try Scene()
    scene.options.isForced = true
    for subject in ["u-1", "u-2", "u-3"] {
      scene.provider.subject = subject
      try scene.signedIn()
    }
    #expect(try run(scene, ["account": "u-2@mail.test"]).count == 1)
    #expect(try scene.host.accounts.map(\.subject).sorted() == ["u-1", "u-3"])
    _ = try scene.refused(.noSuchAccount) { _ = try run(scene, ["account": "u-2@mail.test"]) }
    #expect(try run(scene, ["all": true]).count == 2)
    #expect(try scene.host.accounts.isEmpty)
  }

  @Test func aReadOnlyStoreIsReported() throws {
    let scene = try Scene()
    try scene.signedIn()
    scene.host.beforeChange = { _ in throw FakeHost.readOnly }
    let failure = try scene.refused(.logoutNotStored) { _ = try run(scene, ["local": true]) }
    #expect(failure.code.rawValue == "store_read_only" && failure.grab == GrabCode(.logout, .logoutFailed))
  }

  @Test func aConnectionCanBeDisabledAndEnabled() throws {
    let scene = try Scene()
    let account = try scene.signedIn()
    let connections = GrabConnections(world: scene.world)
    #expect(try connections.all().map(\.status) == [.enabled])
    #expect(try connections.disable(account.id) == StatusChange(.disabled, from: .enabled))
    #expect(try connections.all().map(\.status) == [.disabled], "the account is remembered")
    #expect(try connections.disable(account.id) == StatusChange(.disabled, from: .disabled))
    #expect(try connections.enable(account.id) == StatusChange(.enabled, from: .disabled))
    #expect(try connections.connection(id: account.id).status == .enabled)
    let byName = try scene.refused(.noSuchAccount) { _ = try connections.connection(id: account.name) }
    #expect(byName.hint?.text == "u-1@mail.test is grab:\(account.id).")
    #expect(try connections.ids(beginning: "").map(\.value) == [account.id])
    #expect(try connections.accountNames(beginning: "u-").map(\.value) == ["u-1@mail.test"])
    scene.provider.subject = "u-2"
    _ = try connections.disable(account.id)
    #expect(throws: GrabError.self) { try connections.enable(account.id) }
    #expect(try connections.connection(id: account.id).status == .disabled, "another user signed in")
  }
}
