import Crypto
import HTTP
import JSON
import Support
import Testing
import Text
import World

@testable import GrabID

/// Failures between spending a code and saving the account. Steps that can fail come earlier, and later failures do
/// not damage an existing account.
@Suite struct SpentCodeTests {
  private enum Way: CaseIterable { case login, complete, device }

  /// Signs in by one of the three ways.
  private func signIn(_ way: Way, _ scene: Scene) throws -> Account {
    switch way {
    case .login: return try scene.signedIn()
    case .complete:
      scene.options.printsURL = true
      guard case .pending(let url, let redirectURI, _) = try scene.login() else {
        throw FakeHost.Unexpected(what: "no pending login")
      }
      return try LoginFinish(world: scene.world).account(
        pasted: "\(redirectURI)?\(scene.provider.authorize(url))")
    case .device:
      scene.options.usesDevice = true
      scene.provider.overrides["/device"] = { _ in
        .success(
          Response(
            status: 200,
            body: JSONValue.object([
              "device_code": "the-device-code", "user_code": "WDJB", "expires_in": 60,
              "verification_uri": "https://idp.lampost.test/device",
            ]).bytes))
      }
      return try scene.signedIn()
    }
  }

  private func isSpent(_ scene: Scene) -> Bool { !scene.provider.asked("/token").isEmpty }

  @Test(arguments: Way.allCases)
  private func unavailableKeysSpendNoCode(_ way: Way) throws {
    let scene = try Scene()
    scene.provider.overrides["/keys"] = { _ in .success(Response(status: 503)) }
    _ = try scene.refused(.noKeySet) { _ = try signIn(way, scene) }
    #expect(!isSpent(scene))
    #expect(try scene.host.accounts.isEmpty)
    // The address can be pasted again.
    #expect(scene.host.pending.count == (way == .complete ? 1 : 0))
  }

  @Test(arguments: Way.allCases)
  private func nothingIsFetchedBetweenSpendingTheCodeAndSaving(_ way: Way) throws {
    let scene = try Scene()
    scene.settings.scope = try Scope(parsing: ["openid", "profile.read"])
    scene.provider.claims = ["email": .null]
    var saved: [String]?
    scene.host.beforeChange = { [provider = scene.provider] names in
      if saved == nil, names.contains(where: { $0.hasPrefix(Account.prefix) }) {
        saved = provider.requests.map(\.url.path)
      }
    }
    let account = try signIn(way, scene)
    #expect(saved?.last == "/token" && saved?.contains("/keys") == true)
    #expect(account.name == "alice@mail.test", "requested afterwards")
    #expect(try scene.host.accounts.map(\.name) == ["alice@mail.test"])
  }

  @Test(arguments: Way.allCases)
  private func ctrlCWhileTheCodeIsSpentTakesEffectAfterSaving(_ way: Way) throws {
    let scene = try Scene()
    scene.provider.amend["/token"] = { [test = scene.test, host = scene.host] response in
      test.interruption.interrupt()
      host.isCancelled = true
      return response
    }
    let account = try signIn(way, scene)
    #expect(try scene.host.accounts.map(\.stored) == [account.stored])
    #expect(scene.host.obtained.last?.contains(account.storedName) == true)
  }

  /// If a second sign-in fails after its code is spent, the first one stays unchanged.
  @Test(arguments: Way.allCases)
  private func laterFailuresLeaveTheExistingAccountUnchanged(_ way: Way) throws {
    let faults: [(Scene) -> Void] = [
      { $0.provider.claims = ["iss": "https://evil.test"] }, { $0.provider.tokenResponse = ["access_token": .null] },
      { $0.provider.tokenResponse = ["id_token": .null] }, { $0.provider.tokenResponse = ["id_token": "not.a.token"] },
      { $0.provider.overrides["/token"] = { _ in .success(Response(status: 200, body: Array("<html>".utf8))) } },
      {
        $0.provider.overrides["/token"] = { _ in
          .failure(TransportError(kind: .broken, message: "reset", mayHaveArrived: true))
        }
      },
      {
        // The key was changed after the keys were fetched.
        let scene = $0
        scene.provider.overrides["/token"] = { [provider = scene.provider] _ in
          (provider.key, provider.keyID) = (P256.Signing.PrivateKey(), "lamp-2")
          provider.overrides["/keys"] = { _ in .success(Response(status: 503)) }
          return nil
        }
      },
      { $0.settings.remoteVerification = .always },
    ]
    for (number, fault) in faults.enumerated() {
      let scene = try Scene()
      let first = try scene.signedIn()
      scene.options.isForced = true
      fault(scene)
      scene.host.waited = { [test = scene.test] in test.clock.advance(by: .seconds($0)) }
      #expect(throws: (any Error).self, "fault \(number)") { _ = try signIn(way, scene) }
      #expect(try scene.host.accounts.map(\.stored) == [first.stored], "fault \(number)")
      #expect(scene.host.held.isEmpty && scene.host.pending.isEmpty, "fault \(number)")
    }
  }

  @Test(arguments: Way.allCases)
  private func aFailingStoreReceivesTheTokensAsObtained(_ way: Way) throws {
    let scene = try Scene()
    scene.host.beforeChange = { names in
      if names.contains(where: { $0.hasPrefix(Account.prefix) }) { throw FakeHost.readOnly }
    }
    #expect(throws: FakeHost.readOnly) { _ = try signIn(way, scene) }
    #expect(scene.host.obtained.count == 1 && scene.host.obtained[0].contains { $0.hasPrefix(Account.prefix) })
  }

  @Test(arguments: Way.allCases)
  private func anUnavailableLockLosesNoTokens(_ way: Way) throws {
    let scene = try Scene()
    scene.host.refusesLocks = true
    let account = try signIn(way, scene)
    #expect(try scene.host.accounts.map(\.key) == [account.key])
  }

  @Test(arguments: Way.allCases)
  private func anUnavailableNameLosesNoTokens(_ way: Way) throws {
    let scene = try Scene()
    scene.settings.scope = try Scope(parsing: ["openid", "profile.read"])
    scene.provider.claims = ["email": .null]
    scene.provider.overrides["/userinfo"] = { [test = scene.test] _ in
      test.interruption.interrupt()
      return .failure(TransportError(kind: .broken, message: "reset", mayHaveArrived: true))
    }
    let account = try signIn(way, scene)
    #expect(account.name == "u-1")
    #expect(try scene.host.accounts.map(\.stored) == [account.stored])
  }

  @Test func aLateNameDoesNotOverwriteNewerTokens() throws {
    let scene = try Scene()
    scene.settings.scope = try Scope(parsing: ["openid", "profile.read"])
    scene.provider.claims = ["email": .null]
    scene.provider.overrides["/userinfo"] = { [host = scene.host] _ in
      // Another process refreshes while the name is requested.
      for (name, text) in host.rows where name.hasPrefix(Account.prefix) {
        guard var row = Account(stored: text) else { continue }
        row.generation += 1
        row.tokens?.refresh = Secret(parsing: "the-token-of-the-other-process")
        host.rows[name] = row.stored
      }
      return nil
    }
    try scene.signedIn()
    #expect(try scene.host.accounts.first?.tokens?.refresh?.revealed == "the-token-of-the-other-process")
  }
}
