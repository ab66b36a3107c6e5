import HTTP
import JSON
import PluginProtocol
import Text
import World

/// Signs in on a machine without a browser: the user enters a code on another device (RFC 8628).
struct DeviceLogin {
  let world: GrabWorld
  let client: GrabClient
  let options: LoginOptions

  func run(_ metadata: ProviderMetadata) throws -> Account {
    guard let url = metadata.deviceEndpoint else {
      throw GrabError(
        .noDeviceGrant, "the service does not support signing in with a code on another device",
        reason: "its metadata has no device_authorization_endpoint",
        hint: "Run \(ifttt: "grab login") without --device.")
    }
    let preparation = try SignInPreparation(world, client, metadata)
    // Check that the store is writable before the user has to act.
    let probe = "pending/device"
    try world.host.save([probe: ""])
    defer { try? world.host.delete([probe]) }
    let response = try world.send(
      .form(url, [("client_id", client.id), ("scope", client.scope.text)], secrets: []), "device authorization",
      in: .exchangeToken)
    guard (200..<300).contains(response.status) else {
      throw TokenEndpoint.refusal(response, ofGrant: .codeRefused)
    }
    let grant = try DeviceGrant(parsing: response.body)
    world.host.note(.info, "Open \(grant.verificationURI) on any device and type this code there:")
    world.host.note(.info, "    \(grant.userCode)")
    if options.opensBrowser, world.host.isInteractive, let page = grant.completeURI {
      world.host.note(.info, "Continue only if the page shows the same code.")
      _ = try? world.host.open(page)
    }
    let tokens = try approved(grant, TokenEndpoint(world: world, client: client, url: metadata.tokenEndpoint))
    return try SignIn(
      world: world, client: client, metadata: metadata, expected: options.account, preparation: preparation
    ).account(rules: IDTokenRules(issuer: client.issuer, clientID: client.id, now: world.now), nonce: nil) {
      try TokenResponse(parsing: tokens.body, needsIDToken: client.scope.requestsIdentity)
    }
  }

  /// Polls until the tokens arrive.
  private func approved(_ grant: DeviceGrant, _ endpoint: TokenEndpoint) throws -> Response {
    let allowedSeconds = world.host.userTimeLimit.map { max(1, Int($0.wholeMilliseconds / 1000)) }
    let lifetime = min(grant.lifetime, allowedSeconds ?? grant.lifetime)
    var polling = DevicePolling(lifetime: lifetime, interval: grant.interval)
    var step = polling.first()
    var response: Response?
    let start = world.clock.monotonic()
    while true {
      switch step {
      case .wait(let seconds):
        try world.host.waitForPerson(.seconds(seconds))
        guard !world.interruption.isInterrupted else { throw PluginError.cancelled }
        // The response may contain the tokens, which are sent only once.
        response = try responseIfAny { try world.uninterrupted { try endpoint.poll(deviceCode: grant.deviceCode) } }
        let elapsed = Int((world.clock.monotonic() - start).wholeMilliseconds / 1000)
        step = polling.next(
          status: response?.status, error: response.flatMap { ServerErrorText($0).error }, elapsed: elapsed)
      case .tokens: return response ?? Response(status: 500)
      case .end(.redirectTimeout):
        throw GrabError(
          .redirectTimeout, "timed out waiting for the code to be entered on the other device",
          reason: lifetime < grant.lifetime ? "--timeout allows \(lifetime) s" : "the code has expired",
          hint: lifetime < grant.lifetime
            ? "Allow more time with --timeout; the service is polled every \(grant.interval) s."
            : "Run \(ifttt: "grab login --device") again.")
      case .end(.userCancelled):
        throw GrabError(
          .userCancelled, "the sign-in was rejected on the other device",
          hint: "Run \(ifttt: "grab login --device") again.")
      case .end:
        throw TokenEndpoint.refusal(response ?? Response(status: 500), ofGrant: .codeRefused)
      }
    }
  }

