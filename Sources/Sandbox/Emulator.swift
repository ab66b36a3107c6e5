package import HTTP
import Text
package import World

/// An emulator of IFTTT as a pure function: a request and a state in, a response and the new state out.
///
/// It is written from `docs/api` alone and shares no types with the clients, so a mistake in one shows up in the other.
/// The path alone selects the endpoint. A real IFTTT host only restricts which paths are served, so the same emulator
/// can run behind a server at any address.
package struct Emulator: Sendable {
  package var state: SandboxState
  package var web = WebRules()
  /// What the emulator received, sent and did.
  package internal(set) var log = EmulatorLog()
  /// The events and webhooks of the current request for services without a server, for the log.
  var unsent: [LogEntry] = []
  /// The key of the entry that the current request will have in the log.
  var causeKey: Int?
  /// The last key of an entry without a runtime.
  var requestKey = 0
  /// The number of webhooks so far.
  var webhookCount = 0
  /// The requests to the server of the first partner service; nil if its address is unknown.
  package internal(set) var runtime: ConnectionRuntime?
  /// Received requests whose responses depend on that server, by the keys of their entries in the log.
  var suspended: [Int: SuspendedRequest] = [:]
  /// The responses of the server that the current request depends on.
  var lookups = PartnerLookups()

  let seed: SandboxSeed

  /// - Parameter seed: Contents other than the state's built-in seed.
  package init(state: SandboxState, seed: SandboxSeed? = nil) {
    (self.state, self.seed) = (state, seed ?? SandboxSeed(state.builtInSeed))
    if let salt = self.seed.salt { self.state.salt = min(salt, SandboxState.largestNumber) }
  }
}

/// A received request that waits for responses of a partner's server, such as the options of a field. Once they have
/// arrived, it is evaluated again from its beginning.
struct SuspendedRequest {
  let request: Request
  let target: String?
  /// The number of responses that are still missing.
  var missing = 0
  var lookups = PartnerLookups()
}

/// The responses of a partner's server that a received request depends on.
struct PartnerLookups {
  /// The received responses, by the key of the call.
  var known: [String: PartnerResponse] = [:]
  /// The calls without a response yet. If there are any, the evaluation of the request is discarded.
  var missing: [PartnerCall] = []
}

/// The result of a request.
package struct EmulatorReply: Sendable {
  /// The key of the request, to record it.
  package let key: Int
  /// Nil if the request waits for a partner's server.
  package let response: Response?
}

extension Emulator {
  /// A new key for an entry of the log.
  package mutating func makeKey() -> Int {
    if let id = runtime?.makeID() { return id }
    requestKey += 1
    return requestKey
  }

  /// Respond to any request. Unknown requests get an error response with an error object.
  ///
  /// - Parameter target: The path and query as received, if the request came over the network. Web pages use it to
  ///   warn about parts that other parsers may read differently.
  package mutating func response(to request: Request, target: String? = nil, at now: Timestamp) -> Response {
    state.countRequest()
    let version = APIVersion(of: request.url)
    var response: EmulatorResponse
    do {
      if let route = WebRoute(of: request.url, isService: { seed.service($0) != nil }) {
        response = try browse(route, request, target: target, at: now)
      } else if let found = PartnerRoute.match(request.url) {
        response = try reply(to: request, at: found, now)
      } else {
        response = try reply(to: request, in: version, at: now)
      }
    } catch {
      let isPage =
        web.hasInspector && error.code == ErrorResponse.unknownPath.code
        && request.header("Accept")?.includes("text/html") == true
      response = isPage ? pages.unknownPage.response : error.response(in: version ?? .v2)
    }
    if request.header("Authorization") != nil, request.header("IFTTT-Service-Key") != nil {
      response.assumptions.append(.tokenBeforeKey)
    }
    return httpResponse(for: response, to: request.method, at: now)
  }

  /// The response to a request with a method that no endpoint has (RFC 9110, section 15.5.6).
  ///
  /// - Parameter target: The path and query as received.
  package mutating func rejection(ofMethodAt target: String, at now: Timestamp) -> Response {
    state.countRequest()
    let url = Request(receivedMethod: "GET", target: target, headers: [], body: [])?.url
    let version = url.flatMap(APIVersion.init)
    let error = url.flatMap(allowedMethods).map { ErrorResponse.wrongMethod(allowed: $0) } ?? .unknownPath
    return httpResponse(for: error.response(in: version ?? .v2), to: .post, at: now)
  }

  /// The methods of the page or endpoint at a URL; nil if there is neither.
  private func allowedMethods(at url: WebURL) -> String? {
    if let route = WebRoute(of: url, isService: { seed.service($0) != nil }) { return route.allowed }
    if let found = PartnerRoute.match(url) { return found.methods.text }
    guard let version = APIVersion(of: url), let segments = try? url.pathSegments() else { return nil }
    return version.routes.match(segments)?.methods.text
  }

