import HTTP
import JSON
import PluginProtocol
import Text

/// Ends a sign-in: first at the service, then locally, regardless of the service's response.
struct Logout {
  let world: GrabWorld
  /// Whether to skip the revocation at the service.
  let isLocal: Bool
  let settings: GrabSettings

  struct Ended {
    let account: Account
    let revoked: Bool
    /// The tokens that could not be revoked, and the reasons.
    let notes: [GrabError]
  }

  /// Removes the account's row. The caller decides how to report the notes.
  /// - Parameter remembers: Whether to store the name, issuer, client and subject, as for a connection that is
  ///   disabled.
  func end(_ account: Account, remembers: Bool = false) throws -> Ended {
    let accountStore = AccountStore(world: world)
    return try accountStore.locked(account.key) {
      // Another process may have refreshed the tokens; revoke the current ones.
      let row = try accountStore.account(key: account.key) ?? account
      let (revoked, notes) = isLocal ? (false, []) : try revoke(row)
      try remove(row, remembers: remembers)
      return Ended(account: row, revoked: revoked, notes: notes)
    }
  }

  private func remove(_ account: Account, remembers: Bool) throws {
    do {
      if remembers {
        var bare = account
        (bare.tokens, bare.nonce, bare.refreshingSince) = (nil, nil, nil)
        bare.generation += 1
        try world.host.save([bare.storedName: bare.stored])
        return
      }
      let current = try world.host.credential(AccountStore.currentName)
      let names = [account.storedName] + (current == account.key ? [AccountStore.currentName] : [])
      try world.host.delete(names)
    } catch {
      throw GrabError(error)?.reported(as: .logoutNotStored, "the sign-in could not be removed") ?? error
    }
  }

  private func revoke(_ account: Account) throws -> (Bool, [GrabError]) {
    guard let tokens = account.tokens else { return (false, []) }
    var notes: [GrabError] = []
    do {
      let client = try world.client(of: account, merging: settings)
      let metadata = try Discovery(world: world, client: client).metadata()
      guard let url = metadata.revocationEndpoint else {
        notes.append(GrabError(.notRevoked, "the service does not support revocation", in: .logout, code: .refused))
        return (false, notes)
      }
      let revocation = Revocation(world: world, client: client, url: url)
      // Revoke the refresh token first: servers then revoke its access tokens as well (RFC 7009 §2.1).
      var revoked = false
      for (token, kind) in [(tokens.refresh, Revocation.Kind.refreshToken), (tokens.access, .accessToken)] {
        guard let token else { continue }
        do { if try revocation.revoke(token, kind) { revoked = true } } catch let failure as GrabError {
          // Report an error that both requests have in common only once.
          if notes.last?.message != failure.message { notes.append(failure) }
        }
      }
      if !revoked, notes.isEmpty {
        notes.append(
          GrabError(.notRevoked, "the service does not revoke tokens of these types", in: .logout, code: .refused))
      }
      return (revoked && notes.isEmpty, notes)
    } catch {
      guard let failure = GrabError(error) else { throw error }
      notes.append(failure)
    }
    return (false, notes)
  }
}

/// Revokes a token at the service (RFC 7009).
struct Revocation {
  let world: GrabWorld
  let client: GrabClient
  let url: WebURL

  enum Kind: String { case refreshToken = "refresh_token", accessToken = "access_token" }

  /// Revokes one token.
  /// - Returns: False if the service does not revoke tokens of this kind; true also for an unknown token.
  /// - Throws: ``GrabError``.
  func revoke(_ token: Secret, _ kind: Kind) throws -> Bool {
    var items = [(name: "token", value: token.revealed), ("token_type_hint", kind.rawValue), ("client_id", client.id)]
    var secrets = [token]
    if let secret = client.settings.clientSecret {
      items.append(("client_secret", secret.revealed))
      secrets.append(secret)
    }
    var request = Request.form(url, items, secrets: secrets)
    request.isRepeatable = true
    let response = try world.send(request, "revocation", in: .logout)
    guard !(200..<300).contains(response.status) else { return true }
    let errorText = ServerErrorText(response)
    // The server does not revoke this kind of token at all, but the other kind may still be revoked.
    if errorText.error == "unsupported_token_type" { return false }
    let (code, message): (ProblemCode, String) =
      switch ErrorStatus(response.status) {
      case .unauthorized, .forbidden: (.forbidden, "this client is not allowed to revoke tokens")
      case .serverError: (.serverError, "the service responded with \(response.status)")
      default: (.refused, "the service responded with \(response.status)")
      }
    throw GrabError(
      .notRevoked, message, reason: errorText.text, in: .logout, status: response.status, code: code)
  }
}
