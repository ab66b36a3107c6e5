import HTTP
package import JSON
package import PluginProtocol
import Text
import World

/// The output of a command: rows, which the host prints in any format, or text that is printed unchanged.
package enum GrabOutput: Sendable {
  case rows([JSONValue])
  case text(String)
}

/// The commands of `ifttt grab`, from typed options to output.
package struct GrabCommands {
  let world: GrabWorld
  /// Receives each row as soon as it is available.
  let output: (GrabOutput) throws -> Void

  package init(world: GrabWorld, output: @escaping (GrabOutput) throws -> Void) {
    (self.world, self.output) = (world, output)
  }

  /// A command, by its name in the manifest.
  package enum Name: String, CaseIterable {
    case login, complete, status
    case idToken = "id-token"
    case refresh, logout, apps
  }

  /// Runs a command.
  /// - Throws: ``GrabError``, ``PluginError``; output before the error remains.
  package func run(_ call: CommandCall) throws {
    let command = call.command.joined(separator: " ")
    switch Name(rawValue: command) {
    case .login: try login(call)
    case .complete: try complete(call)
    case .status: try status(call)
    case .idToken: try idToken(call)
    case .refresh: try refresh(call)
    case .logout: try logout(call)
    case .apps: try apps(call)
    case nil: throw GrabError(.badSetting, "unknown command \(DisplayText.shown(command, limit: 40))")
    }
  }

  var accountStore: AccountStore { AccountStore(world: world) }

  func outputStatus(of account: Account) throws {
    try output(.rows([try SessionStatus(of: account, in: world).json]))
  }
}

extension GrabCommands {
  /// Shows the status. The command succeeds only if both tokens are valid.
  func status(_ call: CommandCall) throws {
    let account = try accountStore.existing(named: call.option("account"))
    let status = try SessionStatus(of: account, in: world)
    try output(.rows([status.json]))
    guard account.isSignedIn else { throw AccountStore.notSignedIn(account) }
    guard status.isValid else {
      var failure = GrabError(
        .noLongerValid, "the sign-in of \(DisplayText.shown(account.name, limit: 80)) is not valid",
        hint: account.tokens?.refresh == nil ? "Run \(ifttt: "grab login")." : "Run \(ifttt: "grab refresh").")
      let reasons = [("access_token", status.access), ("id_token", status.id)].compactMap { name, reason in
        reason.map { (name: name, text: $0.rawValue) }
      }
      failure.details = reasons.map { PluginError.Detail(parameter: $0.name, message: $0.text) }
      failure.reason = reasons.map { "\($0.name) is \($0.text)" }.joined(separator: ", ")
      throw failure
    }
    if account.refreshIsDue(at: world.now) {
      world.host.note(.info, "the access token is refreshed before its next use")
    }
  }

  func refresh(_ call: CommandCall) throws {
    let settings = try world.settings(for: call)
    let account = try accountStore.existing(named: call.option("account"))
    guard account.isSignedIn else { throw AccountStore.notSignedIn(account) }
    if world.isDryRun {
      world.host.note(.info, "would exchange the refresh token of \(account.name)")
      return
    }
    let refresh = TokenRefresh(world: world, settings: settings)
    let fresh = try call.isSet("if-needed") ? refresh.usable(account) : refresh.refreshed(account)
    if call.isSet("print") {
      guard let token = fresh.tokens?.access else { throw AccountStore.notSignedIn(fresh) }
      try output(.text(token.revealed + "\n"))
    } else {
      try outputStatus(of: fresh)
    }
  }

  func logout(_ call: CommandCall) throws {
    let settings = try world.settings(for: call)
    let named = call.option("account")
    let accounts =
      try call.isSet("all") ? accountStore.all() : [try accountStore.account(named: named)].compactMap { $0 }
    if accounts.isEmpty, let named { _ = try accountStore.existing(named: named) }
    if world.isDryRun {
      for account in accounts { world.host.note(.info, "would sign \(account.name) out") }
      return
    }
    let logout = Logout(world: world, isLocal: call.isSet("local"), settings: settings)
    var failure: GrabError?
    var rows: [JSONValue] = []
    for account in accounts {
      let page = call.isSet("browser") || call.isSet("no-browser") ? try providerSignOut(of: account) : nil
      let ended = try logout.end(account)
      rows.append([
        "account": .string(account.name), "changed": true, "revoked": .bool(ended.revoked),
      ])
      if let page {
        try call.isSet("no-browser")
          ? world.host.note(.info, "sign out at the service too: \(page)") : open(page, account)
      }
      for note in ended.notes {
        failure = failure ?? note
        let hint = "its tokens stay valid until they expire"
        world.host.note(.warning, "\(account.name): not revoked, \(note.message); \(hint)")
      }
    }
    if accounts.isEmpty { rows.append(["account": .null, "changed": false, "revoked": false]) }
    try output(.rows(rows))
    // Fail only now, because the local sign-out is done in any case.
    if let failure, call.isSet("require-revocation") {
      throw failure.reported(as: .notRevoked, "not all tokens were revoked")
    }
  }
}

