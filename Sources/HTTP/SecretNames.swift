import Encoding

/// Names that mark the value beside them as a credential, wherever they stand: in a query, a form, JSON or a header.
///
/// They are compared without case and punctuation, so that `access_token`, `accessToken` and `Access-Token` are one name.
enum SecretNames {
  static func holds(_ name: String) -> Bool { holds(folded: folded(name)) }

  /// `code` and `sig` are credentials in a URL; elsewhere `code` is the kind of an error.
  static func holdsInQuery(_ name: String) -> Bool {
    let name = folded(name)
    return name == "code" || name == "sig" || holds(folded: name)
  }

  /// Header fields whose whole value is a credential.
  static func isHeader(_ name: String) -> Bool {
    let name = folded(name)
    return headers.contains(name) || holds(folded: name)
  }

  private static func holds(folded name: String) -> Bool {
    guard !name.isEmpty else { return false }
    // A list of credentials has the plural's name.
    let singular = name.hasSuffix("s") ? String(name.dropLast()) : name
    return whole.contains(name) || whole.contains(singular)
      || endings.contains { name.hasSuffix($0) || singular.hasSuffix($0) }
  }

  /// The letters and digits alone, in lower case. The end of a name is what says what it names.
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
