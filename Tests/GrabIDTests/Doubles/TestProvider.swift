import Crypto
import Foundation
import HTTP
import JSON
import Text
import World

@testable import GrabID

/// A service controlled by the test. It signs with its own keys and records its requests.
final class TestProvider: Transport {
  static let base = "https://idp.lampost.test"
  var requests: [Request] = []
  /// The timeout of each request.
  private(set) var limits: [Duration] = []
  /// Responses by path; a closure that returns nil leaves the response to the provider.
  var overrides: [String: (Request) -> Result<Response, TransportError>?] = [:]
  /// Changes to the provider's own responses, by path.
  var amend: [String: (Response) -> Response] = [:]
  /// Members merged into the metadata document; null removes a key.
  var metadata: JSONObject = [:]
  /// Members merged into the claims of every ID token.
  var claims: JSONObject = [:]
  /// Members merged into the token response; null removes a key.
  var tokenResponse: JSONObject = [:]
  var key = P256.Signing.PrivateKey()
  var keyID = "lamp-1"
  var subject = "u-1"
  var clock: any Clock
  private(set) var refreshToken: String?
  private var generation = 0
  private var nonces: [String: String] = [:]
  private var ended: [TransportResult] = []

  init(clock: any Clock) { self.clock = clock }

  func start(_ request: Request, as ticket: Int, limit: Duration) {
    requests.append(request)
    limits.append(limit)
    ended.append(
      TransportResult(ticket: ticket, result: overrides[request.url.path]?(request) ?? .success(amended(request))))
  }

  func wait(atMost limit: Duration, orReadable descriptor: Int32) -> [TransportResult] {
    defer { ended = [] }
    if ended.isEmpty { clock.sleep(for: limit) }
    return ended
  }

  func cancel(_ ticket: Int) {}

  /// The requests that were sent to `path`.
  func asked(_ path: String) -> [Request] { requests.filter { $0.url.path == path } }

  /// The query of the redirect from the authorization URL to the user's browser.
  func authorize(_ url: String, more: String = "") -> String {
    let items = Percent.items(of: url.split(separator: "?", maxSplits: 1)[1]) ?? []
    func value(_ name: String) -> String { items.first { $0.name == name }?.value ?? "" }
    let code = "code-\(nonces.count + 1)"
    nonces[code] = value("nonce")
    return "code=\(code)&state=\(value("state"))\(more)"
  }

  private func amended(_ request: Request) -> Response {
    let response = response(to: request)
    return amend[request.url.path]?(response) ?? response
  }

  private func response(to request: Request) -> Response {
    switch request.url.path {
    case "/.well-known/openid-configuration": return json(.object(merged(document, metadata)))
    case "/keys": return json(keySet)
    case "/token": return token(request)
    case "/userinfo": return json(["sub": .string(subject), "email": "alice@mail.test"])
    case "/revoke": return Response(status: 200)
    default: return Response(status: 404)
    }
  }

  /// The metadata document as it would be returned.
  var documentBytes: [UInt8]? { JSONValue.object(merged(document, metadata)).bytes }

  private var document: JSONObject {
    [
      "issuer": .string(Self.base), "authorization_endpoint": .string("\(Self.base)/authorize"),
      "token_endpoint": .string("\(Self.base)/token"), "jwks_uri": .string("\(Self.base)/keys"),
      "userinfo_endpoint": .string("\(Self.base)/userinfo"), "revocation_endpoint": .string("\(Self.base)/revoke"),
      "device_authorization_endpoint": .string("\(Self.base)/device"),
      "id_token_verification_endpoint": .string("\(Self.base)/token_info"),
      "client_public_info_endpoint": .string("\(Self.base)/clients/{client_id}/public"),
      "code_challenge_methods_supported": ["S256"],
      "id_token_signing_alg_values_supported": ["RS256", "ES256", "HS256"],
    ]
  }

  var keySet: JSONValue {
    let point = key.publicKey.x963Representation
    return [
      "keys": [
        [
          "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": .string(keyID),
          "x": .string(Base64.url.encode([UInt8](point[1..<33]))),
          "y": .string(Base64.url.encode([UInt8](point[33...]))),
        ]
      ]
    ]
  }

  private func token(_ request: Request) -> Response {
    let items = Percent.items(of: String(decoding: request.body ?? [], as: UTF8.self)) ?? []
    func value(_ name: String) -> String { items.first { $0.name == name }?.value ?? "" }
    var nonce: String?
    switch value("grant_type") {
    case "authorization_code":
      guard let known = nonces.removeValue(forKey: value("code")) else { return refusal("invalid_grant") }
      nonce = known
    case "refresh_token":
      guard value("refresh_token") == refreshToken else {
        refreshToken = nil
        return refusal("invalid_grant")
      }
    default: break
    }
    generation += 1
    refreshToken = "refresh-token-number-\(generation)-of-the-family"
    return json(
      .object(
        merged(
          [
            "access_token": .string("access-token-number-\(generation)-of-the-family"), "token_type": "Bearer",
            "expires_in": 600, "refresh_token": .string(refreshToken ?? ""), "id_token": .string(idToken(nonce: nonce)),
          ], tokenResponse)))
  }

  func refusal(_ error: String, status: Int = 400) -> Response {
    Response(status: status, body: JSONValue.object(["error": .string(error)]).bytes)
  }

  func idToken(nonce: String?) -> String {
    let now = Int(clock.now().milliseconds / 1000)
    var claims: JSONObject = [
      "iss": .string(Self.base), "aud": "lampost-cli", "sub": .string(subject), "iat": JSONValue(now),
      "exp": JSONValue(now + 600), "nbf": JSONValue(now - 5), "email": .string("\(subject)@mail.test"),
      "pid": "partner-lampost", "svc": "PASSENGER", "jti": "t-1", "acr": #"["service:PASSENGER"]"#,
    ]
    if let nonce { claims["nonce"] = .string(nonce) }
    return signed(merged(claims, self.claims))
  }

  func signed(_ claims: JSONObject) -> String {
    let header = JSONValue.object(["alg": "ES256", "kid": .string(keyID), "typ": "JWT"])
    let text = "\(Base64.url.encode(header.bytes)).\(Base64.url.encode(JSONValue.object(claims).bytes))"
    guard let signature = try? key.signature(for: Data(text.utf8)) else { return text }
    return "\(text).\(Base64.url.encode([UInt8](signature.rawRepresentation)))"
  }

  func json(_ value: JSONValue, status: Int = 200) -> Response { Response(status: status, body: value.bytes) }

  private func merged(_ object: JSONObject, _ other: JSONObject) -> JSONObject {
    var whole = object
    for member in other.members { whole[member.key] = member.value.isNull ? Optional.none : member.value }
    return whole
  }
}