  /// The response; nil after a connection failure or a rate limit.
  private func responseIfAny(_ body: () throws -> Response) throws -> Response? {
    do { return try body() } catch let failure as GrabError {
      guard [.noConnection, .timeLimit, .tooManyRequests, .unavailable].contains(failure.event) else { throw failure }
      return nil
    }
  }
}

/// A service's response to a request for a device code (RFC 8628 §3.2).
package struct DeviceGrant: Sendable {
  let deviceCode: Secret
  package let userCode: String
  package let verificationURI: String
  /// The URI that includes the code, if the service provides one.
  package let completeURI: String?
  /// The lifetime in seconds.
  let lifetime: Int
  /// The time between two polls, in seconds.
  let interval: Int

  /// Parses the response.
  /// - Throws: ``GrabError``.
  init(parsing body: [UInt8]) throws(GrabError) {
    func unreadable(_ why: String) -> GrabError {
      GrabError(.tokenUnreadable, "the service's response with the device code cannot be read", reason: why)
    }
    let response: JSONObject
    do { response = try StrictJSON.object(body) } catch { throw unreadable("\(error)") }
    guard let code = response["device_code"]?.string.flatMap(Secret.init(parsing:)) else {
      throw unreadable("device_code is missing")
    }
    guard let shown = response["user_code"]?.string, !shown.isEmpty, shown.utf8.count <= 100 else {
      throw unreadable("user_code is missing")
    }
    func page(_ name: String) -> String? {
      guard let text = response[name]?.string, let url = try? WebURL(parsing: text),
        url.scheme == "https" || url.isLoopbackAddress
      else { return nil }
      return text
    }
    guard let uri = page("verification_uri") else { throw unreadable("verification_uri is missing or not https") }
    guard let lifetime = response["expires_in"]?.int, lifetime > 0 else { throw unreadable("expires_in is missing") }
    deviceCode = code
    userCode = DisplayText.shown(shown)
    verificationURI = uri
    completeURI = page("verification_uri_complete")
    self.lifetime = min(lifetime, 86_400)
    interval = min(max(response["interval"]?.int ?? 5, 1), 3600)
  }
}

/// A state machine that decides when to poll a device grant and how it ends (RFC 8628 §3.5).
package struct DevicePolling: Sendable {
  package enum Step: Sendable, Equatable {
    /// Wait for a number of seconds.
    case wait(Int)
    case tokens
    case end(GrabEvent)
  }

  /// The deadline in seconds from the start.
  private let deadline: Int
  private var interval: Int
  private var failures = 0

  package init(lifetime: Int, interval: Int) { (deadline, self.interval) = (lifetime, interval) }

  /// The first step; the first poll also follows a wait.
  package func first() -> Step { step(at: 0, after: interval) }

  /// The step after a poll.
  /// - Parameters:
  ///   - status: The status of the response; nil if there was none.
  ///   - error: The OAuth error in the response.
  ///   - elapsed: The number of seconds since the start.
  package mutating func next(status: Int?, error: String?, elapsed: Int) -> Step {
    guard let status else {
      // After connection failures, retry with exponential backoff until the code expires.
      failures += 1
      let backoff = Backoff(base: .seconds(interval), ceiling: .seconds(interval << 6))
      return step(at: elapsed, after: Int(backoff.delay(attempt: failures + 1).components.seconds))
    }
    failures = 0
    switch error {
    case _ where (200..<300).contains(status): return .tokens
    case "authorization_pending": return step(at: elapsed, after: interval)
    case "slow_down":
      interval += 5
      return step(at: elapsed, after: interval)
    case "access_denied": return .end(.userCancelled)
    case "expired_token": return .end(.redirectTimeout)
    default:
      return StatusRetryability(status: status) == .never
        ? .end(.tokenRefused) : step(at: elapsed, after: interval * 2)
    }
  }

  private func step(at elapsed: Int, after seconds: Int) -> Step {
    elapsed + seconds >= deadline ? .end(.redirectTimeout) : .wait(seconds)
  }
}
