import JSON
import Text
import World

/// A sign-in in progress, with values that no other client has. It is stored until it is finished or ``lifetime`` is
/// over.
struct PendingLogin {
  let state: String
  let nonce: String
  let verifier: Secret
  let redirectURI: String
  /// The requested account, as the user passed it.
  let account: String?
  let createdAt: Timestamp
  let settings: GrabSettings

  static let prefix = "pending/"
  static let lifetime = Duration.seconds(600)

  /// The row's name, which does not reveal the state.
  static func name(ofState state: String) -> String {
    prefix + SHA256.hash(Array(state.utf8)).hex
  }
  var name: String { Self.name(ofState: state) }

  var stored: String {
    JSONValue.object([
      "state": .string(state), "nonce": .string(nonce), "verifier": .string(verifier.revealed),
      "redirect_uri": .string(redirectURI), "account": JSONValue(account),
      "created_at": JSONValue(Int(createdAt.milliseconds)), "settings": settings.stored,
      "client_secret": JSONValue(settings.clientSecret?.revealed), "max_age": JSONValue(settings.maximumAge),
    ]).text
  }

  init(
    state: String, nonce: String, verifier: Secret, redirectURI: String, account: String?, createdAt: Timestamp,
    settings: GrabSettings
  ) {
    (self.state, self.nonce, self.verifier, self.redirectURI) = (state, nonce, verifier, redirectURI)
    (self.account, self.createdAt, self.settings) = (account, createdAt, settings)
  }

  init?(stored text: String) {
    guard let row = try? JSONValue(parsing: Array(text.utf8)), let state = row["state"]?.string,
      let nonce = row["nonce"]?.string, let verifier = row["verifier"]?.string.flatMap(Secret.init(parsing:)),
      let redirectURI = row["redirect_uri"]?.string, let created = row["created_at"]?.int,
      let settings = row["settings"]
    else { return nil }
    (self.state, self.nonce, self.verifier, self.redirectURI) = (state, nonce, verifier, redirectURI)
    account = row["account"]?.string
    createdAt = Timestamp(milliseconds: Int64(created))
    var storedSettings = GrabSettings(stored: settings, secret: row["client_secret"]?.string)
    storedSettings.maximumAge = row["max_age"]?.int
    self.settings = storedSettings
  }

  /// Whether the sign-in is recent. A clock that was set back does not extend its lifetime.
  func isAlive(at now: Timestamp) -> Bool {
    now < createdAt + Self.lifetime && createdAt <= now + .seconds(60)
  }
}

extension GrabWorld {
  /// Removes expired and unreadable sign-ins of all processes.
  func sweepPendingLogins() throws {
    if isDryRun { return }
    let expired = try host.credentialNames(prefix: PendingLogin.prefix).filter { name in
      guard let pending = try host.credential(name).flatMap(PendingLogin.init(stored:)) else { return true }
      return !pending.isAlive(at: now)
    }
    if !expired.isEmpty { try host.delete(expired) }
  }
}

/// Turns a redirected URL into an account: checks it, spends the code, verifies the tokens and saves them.
package struct LoginFinish {
  let world: GrabWorld

  package init(world: GrabWorld) { self.world = world }

  /// Finishes a sign-in that may have been started by another process.
  package func account(pasted text: String) throws -> Account {
    try world.sweepPendingLogins()
    let address = try RedirectedURL(pasted: text)
    let items = try RedirectCheck.items(of: try address.unverifiedQuery())
    guard let state = items.first(where: { $0.name == "state" })?.value, !state.isEmpty else {
      throw GrabError(
        .stateMismatch, "the URL does not belong to a sign-in", reason: "the state is missing",
        hint: "Copy the whole URL from the browser's address bar.")
    }
    guard let pending = try world.host.credential(PendingLogin.name(ofState: state)).flatMap(PendingLogin.init(stored:))
    else { throw Self.noPendingLogin() }
    let client = try pending.settings.client()
    let metadata = try Discovery(world: world, client: client).metadata()
    do { return try account(address, of: pending, client: client, metadata: metadata) } catch let failure as GrabError {
      // An error response of the service ends the sign-in; a mistake in the address does not.
      if [.userCancelled, .interactionRequired, .clientNotAllowed, .invalidScope, .redirectError].contains(
        failure.event)
      {
        try? world.host.delete([pending.name])
      }
      throw failure
    }
  }

  private static func noPendingLogin() -> GrabError {
    GrabError(
      .noPendingLogin, "no sign-in is waiting for this URL",
      reason: "it was finished, started more than ten minutes ago, or started in another profile",
      hint: "Start again with \(ifttt: "grab login").")
  }

  /// Finishes a pending sign-in.
  /// - Throws: ``GrabError``, ``PluginError``.
  func account(
    _ address: RedirectedURL, of pending: PendingLogin, client: GrabClient, metadata: ProviderMetadata
  ) throws -> Account {
    let check = RedirectCheck(
      redirectURI: try GrabRedirectURI(parsing: pending.redirectURI), state: pending.state, issuer: metadata.issuer,
      issuerIsRequired: metadata.announcesIssuerInRedirect)
    let text = try check.code(in: address)
    guard let code = Secret(parsing: text) else { throw RedirectedURL.foreign("the code contains control characters") }
    let preparation = try SignInPreparation(world, client, metadata)
    // Only one process can read and delete the pending sign-in, and only after all other checks.
    guard try world.host.takeCredential(pending.name) != nil, pending.isAlive(at: world.now) else {
      throw Self.noPendingLogin()
    }
    var rules = IDTokenRules(issuer: client.issuer, clientID: client.id, now: world.now)
    rules.nonce = .required(pending.nonce)
    rules.code = code.revealed
    let endpoint = TokenEndpoint(world: world, client: client, url: metadata.tokenEndpoint)
    return try SignIn(
      world: world, client: client, metadata: metadata, expected: pending.account, preparation: preparation
    ).account(rules: rules, nonce: pending.nonce) {
      do {
        return try endpoint.redeem(code: code, redirectURI: pending.redirectURI, verifier: pending.verifier)
      } catch let failure as GrabError where failure.nothingWasSent {
        try world.host.save([pending.name: pending.stored])
        throw failure
      }
    }
  }
}
