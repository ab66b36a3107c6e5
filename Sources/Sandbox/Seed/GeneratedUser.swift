/// Generated users for load tests, which differ only in their number: `u-0000001` and so on.
///
/// A generated user is made when a request names it, so a million of them need no memory. The emulator's state has an
/// entry for a user from its first change on.
enum GeneratedUser {
  private static let userTokenPrefix = "sandbox-user-token-"
  private static let accessTokenPrefix = "sandbox-access-token-"

  static func make(_ number: Int, of service: String) -> SandboxFixtures.User {
    let digits = padded(number, 7)
    return SandboxFixtures.User(
      id: "u-" + digits, service: service, login: "load_" + digits, email: nil, userToken: userTokenPrefix + digits,
      accessToken: accessToken(number))
  }

  static func accessToken(_ number: Int) -> String { accessTokenPrefix + padded(number, 7) }
  static func number(ofID id: String) -> Int? { number(in: id, after: "u-") }
  static func number(ofUserToken token: String) -> Int? { number(in: token, after: userTokenPrefix) }

  private static func number(in text: String, after prefix: String) -> Int? {
    guard text.utf8.count == prefix.utf8.count + 7, text.utf8.starts(with: prefix.utf8) else { return nil }
    let digits = text.utf8.dropFirst(prefix.utf8.count)
    guard digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    return Int(Substring(digits)).flatMap { $0 > 0 ? $0 : nil }
  }
}

extension SandboxSeed {
  func generatedUser(_ id: String, of service: String) -> SandboxFixtures.User? {
    guard service == partners.first?.service else { return nil }
    return generatedUser(GeneratedUser.number(ofID: id))
  }

  func generatedUser(ofToken token: String) -> SandboxFixtures.User? {
    generatedUser(GeneratedUser.number(ofUserToken: token))
  }

  private func generatedUser(_ number: Int?) -> SandboxFixtures.User? {
    guard let number, number <= generatedUsers, let service = partners.first?.service else { return nil }
    return GeneratedUser.make(number, of: service)
  }

  /// Whether the user is generated. A user of a seed file may have an id of the same form.
  func isGenerated(_ user: String) -> Bool {
    guard generatedUsers > 0, let number = GeneratedUser.number(ofID: user), number <= generatedUsers else {
      return false
    }
    return !users.contains { $0.id == user }
  }

  /// The user whose connections and Applets of the seed a user has: generated users have those of the first user.
  func model(of user: String) -> String {
    guard isGenerated(user), let service = partners.first?.service else { return user }
    return users.first { $0.service == service }?.id ?? user
  }
}
