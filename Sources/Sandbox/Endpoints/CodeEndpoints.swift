import JSON
import World

extension Emulator {
  /// The lifetime of a provisional access code, in milliseconds.
  static let provisionalCodeLife: Int64 = 48 * 3_600_000

  /// `POST /v2/provisional_access_code`: a code that replaces the partner's OAuth code in the Connect URL.
  mutating func issueProvisionalCode(
    _ credential: RequestCredential, _ body: JSONObject?, at now: Timestamp
  ) throws(ErrorResponse) -> EmulatorResponse {
    let service: String
    switch credential {
    case .none: throw .unauthorized()
    case .token: throw .forbidden("A user token cannot create codes; use the service key")
    case .key(let owner): service = owner
    }
    guard let oauthCode = body?["oauth_code"]?.string, !oauthCode.isEmpty else {
      throw .badRequest("\"oauth_code\" is missing")
    }
    let code = "pac_\(state.makeWord(of: 24))"
    state.codes.append(
      .init(code: code, service: service, oauthCode: oauthCode, issuedAt: now.milliseconds))
    let answer: JSONValue = ["provisional_access_code": .string(code)]
    return EmulatorResponse(status: 201, body: answer.bytes)
  }
}
