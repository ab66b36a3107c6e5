import HTTP
import JSON
import Text

/// The commands of `ifttt grab`, from typed options to output.
package struct GrabCommands {
  let world: GrabWorld
  /// Receives each row as soon as it is known.
  let output: (GrabOutput) throws -> Void

  package init(world: GrabWorld, output: @escaping (GrabOutput) throws -> Void) {
    (self.world, self.output) = (world, output)
  }

  package static let names = ["login", "complete", "status", "id-token", "refresh", "logout", "apps"]

  /// Runs a command.
  /// - Throws: ``GrabError``, ``GrabCancellationError``; output before the error remains.
  package func run(_ invocation: GrabInvocation) throws {
    switch invocation.command {
    case "login": try login(invocation)
    case "complete": try complete(invocation)
    case "status": try status(invocation)
    case "id-token": try idToken(invocation)
    case "refresh": try refresh(invocation)
    case "logout": try logout(invocation)
    case "apps": try apps(invocation)
    default:
      throw GrabError(.badSetting, "unknown command \(DisplayText.shown(invocation.command, limit: 40))")
    }
  }

  var accountStore: AccountStore { AccountStore(world: world) }

  func outputStatus(of account: Account) throws {
    try output(.rows([try SessionStatus(of: account, in: world).json]))
  }
}

extension GrabCommands {
  /// Shows the status. The command succeeds only if both tokens are valid.
  func status(_ invocation: GrabInvocation) throws {
    let account = try accountStore.existing(named: invocation.text("account"))
    let status = try SessionStatus(of: account, in: world)
    try output(.rows([status.json]))
    guard account.isSignedIn else { throw AccountStore.notSignedIn(account) }
    guard status.isValid else {
      var failure = GrabError(
        .noLongerValid, "the sign-in of \(DisplayText.shown(account.name, limit: 80)) is not valid",
        hint: account.tokens?.refresh == nil ? "Run \(ifttt: "grab login")." : "Run \(ifttt: "grab refresh").")
      failure.details = [("access_token", status.access), ("id_token", status.id)].compactMap { name, reason in
        reason.map { .init(name, $0.rawValue) }
      }
      failure.reason = failure.details.map { "\($0.parameter) is \($0.message)" }.joined(separator: ", ")
      throw failure
    }
    if account.refreshIsDue(at: world.now) {
      world.host.note(.info, "the access token is refreshed before its next use")
    }
  }

  func refresh(_ invocation: GrabInvocation) throws {
    let settings = try world.settings(for: invocation)
    let account = try accountStore.existing(named: invocation.text("account"))
    guard account.isSignedIn else { throw AccountStore.notSignedIn(account) }
    if world.isDryRun {
      world.host.note(.info, "would exchange the refresh token of \(account.name)")
      return
    }
    let refresh = TokenRefresh(world: world, settings: settings)
    let fresh = try invocation.flag("if-needed") ? refresh.usable(account) : refresh.refreshed(account)
    if invocation.flag("print") {
      guard let token = fresh.tokens?.access else { throw AccountStore.notSignedIn(fresh) }
      try output(.text(token.revealed + "\n"))
    } else {
      try outputStatus(of: fresh)
    }
  }

  func logout(_ invocation: GrabInvocation) throws {
    let settings = try world.settings(for: invocation)
    let named = invocation.text("account")
    let accounts =
      try invocation.flag("all") ? accountStore.all() : [try accountStore.account(named: named)].compactMap { $0 }
    if accounts.isEmpty, let named { _ = try accountStore.existing(named: named) }
    if world.isDryRun {
      for account in accounts { world.host.note(.info, "would sign \(account.name) out") }
      return
    }
    let logout = Logout(world: world, isLocal: invocation.flag("local"), settings: settings)
    var failure: GrabError?
    var rows: [JSONValue] = []
    for account in accounts {
      let page = invocation.flag("browser") || invocation.flag("no-browser") ? try providerSignOut(of: account) : nil
      let ended = try logout.end(account)
      rows.append([
        "account": .string(account.name), "changed": true, "revoked": .bool(ended.revoked),
      ])
      if let page {
        try invocation.flag("no-browser")
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
    // Fail after the local sign-out, which is done in any case.
    if let failure, invocation.flag("require-revocation") {
      throw failure.reported(as: .notRevoked, "not all tokens were revoked")
    }
  }
}

/// Sign-out at the service itself (OpenID Connect RP-Initiated Logout 1.0), which requires the browser.
extension GrabCommands {
  /// The URL for signing out. It contains the ID token, so it is opened, and shown only if the user wants no browser.
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
