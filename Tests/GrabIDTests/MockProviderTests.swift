import Foundation
import HTTP
import JSON
import PluginProtocol
import Testing
import Text
import World

@testable import GrabID

/// oidc-provider-mock, a provider that differs from django-oauth-toolkit in several ways.
@Suite(.enabled(if: PythonTools.python != nil, Comment(rawValue: PythonTools.requirement)))
struct MockProviderTests {
  private func scene(_ person: String...) throws -> LiveScene {
    let scene = try LiveScene(ProviderProcess.mock())
    scene.settings.clientID = "lampost-cli"
    scene.settings.clientSecret = Secret(parsing: "any-secret-will-do-here")
    scene.settings.issuer = scene.party.base
    scene.settings.discoveryURL = "\(scene.party.base)/.well-known/openid-configuration"
    scene.settings.scope = try Scope(parsing: ["openid", "email"])
    scene.host.person = { [party = scene.party] opening in
      let head = try party.curl(["-i", opening.url] + person.flatMap { ["-d", $0] })
      let location = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("location:") }
      return String(location?.split(separator: "?", maxSplits: 1).last ?? "")
    }
    return scene
  }

  @Test func acceptsATokenWithoutKeyIDAndWithAListOfAudiences() throws {
    let scene = try scene("sub=alice")
    let account = try scene.signedIn()
    #expect(account.subject == "alice" && account.name == "alice@mail.test")
    let token = try CompactToken(parsing: try #require(account.tokens?.id).revealed, allowed: [.rs256])
    #expect(token.keyID == nil && token.claims["aud"] == ["lampost-cli"], "the provider still behaves this way")
    #expect(scene.host.notes.contains { $0.text.hasPrefix("the service does not advertise whether it supports PKCE") })
  }

  @Test func anErrorRedirectWithoutAStateIsRejected() throws {
    let scene = try scene("action=deny")
    #expect(try scene.event { _ = try scene.signedIn() } == .stateMismatch, "a real host would keep waiting")
  }

  @Test func aRejectedRefreshDeletesNothing() throws {
    let scene = try scene("sub=alice")
    let account = try scene.signedIn()
    #expect(try scene.event { _ = try TokenRefresh(world: scene.world).refreshed(account) } == .clientRefused)
    #expect(try scene.host.accounts.first?.tokens?.refresh == account.tokens?.refresh)
  }

  @Test func signingOutReportsMissingRevocation() throws {
    let scene = try scene("sub=alice")
    let account = try scene.signedIn()
    let ended = try Logout(world: scene.world, isLocal: false, settings: GrabSettings()).end(account)
    #expect(!ended.revoked && ended.notes.map(\.event) == [.notRevoked])
    #expect(try scene.host.accounts.isEmpty)
  }
}
