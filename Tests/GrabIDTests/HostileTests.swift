import HTTP
import JSON
import PluginProtocol
import Support
import Testing
import Text
import World

@testable import GrabID

/// Services with one fault each: nothing from them is ever stored.
@Suite struct HostileTests {
  private func refusal(_ event: GrabEvent, _ change: (Scene) -> Void) throws -> GrabError {
    let scene = try Scene()
    change(scene)
    let failure = try scene.refused(event)
    #expect(try scene.host.accounts.isEmpty && scene.host.pending.isEmpty)
    #expect(scene.host.finished == [false], "the browser page reports the failure")
    return failure
  }

  @Test(
    arguments: [
      (["nonce": "another"], .nonceMismatch, "nonce"), (["nonce": .null], .nonceMismatch, "nonce"),
      (["aud": "someone-else"], .idTokenInvalid, "aud"), (["aud": []], .idTokenInvalid, "aud"),
      (["iss": "https://evil.test"], .idTokenInvalid, "iss"), (["exp": 1_769_999_000], .idTokenInvalid, "exp"),
      (["iat": 1_769_999_000], .idTokenInvalid, "iat"),
      (["at_hash": "AAAAAAAAAAAAAAAAAAAAAA"], .idTokenInvalid, "at_hash"),
      (["c_hash": "AAAAAAAAAAAAAAAAAAAAAA"], .idTokenInvalid, "c_hash"),
      (["azp": "someone-else"], .idTokenInvalid, "azp"),
      (["sub": ""], .idTokenInvalid, "sub"),
    ] as [(JSONObject, GrabEvent, String)])
  func rejectsAWrongClaim(_ claims: JSONObject, _ event: GrabEvent, _ name: String) throws {
    let failure = try refusal(event) { $0.provider.claims = claims }
    #expect(failure.code == .authorizationFailed && failure.details.map(\.parameter) == [name])
  }

