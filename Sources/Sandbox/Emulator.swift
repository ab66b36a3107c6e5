package import HTTP
package import World

/// An emulator of IFTTT as a pure function: a request and a state in, a response and the new state out.
///
/// It is written from `docs/api` alone and shares no types with the clients, so a mistake in one shows up in the other.
/// The path alone selects the endpoint. A real IFTTT host only restricts which paths are served, so the same emulator
/// can run behind a server at any address.
package struct Emulator: Sendable {
  package var state: SandboxState
  package var web = WebRules()
  /// Webhooks to send to partner services.
  var webhooks: [Webhook] = []
  /// The number of webhooks so far.
  var webhookCount = 0
  /// The requests to the server of the first partner service; nil if its address is unknown.
  package internal(set) var runtime: ConnectionRuntime?
  /// Received requests whose responses depend on that server, by number.
  var suspended: [Int: SuspendedRequest] = [:]
  /// What the server responded to the requests that the current request depends on.
  var lookups = PartnerLookups()

  let seed: SandboxSeed

  package init(state: SandboxState, seed: SandboxSeed = .builtIn) { (self.state, self.seed) = (state, seed) }
}

/// A received request that waits for responses of a partner's server, such as the options of a field. Once they are
/// known, it is evaluated again from its beginning.
struct SuspendedRequest {
  let request: Request
  let target: String?
  /// The number of responses that are still missing.
  var missing = 0
  var lookups = PartnerLookups()
}

/// The responses of a partner's server that a received request depends on.
struct PartnerLookups {
  /// By the key of the call.
  var known: [String: PartnerResponse] = [:]
  /// The calls whose responses are not known yet. If there is one, the evaluation of the request is discarded.
  var missing: [PartnerCall] = []
}

/// The result of a request: a response, or the number under which it follows.
package enum EmulatorReply: Sendable {
  case response(Response)
  case waiting(Int)
}

extension Emulator {
  /// Respond to any request. Unknown requests get an error response with an error object.
  ///
  /// - Parameter target: The path and query as received, if the request came over the network. Web pages use it to
  ///   warn about parts that other parsers may read differently.
  package mutating func answer(_ request: Request, target: String? = nil, at now: Timestamp) -> Response {
    state.countRequest()
    let version = APIVersion(of: request.url)
    var response: EmulatorResponse
    do {
      if let route = WebRoute(of: request.url, isService: { seed.service($0) != nil }) {
        response = try browse(route, request, target: target, at: now)
      } else if let route = PartnerRoute(of: request.url) {
        response = try reply(to: request, at: route, now)
      } else {
        response = try reply(to: request, in: version, at: now)
      }
    } catch {
      response = error.response(in: version ?? .v2)
    }
    if request.header("Authorization") != nil, request.header("IFTTT-Service-Key") != nil {
      response.assumptions.append(.tokenBeforeKey)
    }
    return httpResponse(for: response, to: request.method, at: now)
  }

  private mutating func reply(to request: Request, in version: APIVersion?, at now: Timestamp) throws(ErrorResponse)
    -> EmulatorResponse
  {
    guard let version, let route = Route(in: version, segments: try pathSegments(of: request.url)) else {
      throw .unknownPath
    }
    guard route.allows(request.method) else { throw .wrongMethod(allowed: route.allowed) }
    let credential = try RequestCredential(of: request, in: state, seed, everyone)
    let isReading = request.method == .get || request.method == .head
    let body = isReading || route.takesList ? nil : try jsonBody(of: request)

    switch route {
    case .me: return try me(in: version, credential, request)
    case .findAccount: return try findAccount(request)
    case .userToken(let service): return try exchange(request, body, credential, service: service)
    case .connection(let id):
      if isReading { return try show(connection: id, credential, request) }
      return try update(connection: id, credential, request, body)
    case .turnConnection(let id, let turn): return try self.turn(turn, connection: id, credential, request)
    case .fieldOptions(let id, let owner): return try options(of: owner, connection: id, credential, request)
    case .userConnection(let id): return try replace(connection: id, credential, request, body)
    case .refresh(let id): return try refresh(connection: id, credential, request)
    case .run(let step, let id): return try run(step, connection: id, credential, request, body)
    case .perform(let step, let id): return try perform(step, connection: id, credential, request, body)
    case .test(let step, let id): return try test(step, connection: id, credential, request, body, at: now)
    case .provisionalCode: return try issueProvisionalCode(credential, body, at: now)
    case .events: return try receive(events: body)
    case .locationEvents: return try receive(locationEvents: jsonList(of: request), credential, at: now)
    case .applets(let service): return try list(appletsOf: service, credential, request)
    case .applet(let id, let service): return try show(applet: id, of: service, credential, request)
    case .turnApplet(let id, let service, let turn):
      return try self.turn(turn, applet: id, of: service, credential, request, body)
    }
  }

  private func httpResponse(for response: EmulatorResponse, to method: Method, at now: Timestamp) -> Response {
    let date = CivilTime(secondsSince1970: floored(now.milliseconds, 1000).quotient).httpDate
    var headers = [HeaderField("Date", date)]
    if !response.body.isEmpty { headers.append(.init("Content-Type", response.mediaType)) }
    headers += response.fields
    if let allowed = response.allowed { headers.append(.init("Allow", allowed)) }
    headers.append(.init("X-Request-ID", "sandbox-\(padded(state.requests, 8))"))
    for assumption in response.assumptions + [.requestID] {
      headers.append(.init("X-Emulator-Assumption", "U\(assumption.rawValue)"))
    }
    // HEAD is GET without the body (RFC 9110, section 9.3.2).
    return Response(status: response.status, headers: headers, body: method == .head ? [] : response.body)
  }
}
