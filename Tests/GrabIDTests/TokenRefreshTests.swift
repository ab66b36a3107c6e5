import HTTP
import JSON
import PluginProtocol
import Support
import Testing
import Text
import World

@testable import GrabID

@Suite struct TokenRefreshTests {
  private func scene() throws -> (Scene, Account) {
    let scene = try Scene()
    let account = try scene.signedIn()
    scene.provider.requests = []
    return (scene, account)
  }

  private func row(_ scene: Scene) throws -> Account { try #require(try scene.host.accounts.first) }

  @Test func storesTheNewTokensAndKeepsTheRest() throws {
    let (scene, account) = try scene()
    let fresh = try TokenRefresh(world: scene.world).refreshed(account)
    #expect(fresh.tokens?.access.revealed == "access-token-number-2-of-the-family")
    #expect(fresh.tokens?.refresh?.revealed == "refresh-token-number-2-of-the-family")
    #expect(fresh.nonce == account.nonce && fresh.generation == 2)
    #expect(try row(scene).stored == fresh.stored)
    #expect(scene.host.held.isEmpty && scene.host.locks.contains("account/\(account.key)"))
  }

  @Test func onlyObtainedTokensNeedARecoveryFile() throws {
    let (scene, account) = try scene()
    let before = scene.host.obtained.count
    scene.host.beforeChange = { _ in throw FakeHost.readOnly }
    #expect(throws: FakeHost.readOnly) { try TokenRefresh(world: scene.world).refreshed(account) }
    #expect(scene.host.obtained.count == before && scene.provider.asked("/token").isEmpty)
    scene.host.beforeChange = { _ in }
    _ = try TokenRefresh(world: scene.world).refreshed(account)
    #expect(scene.host.obtained.dropFirst(before) == [[account.storedName]])
  }

  @Test func keepsTheOldRefreshTokenIfThereIsNoNewOne() throws {
    let (scene, account) = try scene()
    scene.provider.tokenResponse = ["refresh_token": .null, "id_token": .null]
    let fresh = try TokenRefresh(world: scene.world).refreshed(account)
    #expect(fresh.tokens?.refresh == account.tokens?.refresh && fresh.tokens?.id == account.tokens?.id)
  }

  @Test func isDueTwoMinutesOrAFifthOfTheLifetimeBeforeExpiry() throws {
    let (scene, account) = try scene()
    #expect(!account.refreshIsDue(at: Scene.start + .seconds(479)))
    #expect(account.refreshIsDue(at: Scene.start + .seconds(480)))
    scene.provider.tokenResponse = ["expires_in": 50]
    let short = try TokenRefresh(world: scene.world).refreshed(account)
    #expect(!short.refreshIsDue(at: Scene.start + .seconds(39)) && short.refreshIsDue(at: Scene.start + .seconds(40)))
    scene.provider.tokenResponse = ["expires_in": .null]
    #expect(
      !(try TokenRefresh(world: scene.world).refreshed(short).refreshIsDue(at: Scene.start + .seconds(1_000_000))))
  }

  @Test func theSecondProcessUsesTheTokensOfTheFirst() throws {
    let (scene, account) = try scene()
    scene.host.whenLocked = { [host = scene.host] name in
      // Another process was faster: it held the lock before, and its tokens are now in the row.
      var other = account
      other.generation = 2
      other.tokens?.access = .init(parsing: "the-token-of-the-other-process")!
      host.rows[account.storedName] = other.stored
    }
    let fresh = try TokenRefresh(world: scene.world).refreshed(account)
    #expect(fresh.tokens?.access.revealed == "the-token-of-the-other-process")
    #expect(scene.provider.asked("/token").isEmpty)
  }

  @Test func tokensThatAnotherProcessIsVerifyingAreNotRefreshedAgain() throws {
    let (scene, account) = try scene()
    var unverified = account
    unverified.isUnverified = true
    scene.host.whenLocked = { [host = scene.host] name in
      // The other process saved its tokens before this one read the account, and verified them since.
      var other = account
      other.tokens?.access = .init(parsing: "the-token-of-the-other-process")!
      host.rows[account.storedName] = other.stored
    }
    let fresh = try TokenRefresh(world: scene.world).usable(unverified)
    #expect(fresh.tokens?.access.revealed == "the-token-of-the-other-process")
    #expect(scene.provider.asked("/token").isEmpty, "a second request would revoke the token family")
  }

