import Encoding
import JSON
import Secrets

/// Names that mark the value next to them as a credential in a query, a form, JSON or a header.
///
/// Names are compared without case and punctuation: `access_token`, `accessToken` and `Access-Token` are equal.
enum SecretNames {
  static func holds(_ name: String) -> Bool { holds(folded: folded(name)) }

  /// `code` and `sig` are credentials in a URL. Elsewhere, `code` is the kind of an error.
  static func holdsInQuery(_ name: String) -> Bool {
    let name = folded(name)
    return name == "code" || name == "sig" || holds(folded: name)
  }

  /// Whether the whole value of this header field is a credential.
  static func isHeader(_ name: String) -> Bool {
    let name = folded(name)
    return headers.contains(name) || holds(folded: name)
  }

  /// The credentials that a JSON body names, such as `"access_token": "…"`; none in a body that is not JSON.
  static func secrets(in body: [UInt8]) -> [Secret] { (try? JSONValue(parsing: body)).map { named(in: $0) } ?? [] }

  private static func named(in value: JSONValue) -> [Secret] {
    if let elements = value.array { return elements.flatMap(named) }
    return (value.object?.members ?? []).flatMap { name, value in
      guard holds(name), let text = value.string else { return named(in: value) }
      return Secret(parsing: text).map { [$0] } ?? []
    }
  }

  private static func holds(folded name: String) -> Bool {
    guard !name.isEmpty else { return false }
    // A list of credentials has a plural name.
    let singular = name.hasSuffix("s") ? String(name.dropLast()) : name
    return whole.contains(name) || whole.contains(singular)
      || endings.contains { name.hasSuffix($0) || singular.hasSuffix($0) }
  }

  /// The letters and digits only, in lower case. The end of a name determines what it stands for.
  private static func folded(_ name: String) -> String {
    String(decoding: name.utf8.suffix(128).filter(\.isLetterOrDigit).map { $0 | 0x20 }, as: UTF8.self)
  }

  private static let whole: Set<String> = [
    "auth", "authcode", "authorization", "authorizationcode", "bearer", "codeverifier", "devicecode", "idtokenhint",
    "oauthcode", "otp", "passcode", "provisionalaccesscode", "proxyauthorization", "pwd", "sid",
    "signature", "usercode", "xamzsignature",
  ]
  private static let endings = [
    "token", "secret", "password", "passwd", "passphrase", "jwt", "session", "sessionid", "sessid", "assertion",
    "credential", "cookie", "apikey", "accesskey", "authkey", "channelkey", "encryptionkey", "invitecode", "masterkey",
    "privatekey",
    "secretkey", "servicekey", "sharedkey", "signingkey", "webhookskey",
  ]
  private static let headers: Set<String> = ["authorization", "proxyauthorization", "cookie"]
}
