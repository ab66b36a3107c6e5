package import HTTP
import JSON
package import Secrets

/// The answer to a token exchange, in both APIs. No failure to read it shows its body, which may hold the token.
package func userToken(in response: Response) throws(APIError) -> Secret {
  let object = try response.object(isSecret: true)
  guard let token = object.text("user_token").flatMap(Secret.init(parsing:)) else {
    throw response.unreadable("there is no user token in it", isSecret: true)
  }
  return token
}
