package import HTTP
package import Text
package import World

extension Emulator {
  /// Act as IFTTT toward the server of the first partner service. Connections that are enabled already are polled from
  /// now on.
  ///
  /// - Parameters:
  ///   - accessToken: the token of the service's first user, and of users that this or an earlier sandbox created. If
  ///     it is nil, the fixtures' tokens are used.
  ///   - secrets: the credentials of the service, which are masked in the activity.
  package mutating func startRuntime(
    _ rules: ConnectionRuntime.Rules = .init(), accessToken: String? = nil, secrets: [Secret] = [], at now: Timestamp
  ) {
    guard let partner = seed.partners.first else { return }
    let users = seed.users.filter { $0.service == partner.service }
    var tokens = Dictionary(uniqueKeysWithValues: users.map { ($0.id, $0.accessToken) })
    if let accessToken {
      for (index, user) in users.enumerated() where index == 0 || user.isCreated { tokens[user.id] = accessToken }
    }
    var credentials = PartnerCredentials(
      usesSignIn: partner.usesSignIn || accessToken != nil || rules.signIn?.authorizeURL != nil,
      tokens: tokens, other: accessToken)
    credentials.generatedUsers = seed.generatedUsers
    (credentials.firstUser, credentials.ofService) = (users.first?.id, secrets)
    for user in users { credentials.refreshTokens[user.id] = user.refreshToken }
    runtime = ConnectionRuntime(service: partner.service, rules: rules, credentials: credentials)
    for seeded in seed.allConnections where seeded.connection.services.first?.slug == partner.service {
      for user in users {
        let triggers = triggers(of: user, in: seeded)
        runtime?.subscribe(triggers, of: user.id, in: seeded.connection.id, .start, causedBy: nil, at: now)
      }
    }
  }

  /// Continue after another emulator, so that late responses to its requests are ignored and numbers of the log are
  /// not used again.
  package mutating func replace(_ old: Emulator) {
    if let runtime { self.runtime = old.runtime?.restarted(as: runtime) ?? runtime }
    (log, requestKey) = (old.log.emptied(), old.requestKey)
  }

  /// Remove and return the requests to send to the partner's server now. The caller must report the response to each.
  package mutating func takeRequests(at now: Timestamp) -> [PartnerRequest] { runtime?.takeRequests(at: now) ?? [] }

  /// The time of the next request to the partner's server; nil if no request is due, or all wait for a response.
  package var nextRuntimeTime: Timestamp? { runtime?.nextTime }

  /// Respond to a request, or suspend it until the partner's server has responded.
  package mutating func respond(to request: Request, target: String? = nil, at now: Timestamp) -> EmulatorReply {
    let key = makeKey()
    guard runtime != nil else {
      causeKey = key
      defer { causeKey = nil }
      return EmulatorReply(key: key, response: response(to: request, target: target, at: now))
    }
    let response = evaluate(SuspendedRequest(request: request, target: target), as: key, at: now)
    return EmulatorReply(key: key, response: response)
  }

  /// Record a received request, once its response is known, and then what it caused.
  ///
  /// - Parameter cause: The entry whose request a person sent again.
  package mutating func record(
    _ exchange: LoggedExchange, of key: Int, causedBy cause: LogEntry? = nil, at now: Timestamp
  ) {
    log.add(LogEntry(nil, exchange, key: key, cause: cause?.key, at: now))
    recordSteps()
  }

  /// Process the response to a request from ``takeRequests(at:)``.
  ///
  /// - Parameter exchange: The request and response as they were sent, for the log.
  /// - Returns: The keys of the suspended requests that it completes, and their responses. The caller must
  ///   ``record(_:of:at:)`` each.
  package mutating func receive(
    _ response: PartnerResponse, _ exchange: LoggedExchange? = nil, for id: Int, at now: Timestamp
  ) -> [(key: Int, response: Response)] {
    guard let planned = runtime?.finish(id) else { return [] }
    let completed = CompletedCall(planned: planned, response: response, exchange: exchange)
    let responses: [(key: Int, response: Response)]
    if runtime?.isSentAgain(completed, at: now) == true {
      responses = []
    } else if case .refresh(let user) = planned.purpose {
      let failed = runtime?.finishRefresh(of: user, completed, at: now) ?? []
      responses = failed.compactMap { finish($0, at: now) }
    } else {
      responses = [finish(completed, at: now)].compactMap(\.self)
    }
    // What a completed request caused follows it in the log.
    if responses.isEmpty { recordSteps() }
    return responses
  }

