import JSON
package import PluginProtocol
import Text
import World

/// Accounts as connections of the provider `grab`: enabled while signed in.
package struct GrabConnections {
  let world: GrabWorld
  private var accountStore: AccountStore { AccountStore(world: world) }

  package init(world: GrabWorld) { self.world = world }

  /// All accounts, without their claims.
  package func all() throws -> [ProvidedConnection] {
    try accountStore.all().map { try connection(of: $0, hasClaims: false) }
  }

  package func connection(id: String) throws -> ProvidedConnection {
    try connection(of: account(id: id), hasClaims: true)
  }

  /// The account with an id. Connections are identified only by id; if a user passes an account's name instead, the
  /// error names the id.
  private func account(id: String) throws -> Account {
    let all = try accountStore.all()
    if let account = all.first(where: { ExactText.same($0.id, id) }) { return account }
    let match = all.first { ExactText.same($0.name, id) || ExactText.same($0.subject, id) }
    throw GrabError(
      .noSuchAccount, "no account with the id \(DisplayText.shown(id, limit: 80))",
      hint: match.map { "\(DisplayText.shown($0.name, limit: 80)) is grab:\($0.id)." }
        ?? "See \(ifttt: "connections list --provider grab") for the accounts.")
  }

  /// Signs the account in, unless it is signed in.
  package func enable(_ id: String) throws -> StatusChange {
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
    return StatusChange(.enabled, from: wasEnabled ? .enabled : .disabled)
  }

  /// Signs the account out but remembers it.
  package func disable(_ id: String) throws -> StatusChange {
    let account = try account(id: id)
    guard account.isSignedIn else { return StatusChange(.disabled, from: .disabled) }
    let ended = try Logout(world: world, isLocal: false, settings: GrabSettings()).end(account, remembers: true)
    for note in ended.notes { world.host.note(.warning, "\(account.name): not revoked, \(note.message)") }
    return StatusChange(.disabled, from: .enabled)
  }

  private func connection(of account: Account, hasClaims: Bool) throws -> ProvidedConnection {
    let status = try SessionStatus(of: account, in: world)
    let end = account.tokens?.expiresAt.map { "until \($0.rfc3339)" } ?? "with an unknown expiry time"
    let state =
      !account.isSignedIn
      ? "Signed out"
      : account.isUnverified
        ? "Not verified"
        : status.access == .expired ? "Expired \(account.tokens?.expiresAt?.rfc3339 ?? "")" : "Signed in \(end)"
    return ProvidedConnection(
      id: account.id, name: account.name, status: account.isSignedIn && status.access == nil ? .enabled : .disabled,
      description: "\(state) (\(account.scopes.joined(separator: " ")))",
      more: [
        // The claims are absent in a list, because the program caches lists.
        "features": Value(hasClaims ? Self.features(account) : []),
        "services": [
          [
            "id": "grab", "name": "Grab", "short_name": "Grab", "is_primary": true, "brand_color": .null,
            "icon_url": .null, "url": "https://www.grab.com",
          ]
        ],
        // The name may be an email address.
        "primary_service": "grab", "private": true,
      ])
  }

  /// The claims of the ID token as fields with a value.
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

  package func credentials() throws -> [CredentialState] {
    try accountStore.all().map { account in
      CredentialState(
        account.storedName,
        !account.isSignedIn ? .missing : account.accessIsValid(at: world.now) ? .valid : .expired,
        expiresAt: account.tokens?.expiresAt?.rfc3339, account: account.name)
    }
  }

  /// Refreshes the tokens of accounts that are signed in.
  /// - Parameter name: The name of the credential; nil for all accounts.
  /// - Returns: Whether any tokens were refreshed.
  package func refresh(_ name: String?) throws -> Bool {
    let accounts = try accountStore.all().filter { $0.isSignedIn && (name == nil || $0.storedName == name) }
    for account in accounts { _ = try TokenRefresh(world: world).refreshed(account) }
    return !accounts.isEmpty
  }

  /// Signs accounts out and removes them.
  /// - Parameter name: The name of the credential; nil for all accounts.
  /// - Returns: Whether any account was removed.
  package func revoke(_ name: String?) throws -> Bool {
    let accounts = try accountStore.all().filter { name == nil || $0.storedName == name }
    for account in accounts {
      _ = try Logout(world: world, isLocal: false, settings: GrabSettings()).end(account)
    }
    return !accounts.isEmpty
  }

  /// The account names that begin with a prefix.
  package func accountNames(beginning prefix: String) throws -> [OfferedValue] {
    try accountStore.all().filter { $0.name.hasPrefix(prefix) }.map {
      OfferedValue($0.name, description: $0.isSignedIn ? "signed in" : "signed out")
    }
  }

  /// The connection ids that begin with a prefix.
  package func ids(beginning prefix: String) throws -> [OfferedValue] {
    try accountStore.all().filter { $0.id.hasPrefix(prefix) }.map { OfferedValue($0.id, description: $0.name) }
  }
}
