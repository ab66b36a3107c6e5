package import JSON
import Text
import World

/// Accounts as connections of the provider `grab`: enabled while signed in.
package struct GrabConnections {
  let world: GrabWorld
  private var accountStore: AccountStore { AccountStore(world: world) }

  package init(world: GrabWorld) { self.world = world }

  /// A connection in the form of `connections show --json`, reduced to the members that have a value of their own.
  package struct Connection: Sendable {
    package let id: String
    package let name: String
    package let isEnabled: Bool
    package let description: String
    /// The claims of the ID token as fields with a value; empty in a list, because the host caches lists.
    package let features: JSONValue
    package let services: JSONValue
  }

  /// All accounts, without their claims.
  package func all() throws -> [Connection] { try accountStore.all().map { try connection(of: $0, hasClaims: false) } }

  package func connection(id: String) throws -> Connection { try connection(of: account(id: id), hasClaims: true) }

  /// The account with an id. Connections are identified only by id; if a user gives an account's name instead, the
  /// error names the id.
  private func account(id: String) throws -> Account {
    let all = try accountStore.all()
    if let account = all.first(where: { ExactText.same($0.id, id) }) { return account }
    let meant = all.first { ExactText.same($0.name, id) || ExactText.same($0.subject, id) }
    throw GrabError(
      .noSuchAccount, "no account with the id \(DisplayText.shown(id, limit: 80))",
      hint: meant.map { "\(DisplayText.shown($0.name, limit: 80)) is grab:\($0.id)." }
        ?? "See \(ifttt: "connections list --provider grab") for the accounts.")
  }

  /// - Returns: whether it was enabled before.
  package func enable(_ id: String) throws -> Bool {
    let account = try account(id: id)
    let wasEnabled = account.accessIsValid(at: world.now)
    var options = LoginOptions()
    options.account = account.key
    if !wasEnabled {
      guard world.host.isInteractive else {
        throw GrabError(
          .badSetting, "signing in requires a terminal",
          hint: "Use \(ifttt: "grab login --print-url") with \(ifttt: "grab complete").")
      }
      _ = try Login(world: world, client: try world.client(of: account), options: options).run()
    }
    return wasEnabled
  }

  /// Signs the account out but remembers it.
  /// - Returns: whether it was enabled before.
  package func disable(_ id: String) throws -> Bool {
    let account = try account(id: id)
    guard account.isSignedIn else { return false }
    let ended = try Logout(world: world, isLocal: false, settings: GrabSettings()).end(account, remembers: true)
    for note in ended.notes { world.host.note(.warning, "\(account.name): not revoked, \(note.message)") }
    return true
  }

  private func connection(of account: Account, hasClaims: Bool) throws -> Connection {
    let status = try SessionStatus(of: account, in: world)
    let end = account.tokens?.expiresAt.map { "until \($0.rfc3339)" } ?? "with an unknown expiry time"
    let state =
      !account.isSignedIn
      ? "Signed out"
      : account.isUnverified
        ? "Not verified"
        : status.access == .expired ? "Expired \(account.tokens?.expiresAt?.rfc3339 ?? "")" : "Signed in \(end)"
    return Connection(
      id: account.id, name: account.name, isEnabled: account.isSignedIn && status.access == nil,
      description: "\(state) (\(account.scopes.joined(separator: " ")))",
      features: hasClaims ? Self.features(account) : [],
      services: [
        [
          "id": "grab", "name": "Grab", "short_name": "Grab", "is_primary": true, "brand_color": .null,
          "icon_url": .null, "url": "https://www.grab.com",
        ]
      ])
  }

  private static func features(_ account: Account) -> JSONValue {
    guard let token = account.tokens?.id,
      let claims = try? CompactToken(parsing: token.revealed, allowed: Set(SignatureAlgorithm.allCases)).claims
    else { return [] }
    let fields = claims.members.map { member -> JSONValue in
      [
        "id": .string(member.key), "label": .string(member.key), "type": "TEXT_FIELD", "required": false,
        "hidden": false, "default_value": .string(member.value.string ?? member.value.text),
      ]
    }
    return [
      [
        "id": "id-token", "title": "Claims of the ID token", "description": .null, "icon_url": .null,
        "fields": .array(fields), "triggers": [], "queries": [], "actions": [],
      ]
    ]
  }

  // MARK: Credentials

  package struct Credential: Sendable {
    package let name: String
    package let isValid: Bool
    package let isMissing: Bool
    package let expiresAt: String?
    package let account: String
  }

  package func credentials() throws -> [Credential] {
    try accountStore.all().map { account in
      Credential(
        name: account.storedName, isValid: account.accessIsValid(at: world.now), isMissing: !account.isSignedIn,
        expiresAt: account.tokens?.expiresAt?.rfc3339, account: account.name)
    }
  }

  /// - Parameter name: the name of the credential; nil for all accounts.
  package func refresh(_ name: String?) throws -> Bool {
    let accounts = try accountStore.all().filter { $0.isSignedIn && (name == nil || $0.storedName == name) }
    for account in accounts { _ = try TokenRefresh(world: world).refreshed(account) }
    return !accounts.isEmpty
  }

  package func revoke(_ name: String?) throws -> Bool {
    let accounts = try accountStore.all().filter { name == nil || $0.storedName == name }
    for account in accounts {
      _ = try Logout(world: world, isLocal: false, settings: GrabSettings()).end(account)
    }
    return !accounts.isEmpty
  }

  /// The account names that begin with a prefix.
  package func accountNames(beginning prefix: String) throws -> [(name: String, description: String)] {
    try accountStore.all().filter { $0.name.hasPrefix(prefix) }.map {
      ($0.name, $0.isSignedIn ? "signed in" : "signed out")
    }
  }

  /// The connection ids that begin with a prefix.
  package func ids(beginning prefix: String) throws -> [(name: String, description: String)] {
    try accountStore.all().filter { $0.id.hasPrefix(prefix) }.map { ($0.id, $0.name) }
  }
}
