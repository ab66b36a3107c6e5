import HTTP
import JSON
import PluginProtocol
import Text

/// Grab's own check of an ID token, `id_tokens/token_info`, in addition to the local check.
struct TokenInformation {
  let world: GrabWorld
  let client: GrabClient

  /// The claims in the service's response.
  /// - Throws: ``GrabError``.
  func fetchClaims(
    _ metadata: ProviderMetadata, about token: IDToken, text: Secret, nonce: String?
  ) throws -> JSONObject {
    guard let url = metadata.tokenInfoEndpoint else {
      throw GrabError(
        .noVerificationEndpoint, "the service has no endpoint to verify ID tokens",
        reason: "its metadata has no usable id_token_verification_endpoint", in: .getIdTokenInfo)
    }
    let response = try world.send(request(url, text: text, nonce: nonce), "token_info", in: .getIdTokenInfo)
    guard (200..<300).contains(response.status) else {
      throw GrabError(
        .remoteRefused, "the service does not confirm the ID token (\(response.status))",
        reason: ServerErrorText(response).text, in: .getIdTokenInfo, status: response.status)
    }
    let claims: JSONObject
    do { claims = try StrictJSON.object(response.body) } catch {
      throw GrabError(
        .remoteUnreadable, "the service's response about the ID token cannot be read", reason: "\(error)",
        in: .getIdTokenInfo)
    }
    try Self.compare(claims, with: token.claims)
    return claims
  }

  /// The request in the configured form. Sources disagree about the parameters of this endpoint (docs/api/grab.md GC4).
  private func request(_ url: WebURL, text: Secret, nonce: String?) -> Request {
    var items = [("client_id", client.id), ("id_token", text.revealed)]
    if let nonce { items.append(("nonce", nonce)) }
    switch client.settings.tokenInfoRequest ?? .query {
    case .query:
      let query = items.map { QueryItem($0.0, $0.1, isSecret: $0.0 != "client_id") }
      return Request(
        .get, url.with(query), headers: [Header("Accept", "application/json"), Header("Cache-Control", "no-cache")])
    case .form:
      var request = Request.form(url, items.map { (name: $0.0, value: $0.1) }, secrets: [text])
      request.isRepeatable = true
      return request
    case .json:
      let members = items.map { (key: $0.0, value: JSONValue.string($0.1)) }
      var request = Request(
        .post, url, headers: [Header("Content-Type", "application/json"), Header("Accept", "application/json")],
        body: JSONValue.object(JSONObject(members: members)).bytes, isRepeatable: true)
      request.bodySecrets = [text]
      return request
    }
  }

  /// Further claims that Grab's SDK requires in the response. Here, they are required only if the ID token has them.
  private static let sdkClaims = ["svc", "nbf", "jti", "pid", "nonce"]

  /// Compares the claims. Every claim that is in both must be the same. Claims that identify a sign-in, or that
  /// Grab's SDK reads, must be in the response if they are in the token.
  static func compare(_ remote: JSONObject, with local: JSONObject) throws(GrabError) {
    if let errors = remote["errors"]?.array, !errors.isEmpty {
      throw GrabError(
        .remoteRefused, "the service does not confirm the ID token",
        reason: errors[0]["message"]?.string.map { DisplayText.shown($0) }, in: .getIdTokenInfo)
    }
    let needed = ["iss", "aud", "sub", "exp", "iat"] + sdkClaims.filter { local[$0].map { !$0.isNull } ?? false }
    for name in needed where remote[name]?.isNull ?? true {
      throw GrabError(
        .remoteUnreadable, "the service's response about the ID token has no \(name)",
        hint: "Report this to the operator of the service, or try another --token-info-request.", in: .getIdTokenInfo)
    }
    if let nonce = remote["nonce"], nonce != local["nonce"] {
      throw GrabError(.remoteNonce, "the service returned a different nonce for this ID token", in: .getIdTokenInfo)
    }
    for member in local.members where member.key != "nonce" {
      guard let other = remote[member.key], !isSame(other, member.value) else { continue }
      var failure = GrabError(
        .remoteClaim, "the service returned claims that differ from those of the ID token",
        hint: "Do not rely on it: run \(ifttt: "grab login --force").", in: .getIdTokenInfo)
      failure.details = [.init(parameter: DisplayText.shown(member.key, limit: 40), message: "differs")]
      throw failure
    }
  }

  /// Whether two claims are the same: numbers by value, `aud` as one text or a list of it, `acr` in any of its forms.
  private static func isSame(_ a: JSONValue, _ b: JSONValue) -> Bool {
    if a == b { return true }
    if let first = a.double, let second = b.double { return first == second }
    if case .array(let elements) = a, elements.count == 1, elements[0] == b { return true }
    if case .array(let elements) = b, elements.count == 1, elements[0] == a { return true }
    let names = AuthenticationContext.names(in: a)
    return !names.isEmpty && names == AuthenticationContext.names(in: b)
  }
}
