import HTTP
import JSON
import Text

/// Requests with an access token in their header (RFC 6750 §2.1), and the meaning of their error responses.
struct BearerRequests {
  let world: GrabWorld

  /// The claims of the userinfo endpoint. Claims of another subject are rejected (OpenID Connect Core §5.3.2).
  /// - Throws: ``GrabError``.
  func userInfo(at url: WebURL, token: Secret, subject: String) throws -> JSONObject {
    let response = try get(url, token: token, "userinfo")
    guard response.header("Content-Type")?.lowercased().hasPrefix("application/jwt") != true,
      let claims = try? StrictJSON.object(response.body)
    else { throw GrabError(.callFailed, "userinfo: the response is not JSON", in: .protectedResource) }
    guard let found = claims["sub"]?.string, ExactText.same(found, subject) else {
      throw GrabError(.callFailed, "userinfo: the response is for another user", in: .protectedResource)
    }
    return claims
  }

  private func get(_ url: WebURL, token: Secret, _ what: String) throws -> Response {
    let request = Request(
      .get, url,
      headers: [Header("Authorization", prefix: "Bearer ", secret: token), Header("Accept", "application/json")])
    let response = try world.call(request, what, in: .protectedResource)
    guard !(200..<300).contains(response.status) else { return response }
    throw Self.refusal(response, what)
  }

  static func refusal(_ response: Response, _ what: String) -> GrabError {
    let words = ServerErrorText(response)
    let challenge = response.header("WWW-Authenticate") ?? ""
    let reason = words.text ?? (challenge.isEmpty ? nil : DisplayText.shown(challenge, limit: 200))
    switch response.status {
    case 401:
      return GrabError(
        .callUnauthorized, "\(what): the access token was rejected", reason: reason,
        hint: "Run \(ifttt: "grab login").",
        status: 401)
    case 403:
      return GrabError(
        .insufficientScope, "\(what): the access token does not allow this", reason: reason,
        hint: "Sign in again with the required scope: \(ifttt: "grab login --force --scope SCOPE")", status: 403)
    default:
      return GrabError(
        .callFailed, "\(what): the service responded with \(response.status)", reason: reason, status: response.status)
    }
  }
}