  @Test func nothingIsSpentIfTheStoreIsReadOnly() throws {
    let (scene, account) = try scene()
    scene.host.beforeChange = { names in if names.contains(account.storedName) { throw FakeHost.readOnly } }
    #expect(throws: FakeHost.readOnly) { try TokenRefresh(world: scene.world).refreshed(account) }
    #expect(scene.provider.asked("/token").isEmpty)
    #expect(try row(scene).stored == account.stored)
  }

  @Test func onlyInvalidGrantEndsASignIn() throws {
    let (scene, account) = try scene()
    for response in [
      Response(status: 500), Response(status: 403), scene.provider.refusal("invalid_client", status: 401),
      Response(status: 400, body: Array("<html>".utf8)), Response(status: 503), Response(status: 429),
    ] {
      scene.provider.overrides["/token"] = { _ in .success(response) }
      #expect(throws: GrabError.self) { try TokenRefresh(world: scene.world).refreshed(account) }
      #expect(try row(scene).stored == account.stored, "\(response.status)")
    }
    scene.provider.overrides["/token"] = { [provider = scene.provider] _ in .success(provider.refusal("invalid_grant"))
    }
    let failure = try scene.refused(.refreshRefused) { _ = try TokenRefresh(world: scene.world).refreshed(account) }
    #expect(failure.code == .unauthorized && failure.hint?.text == "Run 'ifttt grab login'.")
    let left = try row(scene)
    #expect(left.tokens == nil && left.name == account.name && left.subject == account.subject)
    _ = try scene.refused(.notSignedIn) { _ = try TokenRefresh(world: scene.world).usable(left) }
  }

  @Test func aLostResponseLeavesItsMark() throws {
    let (scene, account) = try scene()
    let lost = TransportError(kind: .broken, message: "reset", mayHaveArrived: true)
    scene.provider.overrides["/token"] = { _ in .failure(lost) }
    _ = try scene.refused(.noConnection) { _ = try TokenRefresh(world: scene.world).refreshed(account) }
    #expect(try row(scene).refreshingSince == Scene.start)
    scene.provider.overrides["/token"] = { [provider = scene.provider] _ in .success(provider.refusal("invalid_grant"))
    }
    let failure = try scene.refused(.refreshRefused) { _ = try TokenRefresh(world: scene.world).refreshed(account) }
    #expect(failure.message.hasPrefix("the last refresh was interrupted"))
  }

  @Test func anUnsentRequestLeavesNoMark() throws {
    let (scene, account) = try scene()
    let refused = TransportError(kind: .connect, message: "refused", mayHaveArrived: false)
    scene.provider.overrides["/token"] = { _ in .failure(refused) }
    _ = try scene.refused(.noConnection) { _ = try TokenRefresh(world: scene.world).refreshed(account) }
    #expect(try row(scene).refreshingSince == nil)
  }

  @Test(
    arguments: [
      (["sub": "u-2"], "sub"), (["aud": "someone-else"], "aud"), (["azp": "lampost-cli"], "azp"),
      (["nonce": "another"], "nonce"), (["iat": 1_769_999_000], "iat"), (["iss": "https://evil.test"], "iss"),
      (["at_hash": "AAAAAAAAAAAAAAAAAAAAAA"], "at_hash"),
    ] as [(JSONObject, String)])
  func aChangedIDTokenIsRejected(_ claims: JSONObject, _ check: String) throws {
    let (scene, account) = try scene()
    scene.provider.claims = claims
    do {
      _ = try TokenRefresh(world: scene.world).refreshed(account)
      Issue.record("the ID token was accepted")
    } catch let failure as GrabError {
      #expect(failure.details.map(\.parameter) == [check] && failure.code == .authorizationFailed)
    }
    let left = try row(scene)
    #expect(left.tokens?.id == account.tokens?.id, "the ID token is not stored")
    #expect(!left.accessIsValid(at: scene.test.clock.now()), "the access token is not used")
  }

  @Test func withoutARefreshTokenTheBrowserIsNotOpened() throws {
    let scene = try Scene()
    scene.provider.tokenResponse = ["refresh_token": .null]
    let account = try scene.signedIn()
    _ = try scene.refused(.noRefreshToken) { _ = try TokenRefresh(world: scene.world).refreshed(account) }
    scene.test.clock.advance(by: .seconds(550))
    #expect(try TokenRefresh(world: scene.world).usable(account).generation == 1, "the access token is still valid")
    scene.test.clock.advance(by: .seconds(100))
    let failure = try scene.refused(.refreshRefused) { _ = try TokenRefresh(world: scene.world).usable(account) }
    #expect(failure.hint?.text == "Run 'ifttt grab login'." && scene.host.openings.count == 1)
  }
}
