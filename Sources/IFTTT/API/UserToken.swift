package import HTTP
import JSON
package import Text

/// The user token from the response to a token exchange, in both APIs. Errors never show the body, because it may
/// contain the token.
package func userToken(in response: Response) throws(APIError) -> Secret {
  let object = try response.object(isSecret: true)
  guard let token = object.text("user_token").flatMap(Secret.init(parsing:)) else {
    throw response.unreadable("it contains no user token", isSecret: true)
  }
  return token
}
