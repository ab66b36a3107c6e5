/// Everything the emulator knows beyond its seeded world; small, and kept between runs as JSON.
package struct SandboxState: Sendable, Equatable {
  /// Feeds the user tokens that are issued, so that two sandboxes can issue different ones.
  package let salt: Int
  /// Requests answered so far; numbers the next answer.
  package internal(set) var requests = 0
  /// Tokens issued by exchange, oldest first.
  var issued: [IssuedToken] = []
  /// Statuses that differ from the seeded ones: the user's id, the id of the connection or Applet, the status.
  var statuses: [String: [String: UserStatus]] = [:]

  /// A user token and whose it is.
  struct IssuedToken: Equatable {
    let token: String
    let userID: String
  }

  /// - Parameter salt: from 0 to ``largestNumber``, which is where it is cut off.
  package init(salt: Int = 0) { self.salt = min(max(salt, 0), Self.largestNumber) }

  /// The seeded world, unchanged.
  package static var seed: SandboxState { SandboxState() }

  /// The largest integer that every JSON reader keeps exactly.
  package static let largestNumber = (1 << 53) - 1
}

extension SandboxState {
  mutating func countRequest() {
    if requests < Self.largestNumber { requests += 1 }
  }

  func user(ofToken token: String, among users: [SandboxWorld.User]) -> SandboxWorld.User? {
    if let user = users.first(where: { $0.userToken == token }) { return user }
    guard let userID = issued.first(where: { $0.token == token })?.userID else { return nil }
    return users.first { $0.id == userID }
  }

  /// A token of 48 characters, made from the salt and the number of tokens issued before it.
  mutating func issueToken(for user: SandboxWorld.User) -> String {
    var source = SplitMix64(state: UInt64(salt) &* 0x1_0000_0001 &+ UInt64(issued.count) &* 0xda94_2042_e4dd_58b5)
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    let bytes = (0..<48).map { _ in letters[Int(source.next() >> 58)] }
    let token = String(decoding: bytes, as: UTF8.self)
    issued.append(IssuedToken(token: token, userID: user.id))
    return token
  }

  func status(of user: String, in id: String, seeded: UserStatus?) -> UserStatus {
    statuses[user]?[id] ?? seeded ?? .neverEnabled
  }

  /// Keeps nothing when the status is the seeded one again.
  mutating func set(_ status: UserStatus, of user: String, in id: String, seeded: UserStatus?) {
    statuses[user, default: [:]][id] = status == seeded ? nil : status
    if statuses[user]?.isEmpty == true { statuses[user] = nil }
  }

  /// The seeded number of users who have it enabled, and what has changed since.
  func enabledCount(of id: String, seeded: Int, users: (String) -> UserStatus?) -> Int {
    statuses.reduce(seeded) { count, entry in
      guard let now = entry.value[id] else { return count }
      return count + (now == .enabled ? 1 : 0) - (users(entry.key) == .enabled ? 1 : 0)
    }
  }
}
