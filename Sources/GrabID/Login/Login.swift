import HTTP
import PluginProtocol
import Text
import World

/// Signs a user in: metadata, redirect URI, pending sign-in, browser and code exchange (RFC 8252).
package struct Login {
  let world: GrabWorld
  let client: GrabClient
  let options: LoginOptions

  package init(world: GrabWorld, client: GrabClient, options: LoginOptions) {
    (self.world, self.client, self.options) = (world, client, options)
  }

  /// Runs the sign-in.
  /// - Throws: ``GrabError``, ``PluginError``; in both cases the pending sign-in is removed.
  package func run() throws -> LoginResult {
    if let account = try stillValidAccount() { return .stillSignedIn(account) }
    try world.sweepPendingLogins()
    let discovery = Discovery(world: world, client: client)
    var metadata = try discovery.metadata()
    if (try? metadata.checkKeys(for: client.scope)) == nil {
      // The service may have corrected its metadata since it was cached.
      metadata = try discovery.metadata(isForced: true)
      try metadata.checkKeys(for: client.scope)
    }
    try reportChanges(metadata)
    if options.usesDevice {
      return .signedIn(try DeviceLogin(world: world, client: client, options: options).run(metadata))
    }
    try checkPKCE(metadata)
    let redirectURI = try bindRedirectURI()
    let pending = try begin(redirectURI)
    let url = try AuthorizationRequest(
      client: client, redirectURI: redirectURI, challenge: PKCE(verifier: pending.verifier).challenge,
      state: pending.state, nonce: pending.nonce
    ).url(at: metadata.authorizationEndpoint)
    if url.utf8.count > AuthorizationRequest.maximumSafeLength {
      world.host.note(.warning, "the URL has \(url.utf8.count) characters; servers and browsers may truncate long URLs")
    }
    if world.isDryRun { return .planned(url: url) }
    // This also verifies that the store is writable before the browser opens.
    try world.host.save([pending.name: pending.stored])
    if options.printsURL { return .pending(url: url, redirectURI: redirectURI, state: pending.state) }
    return .signedIn(try wait(for: pending, url: url, metadata))
  }

  /// The account of a session that is still valid, by the SDK's rule: a valid access token for this client and these
  /// scopes. Nil with `--force`.
  func stillValidAccount() throws -> Account? {
    if options.isForced { return nil }
    guard let account = try AccountStore(world: world).account(named: options.account),
      ExactText.same(account.clientID, client.id), ExactText.same(account.issuer, client.issuer),
      account.accessIsValid(at: world.now),
      Set(client.scope.names).isSubset(of: Set(account.requestedScopes + account.scopes))
    else { return nil }
    return account
  }

  private func checkPKCE(_ metadata: ProviderMetadata) throws(GrabError) {
    let methods = metadata.challengeMethods
    if methods?.contains(PKCE.method) == true { return }
    let isRequired = client.settings.requiresPKCE ?? false
    guard methods == nil, !isRequired else {
      throw GrabError(
        .discoveryUnusable, "the service does not advertise support for PKCE with S256 (RFC 7636)",
        hint: methods == nil
          ? "Omit --require-pkce to continue anyway." : "Report this to the operator of the service.",
        in: .serviceDiscovery)
    }
    world.host.note(.info, "the service does not advertise whether it supports PKCE; a code challenge is sent anyway")
  }

  /// Reports the hosts of the endpoints, which may differ from the issuer, as Grab's do. This happens once per
  /// profile, and again when they change.
  private func reportChanges(_ metadata: ProviderMetadata) throws {
    let name = "hosts/\(Fingerprint.of(client.discoveryURL.wire, client.issuer))"
    let hosts = metadata.origins.joined(separator: ", ")
    let known = try world.host.credential(name)
    guard known != hosts else { return }
    world.host.note(
      known == nil ? .info : .warning,
      known == nil ? "signing in at \(hosts)" : "the service's hosts have changed: signing in at \(hosts)")
    if !world.isDryRun { try world.host.save([name: hosts]) }
  }

  /// Choose the redirect URI, and start a listener if the command waits for the redirect.
  private func bindRedirectURI() throws -> String {
    let configured = client.settings.redirectURI
    if let configured, configured.kind != .loopback {
      guard options.port == nil else {
        throw GrabError(.badSetting, "--port cannot be used with a redirect URI that is not on this machine")
      }
      return configured.text
    }
    let host = configured?.parts.host ?? "127.0.0.1"
    let path = configured.map(\.parts.path) ?? GrabRedirectURI.path
    let query = configured?.parts.query.map { "?\($0)" } ?? ""
    let port = options.port ?? configured?.parts.port
    if options.printsURL || world.isDryRun {
      // Without a listener the user pastes the address; RFC 8252 §7.3 allows any port.
      return "http://\(host)\(port.map { ":\($0)" } ?? "")\(path)\(query)"
    }
    do {
      // The listener does not match the query of a redirect URI.
      return try world.host.bindRedirect("http://\(host):\(port ?? 0)\(path)", path: path) + query
    } catch var failure as PluginError where failure.code == ProblemCode.conflict.rawValue {
      failure.hint = "Choose another port with --port, or omit it to use any port that is free and registered."
      throw failure
    }
  }

  private func begin(_ redirectURI: String) throws -> PendingLogin {
    let state = Base64.url.encode(try world.randomBytes())
    let nonce = Base64.url.encode(try world.randomBytes())
    let pkce = PKCE(randomBytes: try world.randomBytes())
    return PendingLogin(
      state: state, nonce: nonce, verifier: pkce.verifier, redirectURI: redirectURI, account: options.account,
      createdAt: world.now, settings: client.settings)
  }

  private func wait(for pending: PendingLogin, url: String, _ metadata: ProviderMetadata) throws -> Account {
    do {
      let query = try redirectedQuery(of: pending, url: url, metadata)
      let finishing = LoginFinish(world: world)
      let account = try finishing.account(.query(query), of: pending, client: client, metadata: metadata)
      try? world.host.tidyUp { try world.host.finishRedirect(succeeded: true, nil) }
      return account
    } catch {
      try? world.host.tidyUp { try world.host.finishRedirect(succeeded: false, GrabError(error)?.message) }
      // Remove the pending sign-in, because a user who started it with this command can simply start again.
      try? world.host.delete([pending.name])
      throw error
    }
  }

  /// Opens the browser and waits for the redirect; returns its query.
  private func redirectedQuery(of pending: PendingLogin, url: String, _ metadata: ProviderMetadata) throws -> String {
    // The program compares only the address; the query of the redirect URI returns among the parameters.
    var request = RedirectRequest(
      url: url, redirectURI: String(pending.redirectURI.prefix { $0 != "?" }), state: pending.state)
    request.issuer = metadata.announcesIssuerInRedirect ? metadata.issuer : nil
    request.opensBrowser = options.opensBrowser
    request.serviceName = "Grab"
    if let limit = world.host.userTimeLimit { request.timeout = limit }
    do { return try world.host.openRedirect(request).query } catch {
      throw GrabError(error)?.ofRedirect ?? error
    }
  }
}