  private mutating func reply(to request: Request, in version: APIVersion?, at now: Timestamp) throws(ErrorResponse)
    -> EmulatorResponse
  {
    guard let version, let found = version.routes.match(try request.url.pathSegments()) else { throw .unknownPath }
    try found.methods.check(request.method)
    let route = found.route
    let credential = try RequestCredential(of: request, in: state, seed, allUsers)
    let isReading = request.method == .get || request.method == .head
    let body = isReading || route.acceptsList ? nil : try request.jsonBody()
    let request = APIRequest(http: request, version: version, credential: credential, body: body, now: now)

    switch route {
    case .me: return try me(request)
    case .findAccount: return try findAccount(request.http)
    case .userToken(let service): return try exchange(request, service: service)
    case .connection(let id):
      return try isReading ? show(connection: id, request) : update(connection: id, request)
    case .turnConnection(let id, let turn): return try self.turn(turn, connection: id, request)
    case .fieldOptions(let id, let owner): return try options(of: owner, connection: id, request)
    case .userConnection(let id): return try replace(connection: id, request)
    case .refresh(let id): return try refresh(connection: id, request)
    case .run(let step, let id): return try run(step, connection: id, request)
    case .perform(let step, let id): return try perform(step, connection: id, request)
    case .test(let step, let id): return try test(step, connection: id, request)
    case .provisionalCode: return try issueProvisionalCode(request)
    case .events: return try receive(events: body)
    case .locationEvents: return try receive(locationEvents: request)
    case .applets(let service): return try list(appletsOf: service, request)
    case .applet(let id, let service): return try show(applet: id, of: service, request)
    case .turnApplet(let id, let service, let turn): return try self.turn(turn, applet: id, of: service, request)
    }
  }

  private func httpResponse(for response: EmulatorResponse, to method: Method, at now: Timestamp) -> Response {
    let date = CivilTime(now).httpDate
    var headers = [HeaderField("Date", date)]
    if !response.body.isEmpty { headers.append(.init("Content-Type", response.mediaType)) }
    headers += response.fields
    if let allowed = response.allowed { headers.append(.init("Allow", allowed)) }
    headers.append(.init("X-Request-ID", "sandbox-\(String(state.requests, width: 8))"))
    for assumption in response.assumptions + [.requestID] {
      headers.append(.init("X-Emulator-Assumption", "U\(assumption.rawValue)"))
    }
    // HEAD is GET without the body (RFC 9110, section 9.3.2).
    return Response(status: response.status, headers: headers, body: method == .head ? [] : response.body)
  }
}

/// The configurable behavior of the sandbox's web pages.
package struct WebRules: Sendable, Equatable {
  /// Whether the server has a page at `/` that shows what happens. A browser is led there from unknown paths.
  package var hasInspector = false
  /// The outcome that every activation ends with immediately, without user input; nil for interactive pages.
  package var outcome: ActivationOutcome?
  /// The only accepted redirect URIs, compared exactly; nil to accept any valid one (docs/api/activation.md U13).
  package var registered: [String]?
  /// Whether the Connect URL's `redirect_uri` receives the same results as the SDKs' (docs/api/activation.md U12).
  package var addsResultsToConnect = false
  /// Whether webhooks have `type` and `event` (docs/api/service.md C6).
  package var namesWebhookEvents = false

  package init() {}
}

/// The outcome of an activation.
package enum ActivationOutcome: String, Sendable, CaseIterable {
  case complete
  case completeWithoutToken = "complete-without-token"
  case completeSkipped = "complete-skipped"
  case completeAsAnother = "complete-as-another"
  case accountCreationFailed = "account-creation-failed"
  case authError = "auth-error"
  case verificationFailed = "verification-failed"
  case connectionRequestFailed = "connection-request-failed"
  case cancelled
  case oddNothing = "odd-nothing"
  case oddNextStep = "odd-next-step"
  case oddFragment = "odd-fragment"
  case oddEscape = "odd-escape"
  case stay

  /// A summary of the outcome for users.
  package var summary: String {
    switch self {
    case .complete: "enabled, with a token"
    case .completeWithoutToken: "enabled, without a token"
    case .completeSkipped: "enabled, but not configured yet"
    case .completeAsAnother: "enabled by another user, with that user's token"
    case .accountCreationFailed: "the account could not be created"
    case .authError: "signing in to the service failed"
    case .verificationFailed: "the user could not be verified"
    case .connectionRequestFailed: "the IFTTT app could not finish"
    case .cancelled: "cancelled"
    case .oddNothing: "redirect without a result"
    case .oddNextStep: "redirect with an unknown next_step"
    case .oddFragment: "redirect with the result after a #"
    case .oddEscape: "redirect with an invalid escape"
    case .stay: "no redirect; the page stays"
    }
  }

  var completes: Bool {
    switch self {
    case .complete, .completeWithoutToken, .completeSkipped, .completeAsAnother: true
    default: false
    }
  }

  /// The result in the query of the redirect URI, without a token; nil if absent.
  func result(owner: String) -> String? {
    switch self {
    case .complete, .completeWithoutToken, .completeSkipped, .completeAsAnother: "next_step=complete"
    case .accountCreationFailed: "next_step=error&error_type=account_creation"
    case .authError: "next_step=error&error_type=auth_error"
    case .verificationFailed: "next_step=error&error_type=verification_failed"
    case .connectionRequestFailed: "next_step=error&error_type=connection_request_failed"
    case .cancelled: "next_step=user_cancelled_configuration"
    case .oddNextStep: "next_step=service_authentication&service_id=\(owner)"
    case .oddFragment: "next_step=complete&user_token=behind_the_fragment"
    case .oddEscape: "next_step=complete&user_token=%zz"
    case .oddNothing, .stay: nil
    }
  }
}
