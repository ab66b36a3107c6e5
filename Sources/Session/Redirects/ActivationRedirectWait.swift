import HTTP
package import IFTTT
import Text
import World

/// Waits for the first of these events: the browser's redirect, a URL that is pasted or piped in, an enabled
/// connection, or the timeout.
package struct ActivationRedirectWait {
  /// The default timeout of a wait.
  package static let defaultTimeout = Duration.seconds(300)
  /// The interval between polls of the connection.
  package static let interval = Duration.seconds(5)
  /// The maximum time to wait for the redirect after the connection is enabled.
  static let lingering = Duration.seconds(5)

  private let session: Session
  private let endpoint: RedirectEndpoint?
  private let page: ActivationPage
  /// Polls the status once; nil if no credential gives access to it.
  private let poll: ((_ limit: Duration) throws -> PollResult<Connection.Status>)?
  private var deadline: Duration
  private var schedule: PollSchedule
  private var nextPoll: Duration?
  private var redirects: RedirectWait<ActivationMessage>
  private var hasSeenForeignRedirect = false

  /// - Parameters:
  ///   - endpoint: the endpoint against which a pasted URL is checked; nil if there is no redirect.
  ///   - timeout: the timeout of the whole wait, from now on.
  package init(
    in session: Session, at endpoint: RedirectEndpoint?, of page: ActivationPage, takesInput: Bool, timeout: Duration,
    poll: ((_ limit: Duration) throws -> PollResult<Connection.Status>)?
  ) {
    (self.session, self.endpoint, self.page) = (session, endpoint, page)
    self.poll = poll
    redirects = RedirectWait(on: endpoint?.listener, takesInput: takesInput && endpoint != nil, in: session)
    let now = session.world.clock.monotonic()
    deadline = now + timeout
    schedule = PollSchedule(every: Self.interval, until: deadline)
    if poll != nil, case .pause(let pause) = step(PollSchedule.Round(), at: now) { nextPoll = now + pause }
  }

  /// Shortens the wait, because the redirect is expected soon.
  package mutating func linger() {
    deadline = min(deadline, session.world.clock.monotonic() + Self.lingering)
    nextPoll = nil
  }

  package mutating func next() throws -> ActivationFlow.Event {
    let event = try nextEvent()
    switch event {
    // A partly typed URL would be read as the response to the next prompt.
    case .returned, .timeUp: session.world.input.discardTypeAhead()
    default: break
    }
    return event
  }

  private mutating func nextEvent() throws -> ActivationFlow.Event {
    while true {
      let now = session.world.clock.monotonic()
      if let nextPoll, now >= nextPoll, now < deadline, let status = try polledStatus(at: now) { return .seen(status) }
      guard now < deadline, redirects.isOpen || nextPoll != nil else {
        return .timeUp(sawForeignReturn: hasSeenForeignRedirect)
      }
      switch try redirects.next(until: min(deadline, nextPoll ?? deadline)) {
      case .message(.returned(let redirect)): return .returned(redirect)
      case .message(.foreign): hasSeenForeignRedirect = true
      case .line(let text): if let redirect = parse(text) { return .returned(redirect) }
      case nil: break
      }
    }
  }

  /// Ends the wait.
  /// - Returns: a redirect that arrived after another event ended the wait; the browser has already shown success.
  package func end() -> ActivationRedirect? {
    endpoint?.listener?.close()
    while let message = redirects.nextMessage() {
      if case .returned(let redirect) = message { return redirect }
    }
    return nil
  }

  // MARK: Polling

  private mutating func polledStatus(at now: Duration) throws -> Connection.Status? {
    guard let poll else { return nil }
    var round = PollSchedule.Round()
    var found: Connection.Status?
    let result = try poll(schedule.requestLimit(at: now))
    switch result {
    case .found(let status): found = status
    case .failed(_, let retryAfter): round.fail(retryAfter: retryAfter)
    case .missing, .refused:
      nextPoll = nil
      return nil
    }
    let afterPoll = session.world.clock.monotonic()
    if case .pause(let pause) = step(round, at: afterPoll) { nextPoll = afterPoll + pause } else { nextPoll = nil }
    return found
  }

  private mutating func step(_ round: PollSchedule.Round, at now: Duration) -> PollSchedule.Step {
    schedule.step(after: round, at: now, random: session.world.random.fraction())
  }

  // MARK: Pasted input

  /// The redirect in a pasted line; nil for an invalid line, which is reported.
  private mutating func parse(_ text: String) -> ActivationRedirect? {
    guard let address = endpoint?.address else { return nil }
    switch RedirectParser(line: text, at: address, of: page) {
    case .accepted(let redirect): return redirect
    case .refused(let difference):
      if difference == .path || difference == .query { hasSeenForeignRedirect = true }
      session.console.note("Not the expected redirect URL: \(difference.description).")
      return nil
    }
  }
}

extension RedirectParser {
  /// - Parameter line: a typed or pasted line; spaces around a URL are ignored.
  package init(line: String, at address: RedirectURI, of page: ActivationPage) {
    let parts = line.split(whereSeparator: \.isWhitespace)
    self.init(parts.count == 1 ? String(parts[0]) : line, at: address, of: page)
  }
}

extension RedirectParser.Difference {
  package var description: String {
    switch self {
    case .noURL: "it is not a URL"
    case .scheme: "its scheme differs"
    case .host: "its host or port differs"
    case .path: "its path differs"
    case .query: "part of the expected query is missing"
    }
  }
}