extension GrabError {
  /// The program's error about a redirect, with Grab's code for it.
  fileprivate var ofRedirect: GrabError {
    let redirectEvent: GrabEvent? =
      switch code {
      case .unknownRedirect: .foreignRedirect
      case .stateMismatch: .stateMismatch
      case .timeout: .redirectTimeout
      default: nil
      }
    return redirectEvent.map { GrabError($0, message, reason: reason, hint: hint) } ?? self
  }
}

/// The options of a sign-in; its destination is part of ``GrabSettings``.
package struct LoginOptions: Sendable {
  /// Whether to sign in even if a session is still valid.
  package var isForced = false
  package var account: String?
  package var opensBrowser = true
  /// Whether the user passed a browser command. The plugin does not pass it on, because the program accepts it only
  /// from the user.
  package var hasBrowser = false
  package var port: Int?
  /// Whether to print the URL, store the pending sign-in, and exit.
  package var printsURL = false
  package var usesDevice = false

  package init() {}
}

/// The outcome of a sign-in.
package enum LoginResult: Sendable {
  /// A session was still valid; nothing was sent.
  case stillSignedIn(Account)
  case signedIn(Account)
  /// Another process finishes the sign-in.
  case pending(url: String, redirectURI: String, state: String)
  /// The URL that `--dry-run` shows.
  case planned(url: String)
}
