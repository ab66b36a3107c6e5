import JSON
import Text

extension GrabCommands {
  /// Shows the status. The command succeeds only if both tokens are valid.
  func status(_ invocation: GrabInvocation) throws {
    let account = try book.existing(named: invocation.text("account"))
    let status = try SessionStatus(of: account, in: world)
    try give(.rows([status.json]))
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
    let account = try book.existing(named: invocation.text("account"))
    guard account.isSignedIn else { throw AccountStore.notSignedIn(account) }
    if world.isDryRun {
      world.host.note(.info, "would exchange the refresh token of \(account.name)")
      return
    }
    let refresh = TokenRefresh(world: world, settings: settings)
    let fresh = try invocation.flag("if-needed") ? refresh.usable(account) : refresh.refreshed(account)
    if invocation.flag("print") {
      guard let token = fresh.tokens?.access else { throw AccountStore.notSignedIn(fresh) }
      try give(.text(token.revealed + "\n"))
    } else {
      try giveStatus(of: fresh)
    }
  }

  func logout(_ invocation: GrabInvocation) throws {
    let settings = try world.settings(for: invocation)
    let named = invocation.text("account")
    let accounts = try invocation.flag("all") ? book.all() : [try book.account(named: named)].compactMap { $0 }
    if accounts.isEmpty, let named { _ = try book.existing(named: named) }
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
    try give(.rows(rows))
    // Fail after the local sign-out, which is done in any case.
    if let failure, invocation.flag("require-revocation") {
      throw failure.told(as: .notRevoked, "not all tokens were revoked")
    }
  }
}
