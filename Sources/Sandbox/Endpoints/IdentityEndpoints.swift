import HTTP
import JSON
import World

extension Emulator {
  /// `GET /v2/me` and `GET /v1/me`: the identity of the requester. The older version omits the keys that the newer
  /// one sends as null.
  func me(_ request: APIRequest) throws(ErrorResponse) -> EmulatorResponse {
    let viewer = try viewer(of: request)
    let credential = request.credential
    // The documentation calls the level of a key `channel` (docs/api/connect.md C15).
    let level =
      switch credential {
      case .none: "none"
      case .key: "channel"
      case .token: "user"
      }
    var me: JSONObject = ["type": "me", "authentication_level": .string(level)]
    for (key, value) in [("service_id", credential.service), ("user_login", viewer.user?.login)] {
      if value != nil || request.version == .v2 { me[key] = .text(value) }
    }
    var response = EmulatorResponse(body: JSONValue.object(me).bytes)
    switch (request.version, credential, viewer) {
    case (.v1, .key, _): response.assumptions = [.olderAPI]
    case (.v2, .none, _), (.v2, .key, .unconnected): response.assumptions = [.identity]
    default: break
    }
    return response
  }

  /// `GET …/account/find`: only the status matters.
  func findAccount(_ request: Request) throws(ErrorResponse) -> EmulatorResponse {
    guard let email = request.parameter("email"), !email.isEmpty else {
      throw .badRequest("email is missing", .accountLookup)
    }
    guard account(email: email) != nil else {
      let hasRawPlus = request.url.wire.drop { $0 != "?" }.contains("+")
      throw hasRawPlus ? .unknownAccountWithPlus : .unknownAccount
    }
    return EmulatorResponse(status: 204)
  }

  /// `POST /v2/user_token` in its two historical forms, and the older API's endpoint.
  ///
  /// `user_id` and `access_token` are in the query. Earlier, the token was in the body as `token`. In the older API
  /// both are in the body (docs/api/connect.md C2).
  mutating func exchange(_ request: APIRequest, service slug: String?) throws(ErrorResponse) -> EmulatorResponse {
    let service: String
    switch request.credential {
    case .none: throw .unauthorized(.exchangeFailure)
    case .token: throw .forbidden("A user token cannot be exchanged; use the service key")
    case .key(let owner): service = owner
    }
    if let slug { try request.credential.checkAccess(to: slug) }
    let isOlder = slug != nil
    let userID = try agreed(
      "user_id", isOlder ? nil : request.http.parameter("user_id"), try request.body?.identifier("user_id"))
    let token = try agreed(
      "the access token", isOlder ? nil : request.http.parameter("access_token"), request.body?["token"]?.string)
    guard let user = user(userID, of: service), accessTokens(of: user).contains(token) else {
      throw .unauthorized(.exchangeFailure)
    }
    // A generated user has one token, so that exchanges for many users need no memory.
    let issued = seed.isGenerated(user.id) ? user.userToken : state.issueToken(for: user)
    let response: JSONValue = ["type": "user_token", "user_token": .string(issued)]
    return EmulatorResponse(body: response.bytes)
  }

  /// The access tokens that the user's service has issued: the token of the fixtures, and the token in requests to its
  /// server on behalf of the user.
  private func accessTokens(of user: SandboxFixtures.User) -> [String] {
    let serverToken = runtime.flatMap { $0.service == user.service ? $0.credentials.token(of: user.id) : nil }
    return [user.accessToken, serverToken].compactMap(\.self)
  }

  /// The value from the query or the body. Throws if the two differ or both are missing.
  private func agreed(_ name: String, _ first: String?, _ second: String?) throws(ErrorResponse) -> String {
    if let first, let second, first != second { throw .badRequest("\(name) differs between query and body") }
    guard let value = first ?? second, !value.isEmpty else { throw .badRequest("\(name) is missing") }
    return value
  }

  /// The lifetime of a provisional access code, in milliseconds.
  static let provisionalCodeLife: Int64 = 48 * 3_600_000

  /// `POST /v2/provisional_access_code`: a code that replaces the partner's OAuth code in the Connect URL.
  mutating func issueProvisionalCode(_ request: APIRequest) throws(ErrorResponse) -> EmulatorResponse {
    let service: String
    switch request.credential {
    case .none: throw .unauthorized()
    case .token: throw .forbidden("A user token cannot create codes; use the service key")
    case .key(let owner): service = owner
    }
    guard let oauthCode = request.body?["oauth_code"]?.string, !oauthCode.isEmpty else {
      throw .badRequest("\"oauth_code\" is missing")
    }
    let code = "pac_\(state.makeWord(of: 24))"
    state.codes.append(
      .init(code: code, service: service, oauthCode: oauthCode, issuedAt: request.now.milliseconds))
    let response: JSONValue = ["provisional_access_code": .string(code)]
    return EmulatorResponse(status: 201, body: response.bytes)
  }
}
