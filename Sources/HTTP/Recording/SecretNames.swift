/// Names that say of a value beside them that it is a credential, wherever they stand: in a query, a form or JSON.
enum SecretNames {
  /// - Parameter name: in any case.
  static func holds(_ name: String) -> Bool {
    let name = name.lowercased()
    return whole.contains(name) || endings.contains { name.hasSuffix($0) }
  }

  /// `code` is one in a URL and a word for the kind of an error elsewhere.
  static func holdsInQuery(_ name: String) -> Bool { name.lowercased() == "code" || holds(name) }

  /// Header fields whose whole value is one.
  static func isHeader(_ name: String) -> Bool {
    headers.contains(name.lowercased())
  }

  private static let whole: Set<String> = [
    "token", "secret", "password", "passphrase", "authorization", "service_key", "service-key", "api_key", "apikey",
    "webhooks_key", "private_key", "invite_code", "invite-code", "oauth_code", "code_verifier",
    "provisional_access_code", "assertion",
  ]
  private static let endings = ["_token", "-token", "_secret", "-secret", "_password"]
  private static let headers: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "ifttt-service-key", "ifttt-invite-code",
  ]
}