/// Sign-out at the service itself (OpenID Connect RP-Initiated Logout 1.0), which requires the browser.
extension GrabCommands {
  /// The URL for signing out. It contains the ID token, so it is opened in the browser, and printed only with
  /// `--no-browser`.
  func providerSignOut(of account: Account) throws -> String? {
    let client = try world.client(of: account)
    guard let url = try Discovery(world: world, client: client).metadata().endSessionEndpoint else {
      world.host.note(.warning, "the service has no sign-out page")
      return nil
    }
    var items = [(name: "client_id", value: client.id)]
    if let hint = account.tokens?.id { items.insert(("id_token_hint", hint.revealed), at: 0) }
    return url.wire + (url.query.isEmpty ? "?" : "&") + Percent.encode(items)
  }

  func open(_ page: String, _ account: Account) throws {
    if try !world.host.open(page) {
      world.host.note(.warning, "\(account.name): the sign-out page could not be opened")
    }
  }
}

extension GrabCommands {
  /// The information that the SDK calls ID token info, verified locally. `--remote` also sends the token to the
  /// service.
  func idToken(_ call: CommandCall) throws {
    let settings = try world.settings(for: call)
    let account = try accountStore.existing(named: call.option("account"))
    guard let text = account.tokens?.id else { throw AccountStore.notSignedIn(account) }
    if call.isSet("raw") {
      try output(.text(text.revealed + "\n"))
      return
    }
    let client = try world.client(of: account, merging: settings)
    let metadata = try Discovery(world: world, client: client).metadata()
    var rules = IDTokenRules(issuer: account.issuer, clientID: account.clientID, now: world.now)
    rules.allowance = client.allowance
    rules.nonce = .absentOr(account.nonce)
    rules.subject = account.subject
    rules.partnerID = client.settings.partnerID
    rules.trustedAudiences = client.settings.trustedAudiences
    let token: IDToken
    do {
      token = try JWKSCache(world: world, client: client).verify(text.revealed, metadata: metadata, rules: rules)
    } catch let fault as IDTokenError {
      var failure = fault.failure
      if fault.check == .expiry { failure.hint = "Run \(ifttt: "grab refresh") or \(ifttt: "grab login --force")." }
      throw failure
    }
    let remote: JSONObject? =
      try call.isSet("remote")
      ? TokenInformation(world: world, client: client).fetchClaims(
        metadata, about: token, text: text, nonce: token.nonce) : nil
    try output(.rows([Self.information(token, remote: remote)]))
  }

  /// The fields of the SDK's ID token info, all claims, and the checks that were made.
  static func information(_ token: IDToken, remote: JSONObject?) -> JSONValue {
    func claim(_ name: String) -> JSONValue { JSONValue(token.claims[name]?.string) }
    return .object(
      JSONObject(members: [
        (
          "audience",
          token.audience.count == 1 ? .string(token.audience[0]) : .array(token.audience.map(JSONValue.string))
        ),
        ("service", claim("svc")), ("not_valid_before", JSONValue(token.notBefore?.rfc3339)),
        ("expiration", .string(token.expiry.rfc3339)), ("issue_date", .string(token.issuedAt.rfc3339)),
        ("issuer", claim("iss")), ("token_id", claim("jti")), ("partner_id", claim("pid")),
        ("partner_user_id", .string(token.subject)), ("nonce", JSONValue(token.nonce)),
        (
          "authentication_contexts",
          .array(AuthenticationContext.names(in: token.claims["acr"]).map(JSONValue.string))
        ),
        ("claims", .object(token.claims)), ("header", .object(token.header)),
        ("verified", remote == nil ? "local" : "local+remote"), ("remote", remote.map(JSONValue.object) ?? .null),
      ]))
  }
}
