import HTTP
import IFTTT
import Session
import Store
import Text
import World

/// Forwards stored webhooks to a server. The store is the queue, so webhooks that were not delivered are sent by a later
/// run.
final class WebhookForwarder {
  /// The longest delay before another attempt.
  static let ceiling = Duration.seconds(300)
  private static let backoff = Backoff(base: .seconds(1), ceiling: ceiling, jitter: 0.5...1)
  /// The timeout of one attempt.
  private static let attemptTimeout = Duration.seconds(30)
  /// The number of webhooks that are read from the store at once.
  private static let chunk = 32

  let target: ForwardTarget
  private let session: Session
  private let store: Store
  private let profile: String
  private let client: HTTPClient
  /// The webhooks to send next, and the number of the last webhook that was read.
  private var queue: ArraySlice<StoredWebhook> = []
  private var last: Int64 = 0
  /// The webhooks in flight, by their index in the run.
  private var sent: [Int: (number: Int64, tries: Int)] = [:]
  private var started = 0
  private var attempts: [WebhookAttempt] = []
  /// The time before which nothing is sent, because the server cannot be reached or requested a pause.
  private var pausedUntil: Duration?
  private var consecutiveFailures = 0
  private var readError: StoreError?
  /// Whether nothing new is sent, because the run is about to end.
  private var isStopping = false
  /// The number of webhooks whose responses were not awaited, because the time was over.
  private(set) var cutOffCount = 0

  init(_ target: ForwardTarget, store: Store, profile: String, in session: Session) {
    (self.target, self.store, self.profile, self.session) = (target, store, profile, session)
    client = session.network.uninterruptedLoopback
    client.policy.jobs = session.options.jobs
    // --timeout limits the whole run, at whose end it is known which requests are cut off.
    client.policy.timeout = Self.attemptTimeout
  }

  private var now: Duration { session.world.clock.monotonic() }

  var isPaused: Bool { pausedUntil.map { now < $0 } ?? false }

  /// Reads the webhooks that are due.
  /// - Returns: Whether there are any, and the server is not paused.
  func hasWork() throws(StoreError) -> Bool {
    guard !isPaused else { return false }
    last = 0
    queue = []
    try read()
    return !queue.isEmpty
  }

  private func read() throws(StoreError) {
    queue = try WebhookStore(store, profile: profile).toForward(to: target.name, after: last, atMost: Self.chunk)[...]
    last = queue.last?.number ?? last
  }

  /// Sends the webhooks that are due, several at once.
  ///
  /// A request that has begun is not cut off: a server that has received a webhook would receive it again. After a
  /// signal, or an error of `meanwhile`, nothing new is sent, and the error is thrown once no request is in flight.
  /// - Parameters:
  ///   - end: The time at which the requests in flight are cut off anyway; nil for none.
  ///   - meanwhile: Other work, called repeatedly.
  ///   - willStop: Called once if the sending ends early, with the number of requests in flight.
  ///   - ended: Called with the number of each webhook that was attempted, and the status of the response.
  func send(
    until end: Duration?, meanwhile: () throws -> Void, willStop: (Int) -> Void, ended: (Int64, Int?) -> Void
  ) throws {
    (sent, started) = ([:], 0)
    defer { try? flush() }
    var reason: (any Error)?
    let requests = AnySequence { AnyIterator { [unowned self] in next() } }
    do {
      try client.send(
        requests,
        meanwhile: {
          try flush()
          if reason == nil {
            do {
              try session.world.checkInterruption()
              try meanwhile()
            } catch {
              (reason, isStopping) = (error, true)
              // Mark them now, because a second signal ends the program at once.
              try? WebhookStore(store, profile: profile).noteUnanswered(sent.values.map(\.number), to: target.name)
              willStop(sent.count)
            }
          }
          if reason != nil, let end, now >= end { throw CutOff() }
          return .milliseconds(50)
        },
        each: { index, result in
          guard let webhook = sent.removeValue(forKey: index) else { return }
          let attempt = evaluate(result, of: webhook.number, tries: webhook.tries + 1)
          attempts.append(attempt)
          ended(webhook.number, attempt.status)
        })
    } catch is CutOff {
      cutOffCount = sent.count
    }
    if let reason { throw reason }
    if let readError { throw readError }
  }

  /// The error that cuts off the requests in flight.
  private struct CutOff: Error {}

  private func next() -> Request? {
    guard !isPaused, !isStopping else { return nil }
    if queue.isEmpty {
      do throws(StoreError) { try read() } catch { readError = error }
    }
    guard let webhook = queue.popFirst() else { return nil }
    sent[started] = (webhook.number, webhook.forwarding?.tries ?? 0)
    started += 1
    return target.request(for: webhook.webhook)
  }

  /// Writes the results to the store, many in one transaction.
  func flush() throws(StoreError) {
    guard !attempts.isEmpty else { return }
    let finished = attempts
    attempts = []
    try WebhookStore(store, profile: profile).noteForwarding(finished, to: target.name)
  }

  // MARK: Results

  private func evaluate(_ result: Result<Response, HTTPError>, of number: Int64, tries: Int) -> WebhookAttempt {
    switch result {
    case .success(let response) where (200..<300).contains(response.status):
      if consecutiveFailures > 0 { session.console.note("\(target.origin) responds again.") }
      consecutiveFailures = 0
      return WebhookAttempt(number: number, state: .delivered, status: response.status, problem: nil)
    case .success(let response):
      let problem = "\(target.origin) responded with \(response.status)"
      guard Self.isTransient(response.status) else { return reject(number, problem, status: response.status) }
      if let retryAfter = response.requestedDelay { pause(for: min(retryAfter, Self.ceiling)) }
      report(problem)
      return wait(number, problem, status: response.status, tries: tries, atLeast: response.requestedDelay)
    case .failure(.redirect(let reason)): return reject(number, reason, status: nil)
    case .failure(let failure):
      let problem = failure.problem.summary
      report(problem)
      pause(for: delay(after: consecutiveFailures))
      return wait(number, problem, status: nil, tries: tries)
    }
  }

  /// Whether the server may accept the same webhook later. Other statuses concern the webhook itself. The server is the
  /// user's own, where a wrong key can be corrected.
  static func isTransient(_ status: Int) -> Bool {
    StatusRetryability(status: status) != .never || ErrorStatus(status) == .unauthorized
  }

  private func wait(
    _ number: Int64, _ problem: String, status: Int?, tries: Int, atLeast retryAfter: Duration? = nil
  ) -> WebhookAttempt {
    let pause = max(delay(after: tries), min(retryAfter ?? .zero, Self.ceiling))
    return WebhookAttempt(
      number: number, state: .waiting, status: status, problem: problem,
      due: session.world.clock.now() + pause)
  }

  private func reject(_ number: Int64, _ problem: String, status: Int?) -> WebhookAttempt {
    session.console.note(
      "Webhook \(String(number)) was not forwarded: \(problem). Send it again with: \(ifttt: "service events replay \(String(number)) --forward \(target.name)")"
    )
    return WebhookAttempt(number: number, state: .rejected, status: status, problem: problem)
  }

  /// Reports the first failure after a success.
  private func report(_ problem: String) {
    consecutiveFailures += 1
    guard consecutiveFailures == 1 else { return }
    session.console.note("Forwarding failed; the webhooks are stored and sent again: \(problem)")
  }

  private func pause(for duration: Duration) { pausedUntil = max(pausedUntil ?? .zero, now + duration) }

  private func delay(after tries: Int) -> Duration {
    Self.backoff.delay(attempt: tries, random: session.world.random.fraction())
  }
}
