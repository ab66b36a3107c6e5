import HTTP
package import World

/// The reason why a request is not sent again, for people.
package struct SendAgainError: Error {
  package let reason: String
}

extension Emulator {
  /// Plan to send a request to the partner's server again.
  ///
  /// A query or an action without changes has the values that are configured now, so that a corrected setting shows its
  /// effect. All other requests are repeated as they were, with a new request id and a valid token.
  ///
  /// - Returns: A ticket that ``takeSentAgain()`` returns once the response has arrived.
  package mutating func sendAgain(
    _ entry: LogEntry, _ edit: RequestEdit, at now: Timestamp
  ) throws(SendAgainError) -> Int {
    guard runtime != nil, let planned = entry.planned else {
      throw SendAgainError(reason: "The server of the service is unknown; pass --service-url to 'sandbox start'")
    }
    var call = planned.call
    if case .refresh = planned.purpose {
      throw SendAgainError(reason: "A refresh of an access token is sent only when the server rejects a token")
    }
    if call.grant != nil { throw SendAgainError(reason: "A code can be exchanged only once") }
    // The user is known now, and may have a newer token.
    if call.newToken != nil { (call.newToken, call.user) = (nil, entry.activity?.user) }
    if edit.isEmpty, let run = planned.run, let step = configuredStep(of: run) { call = run.call(step).call }
    if !edit.isEmpty { call = try call.edited(edit) }
    let ticket = makeKey()
    runtime?.plan(call, for: .again(ticket), notBefore: now, causedBy: entry.key)
    return ticket
  }

  /// Remove and return the requests sent again whose responses have arrived, with the keys of their entries.
  package mutating func takeSentAgain() -> [(ticket: Int, key: Int)] {
    defer { runtime?.sentAgain = [] }
    return runtime?.sentAgain ?? []
  }

  /// The current step of a run with the values that its user has configured now; nil if the connection does not have it
  /// any more.
  private func configuredStep(of run: EventRun) -> SandboxFixtures.ConfiguredStep? {
    guard let current = run.current, let seeded = seed.connection(run.trigger.connection.id) else { return nil }
    let features = configuration(of: run.trigger.user, in: seeded).features
    let feature =
      features.first { $0.id == run.trigger.feature.id }
      ?? features.first { $0.feature.id == run.trigger.feature.feature.id }
    return feature?.configuredSteps(current.kind).first { $0.step.id == current.step.id }
  }
}

extension PartnerCall {
  fileprivate func edited(_ edit: RequestEdit) throws(SendAgainError) -> PartnerCall {
    var segments = path
    if let target = edit.target {
      let prefix = "/ifttt/v1/"
      guard target.hasPrefix(prefix), !target.contains("?"),
        let decoded = try? WebURL(scheme: "http", host: "", port: nil, path: target, query: []).pathSegments()
      else { throw SendAgainError(reason: "The path must begin with \(prefix) and have no query") }
      segments = Array(decoded.dropFirst(2))
    }
    var call = PartnerCall(
      method: edit.method ?? method, path: segments, body: body, requestID: requestID, isRealtime: isRealtime,
      isForUser: isForUser, user: user, connection: connection)
    call.edit = edit
    return call
  }
}

extension ConnectionRuntime {
  /// Record a request that was sent again as the step that it repeats.
  mutating func recordAgain(_ completed: CompletedCall, _ ticket: Int, at now: Timestamp) {
    sentAgain.append((ticket, completed.key))
    let (call, response) = (completed.call, completed.response)
    switch (call.path.first, call.path.count) {
    case ("triggers", 2) where call.method == .post:
      let count = response.rows?.count
      record(
        count == nil ? .failed : .polled, .sentAgain, of: completed,
        detail: count.map { $0 == 1 ? "1 event" : "\($0) events" } ?? response.problem, at: now)
    case ("webhooks", _):
      record(
        response.isSuccess ? .webhookSent : .failed, .sentAgain, of: completed,
        detail: response.isSuccess ? nil : response.problem, at: now)
    case ("triggers", _) where call.method == .delete, ("triggers", 2): addRequest(of: completed, at: now)
    case ("triggers", _), ("queries", _), ("actions", _): recordLookup(completed, .sentAgain, at: now)
    default: addRequest(of: completed, at: now)
    }
  }
}
