import HTTP
import JSON
package import Text

extension ConnectClient {
  /// POST /v2/provisional_access_code: exchanges an OAuth code of the developer's service for a code that the Connect
  /// URL accepts. That code works once and for 48 hours (reference: connect-api.md, section 7.13). Never retried,
  /// because the OAuth code is used up.
  /// - Throws: ``APIError``; ``APIError/needs(_:)`` without a service key, before the code is used up.
  package func provisionalCode(oauthCode: Secret) throws(APIError) -> Secret {
    guard caller.authentication.level == .service else { throw .needs(.service) }
    let request = caller.template.post(
      ["v2", "provisional_access_code"], json: ["oauth_code": .string(oauthCode.revealed)], secrets: ["oauth_code"],
      isRepeatable: false)
    return try caller.ask(request) { response throws(APIError) in
      let object = try response.object(isSecret: true)
      guard let code = object.text("provisional_access_code").flatMap(Secret.init(parsing:)) else {
        throw response.unreadable("it contains no provisional access code", isSecret: true)
      }
      return code
    }
  }
}
