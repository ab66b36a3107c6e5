import JSON
import Text
import World

/// The accounts stored in the profile.
struct AccountStore {
  let world: GrabWorld
  /// The row that contains the key of the default account.
  static let currentName = "current"

  /// All accounts, sorted by name.
  func all() throws -> [Account] {
    try world.host.credentialNames(prefix: Account.prefix).compactMap { name in
      try world.host.credential(name).flatMap(Account.init(stored:))
    }.sorted { ($0.name, $0.key) < ($1.name, $1.key) }
  }

  func account(key: String) throws -> Account? {
    try world.host.credential(Account.prefix + key).flatMap(Account.init(stored:))
  }

  /// The account with a name, subject or id; if `name` is nil, the account that signed in last.
  /// - Throws: ``GrabError`` for a name that matches no account or several.
  func account(named name: String?) throws -> Account? {
    guard let name else {
      if let key = try world.host.credential(Self.currentName), let current = try account(key: key) { return current }
      let all = try all()
      return all.filter(\.isSignedIn).max {
        ($0.tokens?.fetchedAt.milliseconds ?? 0) < ($1.tokens?.fetchedAt.milliseconds ?? 0)
      }
        ?? (all.count == 1 ? all[0] : nil)
    }
    let found = try all().filter { account in
      [account.name, account.subject, account.id, account.key].contains { ExactText.same($0, name) }
    }
    guard found.count <= 1 else {
      throw GrabError(
        .badSetting, "several accounts have that name", reason: found.map(\.id).joined(separator: ", "),
        hint: "Pass an id instead; see \(ifttt: "connections list --provider grab").")
    }
    return found.first
  }

  /// Like ``account(named:)``, but throws if there is no account.
  func existing(named name: String?) throws -> Account {
    if let account = try account(named: name) { return account }
    if let name {
      throw GrabError(
        .noSuchAccount, "no account named \(DisplayText.shown(name, limit: 80))",
        hint: "See \(ifttt: "connections list --provider grab") for the accounts.")
    }
    throw Self.notSignedIn()
  }

  static func notSignedIn(_ account: Account? = nil) -> GrabError {
    GrabError(
      .notSignedIn, account.map { "\(DisplayText.shown($0.name, limit: 80)) is not signed in" } ?? "not signed in",
      hint: "Run \(ifttt: "grab login").", in: .getIdTokenInfo)
  }

  /// Runs `body` with exclusive access to this account across all processes.
  func locked<Result>(_ key: String, _ body: () throws -> Result) throws -> Result {
    try world.host.acquireLock(Account.prefix + key)
    let result: Swift.Result<Result, any Error>
    do { result = .success(try body()) } catch { result = .failure(error) }
    do { try world.host.releaseLock(Account.prefix + key) } catch {
      // The changes are complete, and the lock is released when this process ends.
      world.host.note(.debug, "a lock could not be released")
    }
    return try result.get()
  }
}