  private mutating func finish(_ completed: CompletedCall, at now: Timestamp) -> (key: Int, response: Response)? {
    switch completed.planned.purpose {
    case .poll(let identity):
      for found in runtime?.finishPoll(identity, completed, at: now) ?? [] { start(found, at: now) }
    case .deletion(let identity, let cause): runtime?.recordDeletion(identity, cause, completed, at: now)
    case .run(let run): runtime?.finishStep(run, completed, at: now)
    case .webhook(let cause, let event): runtime?.recordWebhook(completed, cause, event: event, at: now)
    case .refresh: break
    case .again(let ticket): runtime?.recordAgain(completed, ticket, at: now)
    case .lookup(let key): return finishLookup(completed, of: key, at: now)
    }
    return nil
  }

  private mutating func finishLookup(
    _ completed: CompletedCall, of key: Int, at now: Timestamp
  ) -> (key: Int, response: Response)? {
    runtime?.recordLookup(completed, at: now)
    recordSteps()
    guard var waiting = suspended[key] else { return nil }
    waiting.lookups.known[completed.call.key] = completed.response
    waiting.missing -= 1
    suspended[key] = waiting
    guard waiting.missing == 0 else { return nil }
    suspended[key] = nil
    return evaluate(waiting, as: key, at: now).map { (key, $0) }
  }

  /// Move the steps of the runtime to the log.
  mutating func recordSteps() {
    for entry in unsent { log.add(entry) }
    for entry in runtime?.entries ?? [] { log.add(entry) }
    unsent = []
    runtime?.entries = []
  }

  /// - Parameter key: The key of the request's entry in the log.
  /// - Returns: nil if the request waits for the server.
  private mutating func evaluate(_ pendingRequest: SuspendedRequest, as key: Int, at now: Timestamp) -> Response? {
    causeKey = key
    defer { causeKey = nil }
    let before = state
    lookups = pendingRequest.lookups
    lookups.missing = []
    defer { lookups = PartnerLookups() }
    let response = response(to: pendingRequest.request, target: pendingRequest.target, at: now)
    if !lookups.missing.isEmpty {
      // The request must have no effect before the server has responded, and is evaluated again then. Requests that
      // send webhooks do not depend on responses of the server.
      state = before
      var pendingRequest = pendingRequest
      pendingRequest.missing = lookups.missing.count
      suspended[key] = pendingRequest
      for call in lookups.missing { runtime?.plan(call, for: .lookup(key), notBefore: now, causedBy: key) }
      return nil
    }
    announceChanges(since: before, at: now)
    return response
  }

  /// Plan the request of a webhook if the server of its service is connected. Otherwise, record the webhook as it would
  /// be sent.
  mutating func send(_ webhook: Webhook, at now: Timestamp) {
    var webhook = webhook
    if web.namesWebhookEvents { webhook.addNames() }
    guard webhook.service == runtime?.service else {
      unsent.append(LogEntry(nil, LoggedExchange(unsent: webhook), key: makeKey(), cause: causeKey, at: now))
      return
    }
    let call = PartnerCall(
      method: .post, path: webhook.path.split(separator: "/").dropFirst(2).map(String.init), body: webhook.content,
      requestID: webhook.requestID, isForUser: false, user: webhook.user, connection: webhook.connection)
    runtime?.plan(
      call, for: .webhook(webhook.cause, event: webhook.event), lane: "webhook \(webhook.user) \(webhook.connection)",
      notBefore: now, causedBy: causeKey)
  }
}
