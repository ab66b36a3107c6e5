/// Names that mark the value next to them as a credential: in a query, a form, JSON, a header or an argument.
///
/// Names are compared without case and punctuation: `access_token`, `accessToken` and `Access-Token` are equal.
package enum SecretNames {
  package static func holds(_ name: String) -> Bool { holds(folded: folded(name)) }

  /// `code` and `sig` are credentials in a URL. Elsewhere, `code` is the kind of an error.
  package static func holdsInQuery(_ name: String) -> Bool {
    let name = folded(name)
    return name == "code" || name == "sig" || holds(folded: name)
  }

  /// Whether the whole value of this header field is a credential.
  package static func isHeader(_ name: String) -> Bool {
    let name = folded(name)
    return headers.contains(name) || holds(folded: name)
  }

  /// `NAME=VALUE` or `NAME: VALUE` in an argument. Many APIs call their credential `key`.
  package static func holdsInArgument(_ name: String) -> Bool { folded(name) == "key" || holdsInQuery(name) }

  /// Whether the value of an option or a variable with this name may be a credential. A file name is not.
  package static func announces(_ name: String) -> Bool {
    let name = folded(name)
    return !name.hasSuffix("file") && (name.hasSuffix("key") || name.hasSuffix("code") || holds(folded: name))
  }

  /// Whether a name says that the value identifies something, however random it looks.
  package static func identifies(_ name: String) -> Bool {
    let name = folded(name)
    return name.hasSuffix("id") || name.hasSuffix("identity") || name.hasSuffix("cursor")
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
