import HTTP
import Secrets
import World

/// Signs in on a machine without a browser: a code that the person types on another one (RFC 8628).
struct DeviceLogin {
  let world: GrabWorld
  let client: GrabClient
  let options: LoginOptions

  func run(_ metadata: ProviderMetadata) throws -> Account {
    guard let url = metadata.deviceEndpoint else {
      throw GrabFailure(
        .noDeviceGrant, "the service offers no sign-in by code on another device",
        reason: "its metadata has no device_authorization_endpoint", hint: "Run ifttt grab login without --device.")
    }
    // Writable before anybody is asked to do anything.
    let probe = "pending/device"
    try world.host.changeCredentials(put: [(probe, "")], delete: [])
    defer { try? world.host.changeCredentials(put: [], delete: [probe]) }
    let response = try world.call(
      .form(url, [("client_id", client.id), ("scope", client.scope.text)], secrets: []), "device authorization",
      in: .exchangeToken)
    guard (200..<300).contains(response.status) else {
      throw TokenEndpoint.refusal(response, ofGrant: .codeRefused)
    }
    let grant = try DeviceGrant(parsing: response.body)
    world.host.note(.info, "Open \(grant.verificationURI) on any device and type this code there:")
    world.host.note(.info, "    \(grant.userCode)")
    if options.opensBrowser, world.host.isInteractive, let page = grant.completeURI {
      world.host.note(.info, "Go on only if the page shows the same code.")
      _ = try? world.host.open(page)
    }
    let tokens = try poll(grant, TokenEndpoint(world: world, client: client, url: metadata.tokenEndpoint))
    return try SignIn(world: world, client: client, metadata: metadata, expected: options.account)
      .account(
        of: tokens, rules: IDTokenRules(issuer: client.issuer, clientID: client.id, now: world.now), nonce: nil)
  }

  private func poll(_ grant: DeviceGrant, _ endpoint: TokenEndpoint) throws -> TokenAnswer {
    var polling = DevicePolling(lifetime: grant.lifetime, interval: grant.interval)
    var step = polling.first()
    var answer: Response?
    let start = world.clock.monotonic()
    while true {
      switch step {
      case .wait(let seconds):
        try world.host.waitForPerson(seconds: seconds)
        guard !world.interruption.isInterrupted else { throw GrabCancelled() }
        answer = try answered { try endpoint.poll(deviceCode: grant.deviceCode) }
        let elapsed = Int((world.clock.monotonic() - start).wholeMilliseconds / 1000)
        step = polling.next(
          status: answer?.status, error: answer.flatMap { ServerWords($0).error }, elapsed: elapsed)
      case .tokens:
        return try TokenAnswer(parsing: answer?.body ?? [], needsIDToken: client.scope.asksForIdentity)
      case .end(.nobodyCameBack):
        throw GrabFailure(
          .nobodyCameBack, "nobody typed the code in time", hint: "Run ifttt grab login --device again.")
      case .end(.userCancelled):
        throw GrabFailure(
          .userCancelled, "the sign-in was refused on the other device", hint: "Run ifttt grab login --device again.")
      case .end:
        throw TokenEndpoint.refusal(answer ?? Response(status: 500), ofGrant: .codeRefused)
      }
    }
  }

  /// Nil where no answer came, or one that asks for patience.
  private func answered(_ body: () throws -> Response) throws -> Response? {
    do { return try body() } catch let failure as GrabFailure {
      guard [.noConnection, .timeLimit, .tooManyRequests, .unavailable].contains(failure.event) else { throw failure }
      return nil
    }
  }
}
