package import HTTP
package import Text
package import World

extension Emulator {
  /// Act as IFTTT toward the server of the first partner service. Connections that are enabled already are polled from
  /// now on.
  ///
  /// - Parameters:
  ///   - accessToken: the token of the service's first user, and of users that are created in the sandbox. If it is nil,
  ///     the fixtures' tokens are used.
  ///   - secrets: the credentials of the service, which are masked in the activity.
  package mutating func startRuntime(
    _ rules: ConnectionRuntime.Rules = .init(), accessToken: String? = nil, secrets: [Secret] = [], at now: Timestamp
  ) {
    guard let partner = seed.partners.first else { return }
    let users = seed.users.filter { $0.service == partner.service }
    var tokens = Dictionary(uniqueKeysWithValues: users.map { ($0.id, $0.accessToken) })
    if let accessToken, let first = users.first { tokens[first.id] = accessToken }
    var credentials = PartnerCredentials(
      usesSignIn: partner.usesSignIn || accessToken != nil, tokens: tokens, other: accessToken)
    credentials.generatedUsers = seed.generatedUsers
    (credentials.firstUser, credentials.ofService) = (users.first?.id, secrets)
    for user in users { credentials.refreshTokens[user.id] = user.refreshToken }
    runtime = ConnectionRuntime(service: partner.service, rules: rules, credentials: credentials)
    for seeded in seed.allConnections where seeded.connection.services.first?.slug == partner.service {
      for user in users {
        let triggers = triggers(of: user, in: seeded)
        runtime?.subscribe(triggers, of: user.id, in: seeded.connection.id, .start, at: now)
      }
    }
  }

  /// Continue after another emulator, so that late responses to its requests are ignored.
  package mutating func replace(_ old: Emulator) {
    if let runtime { self.runtime = old.runtime?.restarted(as: runtime) ?? runtime }
  }

  /// Remove and return the requests to send to the partner's server now. The caller must report the response to each.
  package mutating func takeRequests(at now: Timestamp) -> [PartnerRequest] { runtime?.takeRequests(at: now) ?? [] }

  /// The time of the next request to the partner's server; nil if no request is due, or all wait for a response.
  package var nextRuntimeTime: Timestamp? { runtime?.nextTime }

  /// Respond to a request, or suspend it until the partner's server has responded.
  package mutating func respond(to request: Request, target: String? = nil, at now: Timestamp) -> EmulatorReply {
    guard runtime != nil else { return .response(response(to: request, target: target, at: now)) }
    return evaluate(SuspendedRequest(request: request, target: target), as: nil, at: now)
  }

  /// Process the response to a request from ``takeRequests(at:)``.
  /// - Returns: The numbers of the suspended requests that it completes, and their responses.
  package mutating func receive(
    _ response: PartnerResponse, for id: Int, at now: Timestamp
  ) -> [(number: Int, response: Response)] {
    guard let planned = runtime?.finish(id) else { return [] }
    if runtime?.isSentAgain(planned, after: response, at: now) == true { return [] }
    guard case .refresh(let user) = planned.purpose else {
      return [finish(planned, response, at: now)].compactMap(\.self)
    }
    let failed = runtime?.finishRefresh(of: user, planned.call, response, at: now) ?? []
    return failed.compactMap { finish($0.planned, $0.response, at: now) }
  }

  private mutating func finish(
    _ planned: ConnectionRuntime.PlannedRequest, _ response: PartnerResponse, at now: Timestamp
  ) -> (number: Int, response: Response)? {
    let call = planned.call
    switch planned.purpose {
    case .poll(let identity):
      for found in runtime?.finishPoll(identity, call, response, at: now) ?? [] { start(found, at: now) }
    case .deletion(let identity, let cause): runtime?.recordDeletion(identity, cause, call, response, at: now)
    case .run(let run): runtime?.finishStep(run, response, at: now)
    case .webhook(let cause, let event): runtime?.recordWebhook(call, response, cause, event: event, at: now)
    case .refresh: break
    case .lookup(let number): return finishLookup(call, response, of: number, at: now)
    }
    return nil
  }

  private mutating func finishLookup(
    _ call: PartnerCall, _ response: PartnerResponse, of number: Int, at now: Timestamp
  ) -> (number: Int, response: Response)? {
    runtime?.recordLookup(call, response, at: now)
    guard var waiting = suspended[number] else { return nil }
    waiting.lookups.known[call.key] = response
    waiting.missing -= 1
    suspended[number] = waiting
    guard waiting.missing == 0 else { return nil }
    suspended[number] = nil
    guard case .response(let response) = evaluate(waiting, as: number, at: now) else { return nil }
    return (number, response)
  }

  /// - Parameter number: its number, if it was suspended before.
  private mutating func evaluate(
    _ pendingRequest: SuspendedRequest, as number: Int?, at now: Timestamp
  ) -> EmulatorReply {
    let before = state
    lookups = pendingRequest.lookups
    lookups.missing = []
    defer { lookups = PartnerLookups() }
    let response = response(to: pendingRequest.request, target: pendingRequest.target, at: now)
    if !lookups.missing.isEmpty {
      // The request must have no effect before the server has responded, and is evaluated again then. Requests that
      // send webhooks do not depend on responses of the server.
      state = before
      let number = number ?? runtime?.makeID() ?? 0
      var pendingRequest = pendingRequest
      pendingRequest.missing = lookups.missing.count
      suspended[number] = pendingRequest
      for call in lookups.missing { runtime?.plan(call, for: .lookup(number), notBefore: now) }
      return .waiting(number)
    }
    announceChanges(since: before, at: now)
    return .response(response)
  }

  /// Record a webhook, and plan its request if the server of its service is connected.
  mutating func send(_ webhook: Webhook, at now: Timestamp) {
    var webhook = webhook
    if web.namesWebhookEvents { webhook.addNames() }
    webhooks.append(webhook)
    guard webhook.service == runtime?.service else { return }
    let call = PartnerCall(
      method: .post, path: webhook.path.split(separator: "/").dropFirst(2).map(String.init), body: webhook.content,
      requestID: webhook.requestID, isForUser: false, user: webhook.user, connection: webhook.connection)
    runtime?.plan(
      call, for: .webhook(webhook.cause, event: webhook.event), lane: "webhook \(webhook.user) \(webhook.connection)",
      notBefore: now)
  }
}
