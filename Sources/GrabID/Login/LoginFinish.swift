import JSON
import Text
import World

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
        try? world.host.changeCredentials(put: [], delete: [pending.name])
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
  /// - Throws: ``GrabError``, ``GrabCancellationError``.
  func account(
    _ address: RedirectedURL, of pending: PendingLogin, client: GrabClient, metadata: ProviderMetadata
  ) throws -> Account {
    let check = RedirectCheck(
      redirectURI: try GrabRedirectURI(parsing: pending.redirectURI), state: pending.state, issuer: metadata.issuer,
      issuerIsRequired: metadata.announcesIssuerInRedirect)
    let text = try check.code(in: address)
    guard let code = Secret(parsing: text) else { throw RedirectedURL.foreign("the code contains control characters") }
    let preparation = try SignInPreparation(world, client, metadata)
    // Only one process can take the pending sign-in, and only after everything else has been checked.
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
        try world.host.changeCredentials(put: [(pending.name, pending.stored)], delete: [])
        throw failure
      }
    }
  }
}
