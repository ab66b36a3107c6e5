import JSON
import PluginProtocol
package import Text
package import World

/// A Grab account that signed in, and its tokens: one encrypted row, identified by issuer, client and subject.
package struct Account: Sendable {
  package struct Tokens: Sendable {
    package var access: Secret
    /// The expiry; nil if the service did not specify one.
    package var expiresAt: Timestamp?
    package var refresh: Secret?
    package var id: Secret?
    package var fetchedAt: Timestamp
  }

  package let issuer: String
  package let clientID: String
  /// The partner user id; empty if no identity was requested.
  package let subject: String
  /// The display name: email address, name or subject.
  package var name: String
  package var discoveryURL: String
  /// The granted scopes.
  package var scopes: [String]
  /// The scopes requested at sign-in.
  package var requestedScopes: [String]
  /// The tokens; nil after sign-out, when the account is only remembered.
  package var tokens: Tokens?
  /// The nonce of the sign-in; nil if none was sent.
  package var nonce: String?
  package var keyThumbprint: String?
  /// A counter that is incremented with each change of tokens.
  package var generation = 1
  /// The start of a refresh whose outcome is unknown.
  package var refreshingSince: Timestamp?
  /// Whether the tokens came from a refresh whose response was not verified or failed a check. The access token is
  /// not used. The refresh token is stored, because the previous one is spent.
  package var isUnverified = false

  package static let prefix = "account/"
  package var key: String { Fingerprint.of(issuer, clientID, subject) }
  package var storedName: String { Self.prefix + key }
  /// The id of the account as a connection.
  package var id: String { String(key.prefix(12)) }

  package var isSignedIn: Bool { tokens != nil }

  /// Whether the access token is unverified or about to expire: within two minutes, or a fifth of its lifetime if
  /// that is less.
  package func refreshIsDue(at now: Timestamp) -> Bool {
    guard let tokens else { return false }
    if isUnverified { return true }
    guard let end = tokens.expiresAt else { return false }
    let lifetime = end.milliseconds - tokens.fetchedAt.milliseconds
    return end.milliseconds - now.milliseconds <= min(120_000, max(0, lifetime) / 5)
  }

  package func accessIsValid(at now: Timestamp) -> Bool {
    guard let tokens, !isUnverified else { return false }
    return tokens.expiresAt.map { $0 > now } ?? true
  }
}

extension Account {
  package var stored: String {
    JSONValue.object(
      JSONObject(members: [
        ("issuer", .string(issuer)), ("client_id", .string(clientID)), ("subject", .string(subject)),
        ("name", .string(name)), ("discovery_url", .string(discoveryURL)),
        ("scopes", .array(scopes.map(JSONValue.string))),
        ("asked_scopes", .array(requestedScopes.map(JSONValue.string))),
        ("nonce", JSONValue(nonce)), ("key", JSONValue(keyThumbprint)), ("generation", JSONValue(generation)),
        ("refreshing_since", JSONValue((refreshingSince?.milliseconds).map(Int.init))),
        ("unverified", .bool(isUnverified)),
        (
          "tokens",
          tokens.map { tokens in
            [
              "access": .string(tokens.access.revealed),
              "expires_at": JSONValue((tokens.expiresAt?.milliseconds).map(Int.init)),
              "refresh": JSONValue(tokens.refresh?.revealed), "id": JSONValue(tokens.id?.revealed),
              "fetched_at": JSONValue(Int(tokens.fetchedAt.milliseconds)),
            ]
          } ?? .null
        ),
      ])
    ).text
  }

  /// Decodes an account; nil if the row is not an account.
  package init?(stored text: String) {
    guard let row = try? JSONValue(parsing: Array(text.utf8)), let issuer = row["issuer"]?.string,
      let clientID = row["client_id"]?.string, let subject = row["subject"]?.string
    else { return nil }
    (self.issuer, self.clientID, self.subject) = (issuer, clientID, subject)
    name = row["name"]?.string ?? subject
    discoveryURL = row["discovery_url"]?.string ?? ""
    scopes = row.texts("scopes")
    requestedScopes = row.texts("asked_scopes")
    nonce = row["nonce"]?.string
    keyThumbprint = row["key"]?.string
    generation = row["generation"]?.int ?? 1
    refreshingSince = row.moment("refreshing_since")
    isUnverified = row["unverified"]?.bool ?? false
    guard let storedTokens = row["tokens"], let access = storedTokens["access"]?.string.flatMap(Secret.init(parsing:))
    else { return }
    tokens = Tokens(
      access: access, expiresAt: storedTokens.moment("expires_at"),
      refresh: storedTokens["refresh"]?.string.flatMap(Secret.init(parsing:)),
      id: storedTokens["id"]?.string.flatMap(Secret.init(parsing:)),
      fetchedAt: storedTokens.moment("fetched_at") ?? Timestamp(milliseconds: 0))
  }
}

extension JSONValue {
  /// A member that contains milliseconds since 1970.
  fileprivate func moment(_ name: String) -> Timestamp? {
    self[name]?.int.map { Timestamp(milliseconds: Int64($0)) }
  }
}

extension GrabWorld {
  /// The client that an account signed in with. Options and settings may add to it, but cannot change its identity.
  func client(of account: Account, merging settings: GrabSettings = GrabSettings()) throws -> GrabClient {
    var merged = settings.overriding(try storedSettings())
    merged.clientID = account.clientID
    merged.issuer = account.issuer
    merged.discoveryURL = account.discoveryURL
    merged.scope = try? Scope(parsing: account.requestedScopes)
    return try merged.client()
  }
}

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

  /// The account with a name, subject or id. If `name` is nil: the account that signed in last, or else the one whose
  /// tokens were fetched last, or else the only one.
  /// - Throws: ``GrabError`` for a name that matches several accounts.
  func account(named name: String?) throws -> Account? {
    guard let name else {
      if let key = try world.host.credential(Self.currentName), let current = try account(key: key) { return current }
      let all = try all()
      return all.filter(\.isSignedIn).max {
        ($0.tokens?.fetchedAt.milliseconds ?? 0) < ($1.tokens?.fetchedAt.milliseconds ?? 0)
      }
        ?? (all.count == 1 ? all[0] : nil)
    }
    let matches = try all().filter { account in
      [account.name, account.subject, account.id, account.key].contains { ExactText.same($0, name) }
    }
    guard matches.count <= 1 else {
      throw GrabError(
        .badSetting, "several accounts have that name", reason: matches.map(\.id).joined(separator: ", "),
        hint: "Pass an id instead; see \(ifttt: "connections list --provider grab").")
    }
    return matches.first
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
    try world.host.lock(Account.prefix + key)
    let result: Swift.Result<Result, any Error>
    do { result = .success(try body()) } catch { result = .failure(error) }
    do { try world.host.unlock(Account.prefix + key) } catch {
      // The changes are complete, and the lock is released when this process ends.
      world.host.note(.debug, "a lock could not be released")
    }
    return try result.get()
  }
}
