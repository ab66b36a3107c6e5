import Text
import World

/// The emulator's changes to its fixtures; small, and stored between runs as JSON.
package struct SandboxState: Sendable, Equatable {
  /// The seed that the changes apply to, unless it is a file.
  package let builtInSeed: BuiltInSeed
  /// The salt for issued user tokens, so that two sandboxes can issue different ones.
  package internal(set) var salt: Int
  /// The number of requests so far, which also numbers the next response.
  package internal(set) var requests = 0
  /// Tokens issued by exchange, oldest first.
  var issued: [IssuedToken] = []
  /// Statuses that differ from the seeded ones, by user id and the id of the connection or Applet.
  private(set) var statuses: [String: [String: SandboxUserStatus]] = [:]
  /// The difference from the seed in the number of users who have a connection or Applet enabled, by its id. It is
  /// counted at the first change and updated by later changes, because each count takes time for each changed user.
  private var enabledChanges = EnabledChanges()

  /// It is derived from the statuses, so it makes no difference between two states.
  private struct EnabledChanges: Equatable {
    var counts: [String: Int] = [:]
    static func == (a: EnabledChanges, b: EnabledChanges) -> Bool { true }
  }

  /// Configurations that replace the seeded ones, by user id and connection id.
  var configurations: [String: [String: Configuration]] = [:]
  /// Accounts created while enabling a connection or Applet.
  var accounts: [Account] = []
  /// Users of partner services that are not in the seed, each with a user token and an access token.
  var users: [SandboxFixtures.User] = []
  /// Issued provisional access codes, oldest first.
  var codes: [ProvisionalCode] = []
  /// Used OAuth codes of the partners. Each code is valid once.
  var usedOAuthCodes: Set<String> = []
  /// The ids of accepted location events, oldest first.
  var locationRecords: [String] = []
  /// The number of generated ids and codes, which seeds the next one.
  var made = 0

  /// One user's configuration of one connection.
  struct Configuration: Equatable {
    var isPending = false
    var features: [SandboxFixtures.UserFeature] = []
  }

  /// An IFTTT account.
  struct Account: Equatable {
    let email: String
    let login: String
  }

  /// A code that stands for a partner's OAuth code. It is valid once, and for two days.
  struct ProvisionalCode: Equatable {
    let code: String
    let service: String
    let oauthCode: String
    /// The time of issue, in milliseconds since 1970.
    let issuedAt: Int64
    var isUsed = false
  }

  /// A user token with the id of its user.
  struct IssuedToken: Equatable {
    let token: String
    let userID: String
  }

  /// - Parameter salt: A number from 0 to ``largestNumber``; other values are clamped.
  package init(_ seed: BuiltInSeed = .plain, salt: Int = 0) {
    (builtInSeed, self.salt) = (seed, min(max(salt, 0), Self.largestNumber))
  }

  /// The unchanged fixtures of the default seed.
  package static var seed: SandboxState { SandboxState() }

  /// The largest integer that every JSON parser represents exactly.
  package static let largestNumber = (1 << 53) - 1
}

extension SandboxState {
  /// The salt of a server that continues from this state, so that it makes no token or id again.
  var nextSalt: Int { min(salt + 1, Self.largestNumber) }

  mutating func countRequest() {
    if requests < Self.largestNumber { requests += 1 }
  }

  func user(ofToken token: String, among users: [SandboxFixtures.User]) -> SandboxFixtures.User? {
    if let user = users.first(where: { $0.userToken == token || $0.issuedTokens.contains(token) }) { return user }
    guard let userID = issued.first(where: { $0.token == token })?.userID else { return nil }
    return users.first { $0.id == userID }
  }

  /// Issue a token of 48 characters, derived from the salt and the number of tokens issued before it.
  mutating func issueToken(for user: SandboxFixtures.User) -> String {
    var source = SplitMix64(state: UInt64(salt) &* 0x1_0000_0001 &+ UInt64(issued.count) &* 0xda94_2042_e4dd_58b5)
    let token = source.word(of: 48)
    issued.append(IssuedToken(token: token, userID: user.id))
    return token
  }

  /// A random version 4 UUID (RFC 9562, section 5.4).
  mutating func makeUUID() -> String {
    var source = makeSource()
    var digits = (0..<36).map { _ in String(hex: source.next() >> 60) }
    for index in [8, 13, 18, 23] { digits[index] = "-" }
    digits[14] = "4"
    digits[19] = String(hex: 8 + (source.next() >> 62))
    return digits.joined()
  }

  /// A word of the given length, made of letters, digits, `-` and `_`.
  mutating func makeWord(of length: Int) -> String {
    var source = makeSource()
    return source.word(of: length)
  }

  private mutating func makeSource() -> SplitMix64 {
    if made < Self.largestNumber { made += 1 }
    return SplitMix64(state: UInt64(salt) &* 0x1_0000_0001 &+ UInt64(made) &* 0x9fb2_1c65_1e98_df25)
  }

  func configuration(of user: String, in id: String) -> Configuration? { configurations[user]?[id] }

  func status(of user: String, in id: String, seeded: SandboxUserStatus?) -> SandboxUserStatus {
    statuses[user]?[id] ?? seeded ?? .neverEnabled
  }

  /// Set the status. If it equals the seeded one, the entry is removed.
  /// - Parameter users: The seeded status of each user.
  mutating func set(
    _ status: SandboxUserStatus, of user: String, in id: String, seeded users: (String) -> SandboxUserStatus?
  ) {
    let seeded = users(user)
    let before = self.status(of: user, in: id, seeded: seeded)
    let changes = enabledChanges.counts[id] ?? countEnabledChanges(of: id, seeded: users)
    enabledChanges.counts[id] = changes + (status == .enabled ? 1 : 0) - (before == .enabled ? 1 : 0)
    statuses[user, default: [:]][id] = status == seeded ? nil : status
    if statuses[user]?.isEmpty == true { statuses[user] = nil }
  }

  /// The number of users who have it enabled: the seeded number plus the changes since.
  func enabledCount(of id: String, seeded: Int, users: (String) -> SandboxUserStatus?) -> Int {
    seeded + (enabledChanges.counts[id] ?? countEnabledChanges(of: id, seeded: users))
  }

  private func countEnabledChanges(of id: String, seeded users: (String) -> SandboxUserStatus?) -> Int {
    statuses.reduce(0) { count, entry in
      guard let now = entry.value[id] else { return count }
      return count + (now == .enabled ? 1 : 0) - (users(entry.key) == .enabled ? 1 : 0)
    }
  }
}

extension SplitMix64 {
  fileprivate mutating func word(of length: Int) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    return String(decoding: (0..<length).map { _ in alphabet[Int(next() >> 58)] }, as: UTF8.self)
  }
}