  @Test func rejectsAnUnsignedToken() throws {
    let failure = try refusal(.idTokenInvalid) { scene in
      scene.host.person = { opening in
        let back = scene.provider.authorize(opening.url)
        let claims = scene.provider.idToken(nonce: "x").split(separator: ".")[1]
        let header = Base64.url.encode(Array(#"{"alg":"none"}"#.utf8))
        scene.provider.tokenResponse = ["id_token": .string("\(header).\(claims).")]
        return back
      }
    }
    #expect(failure.details.map(\.parameter) == ["algorithm"])
  }

  @Test(arguments: ["header.claims.signature\n", String(repeating: "x", count: 17_000)])
  func rejectsTextThatIsNotAToken(_ text: String) throws {
    let failure = try refusal(.idTokenInvalid) { $0.provider.tokenResponse = ["id_token": .string(text)] }
    #expect(failure.code == .authorizationFailed && failure.details.map(\.parameter) == ["encoding"])
  }

  @Test func rejectsAnotherPartner() throws {
    let failure = try refusal(.partnerMismatch) { $0.settings.partnerID = "partner-other" }
    #expect(failure.grab == GrabCode(.exchangeToken, .invalidPartnerId))
  }

  @Test(
    arguments: [
      ["access_token": .null], ["access_token": ""], ["access_token": 5], ["access_token": "a\nb"],
      ["token_type": .null],
      ["token_type": "mac"], ["expires_in": .number(JSONNumber(1.5))], ["expires_in": "1.5"], ["expires_in": [5]],
      ["id_token": .null],
      ["id_token": 5], ["refresh_token": 5],
    ] as [JSONObject])
  func rejectsAnInvalidTokenResponse(_ response: JSONObject) throws {
    let failure = try refusal(.tokenUnreadable) { $0.provider.tokenResponse = response }
    #expect(failure.code == .badResponse && failure.grab == GrabCode(.exchangeToken, .invalidResponse))
  }

  @Test(
    arguments: [
      (["token_type": "BEARER"], 600), (["expires_in": "600"], 600), (["expires_in": .null], nil),
      (["expires_in": 0], 0),
      (["expires_in": -5], 0), (["expires_in": 99_999_999_999_999], 315_360_000), (["scope": "openid x"], 600),
      (["refresh_token": .null], 600), (["expires_in": "99999999999999999999999"], 315_360_000),
    ] as [(JSONObject, Int?)])
  func acceptsUnusualTokenResponses(_ response: JSONObject, _ seconds: Int?) throws {
    let scene = try Scene()
    scene.provider.tokenResponse = response
    let account = try scene.signedIn()
    #expect(account.tokens?.expiresAt == seconds.map { Scene.start + .seconds($0) })
  }

  @Test(
    arguments: [
      (400, #"{"error":"invalid_grant"}"#, .codeRefused, "authorization_failed"),
      (401, #"{"error":"invalid_client"}"#, .clientRefused, "unauthorized"), (401, "", .clientRefused, "unauthorized"),
      (400, #"{"error":"invalid_scope"}"#, .invalidScope, "invalid_parameters"),
      (400, #"{"error":"temporarily_unavailable"}"#, .unavailable, "server_error"),
      (403, #"{"error":"invalid_code"}"#, .tokenRefused, "authorization_failed"),
      (400, "<html>", .tokenRefused, "authorization_failed"),
      (400, "", .tokenRefused, "authorization_failed"), (500, "", .tokenServerError, "server_error"),
      (503, "", .unavailable, "server_error"), (429, "", .tooManyRequests, "rate_limited"),
      (200, "", .tokenUnreadable, "bad_response"),
      (200, #"{"access_token":"a","access_token":"b"}"#, .tokenUnreadable, "bad_response"),
    ] as [(Int, String, GrabEvent, String)])
  func reportsAnErrorResponse(_ status: Int, _ body: String, _ event: GrabEvent, _ code: String) throws {
    let failure = try refusal(event) { scene in
      scene.provider.overrides["/token"] = { _ in .success(Response(status: status, body: Array(body.utf8))) }
    }
    #expect(failure.code.rawValue == code)
  }

  @Test(arguments: [302, 303, 307, 308]) func rejectsARedirectOfTheTokenEndpoint(_ status: Int) throws {
    let failure = try refusal(.tokenUnreadable) { scene in
      scene.provider.overrides["/token"] = { _ in
        .success(Response(status: status, headers: [.init("Location", "https://evil.test/token")]))
      }
    }
    #expect(failure.code == .badResponse)
  }

  @Test func aMissingEndpointIsLookedUpOnce() throws {
    let scene = try Scene()
    scene.provider.overrides["/token"] = { [provider = scene.provider] _ in
      provider.metadata = ["token_endpoint": "https://idp.lampost.test/moved"]
      return .success(Response(status: 410))
    }
    scene.provider.overrides["/moved"] = { [provider = scene.provider] _ in .success(provider.refusal("invalid_grant"))
    }
    _ = try scene.refused(.codeRefused)
    #expect(scene.provider.asked("/moved").count == 1)
    #expect(scene.provider.asked("/.well-known/openid-configuration").count == 2)
    let still = try refusal(.tokenRefused) { scene in
      scene.provider.overrides["/token"] = { _ in .success(Response(status: 404)) }
    }
    #expect(still.status == 404)
  }

  @Test func aCodeIsNotSentAgainAfterALostResponse() throws {
    let scene = try Scene()
    scene.http.policy.retries = 3
    var count = 0
    scene.provider.overrides["/token"] = { _ in
      count += 1
      return .failure(TransportError(kind: .broken, message: "reset", mayHaveArrived: true))
    }
    _ = try scene.refused(.noConnection)
    #expect(count == 1)
  }

  @Test func grabsOwnErrorsAreParsed() throws {
    let failure = try refusal(.tokenRefused) { scene in
      scene.provider.overrides["/token"] = { _ in
        .success(Response(status: 400, body: Array(#"{"errors":[{"code":15280,"message":"why\u001b[1m"}]}"#.utf8)))
      }
    }
    #expect(failure.reason == "15280: why\u{fffd}[1m")
  }

  @Test func userinfoOfAnotherSubjectIsRejected() throws {
    let scene = try Scene()
    scene.settings.scope = try Scope(parsing: ["openid", "profile.read"])
    scene.provider.claims = ["email": .null]
    #expect(try scene.signedIn().name == "alice@mail.test")
    scene.options.isForced = true
    scene.provider.overrides["/userinfo"] = { _ in
      .success(Response(status: 200, body: Array(#"{"sub":"u-9","email":"evil"}"#.utf8)))
    }
    #expect(try scene.signedIn().name == "u-1")
    scene.provider.overrides["/userinfo"] = { _ in .success(Response(status: 401)) }
    #expect(try scene.signedIn().name == "u-1", "the sign-in succeeds with a note")
  }
}
