import JSON
import Text
import World

/// One run over the requests of a source: those in flight, and those waiting for a retry.
struct RequestQueue {
  private struct Job {
    let index: Int
    var ticket = 0
    var request: Request
    /// The secrets of the original request. A redirect may drop them from the header but repeat them in a URL.
    let secrets: [Secret]
    var deadline: Duration
    var startedAt: Duration
    var tries = 1
    var redirects = 0
  }

  /// A job waiting for a retry, and the result of its last attempt; nil if it waits to follow a redirect.
  private struct Pause {
    let due: Duration
    let job: Job
    let result: Result<Response, TransportError>?
  }

  /// Whether the source has no more requests, or they are not sent.
  private var hasEnded = false
  /// Whether the source has nothing before a result arrives.
  private var isBlocked = false
  private let client: HTTPClient
  private let isNumbered: Bool
  private let policy: RetryPolicy
  private var nextIndex = 0
  /// The jobs in flight. An array, because they are few and Swift takes long to create the first dictionary.
  private var inFlight: [Job] = []
  private var waiting: [Pause] = []
  private var circuitBreaker: CircuitBreaker
  private var feedback: SlowRequestTimer?
  /// Whether any request was not sent.
  private(set) var skipsRest = false

  /// The reason why the remaining requests are not sent; nil if they are.
  var stop: SkipReason? { circuitBreaker.reason }

  init(client: HTTPClient, isNumbered: Bool, stopsEarly: EarlyStop) {
    self.client = client
    self.isNumbered = isNumbered
    policy = RetryPolicy(retries: client.policy.retries)
    circuitBreaker = CircuitBreaker(stopsEarly)
    feedback = client.feedback.map { SlowRequestTimer($0, now: client.world.clock.monotonic()) }
  }

  /// The parameters are as in ``HTTPClient/send(from:wake:stopsEarly:meanwhile:each:)``.
  /// - Returns: false if the run was interrupted.
  mutating func run<E: Error>(
    from source: () throws(E) -> Next<Request>, wake: Int32, meanwhile: () throws(E) -> Duration?,
    _ each: (Int, Result<Response, HTTPError>) throws(E) -> Void
  ) throws(E) -> Bool {
    defer {
      for job in inFlight {
        client.transport.cancel(job.ticket)
        client.limiter.end(at: client.world.clock.monotonic())
      }
      feedback?.end()
    }
    while !client.world.interruption.isInterrupted {
      for (index, result) in abandoned() { try each(index, result) }
      startDue()
      let idle = try startNew(from: source)
      if hasEnded, inFlight.isEmpty, waiting.isEmpty { return true }
      let pause = try meanwhile()
      let (now, origin) = (client.world.clock.monotonic(), awaitedOrigin)
      let untilNotice = origin == nil ? nil : feedback?.timeUntilNotice(at: now)
      let times = [timeUntilDue(now), untilNotice, pause, idle].compactMap { $0 }
      let limit = max(.zero, times.min() ?? .seconds(3600))
      let readsMore = hasFreeSlot && !hasEnded && !isBlocked && mayStart
      let outcomes = client.transport.wait(atMost: limit, orReadable: readsMore ? wake : -1)
      // Time without a request to wait for does not count.
      feedback?.update(hasNews: !outcomes.isEmpty || origin == nil, now: client.world.clock.monotonic(), origin)
      for outcome in outcomes {
        guard let index = inFlight.firstIndex(where: { $0.ticket == outcome.ticket }) else { continue }
        let job = inFlight.remove(at: index)
        client.limiter.end(at: client.world.clock.monotonic())
        if let result = evaluate(outcome.result, of: job) { try each(job.index, result) }
      }
    }
    return false
  }

  /// The origin of a request that is in flight or waiting.
  private var awaitedOrigin: String? { (inFlight.first ?? waiting.first?.job)?.request.url.origin }

  /// Ends the jobs that wait for a retry once nothing more is sent.
  private mutating func abandoned() -> [(Int, Result<Response, HTTPError>)] {
    guard stop != nil, !waiting.isEmpty else { return [] }
    defer { waiting = [] }
    return waiting.map { pause in
      let unsent = stop.map { Result<Response, HTTPError>.failure(.skipped($0)) }
      return (pause.job.index, pause.result.map { final($0, of: pause.job) } ?? unsent ?? .failure(.interrupted))
    }
  }

  /// The time until a waiting job can start; nil if none waits or a request in flight must end first.
  private func timeUntilDue(_ now: Duration) -> Duration? {
    guard let due = waiting.map({ $0.due - now }).min(), let delay = client.limiter.delay(at: now) else { return nil }
    return max(due, delay)
  }

  /// Whether the rate limit permits a request now.
  private var mayStart: Bool { client.limiter.delay(at: client.world.clock.monotonic()) == .zero }

  private mutating func startDue() {
    guard !waiting.isEmpty else { return }
    let now = client.world.clock.monotonic()
    while mayStart, let index = waiting.firstIndex(where: { $0.due <= now }) {
      let entry = waiting.remove(at: index)
      var job = entry.job
      if entry.result != nil { job.tries += 1 }
      // The time that a rate limit adds does not count toward the timeout.
      job.deadline += now - entry.due
      start(job)
    }
  }

  private var hasFreeSlot: Bool { inFlight.count + waiting.count < max(1, client.policy.jobs) }

  /// Starts requests from the source while slots are free.
  /// - Returns: the time until the source is called again; nil if another event comes first.
  private mutating func startNew<E: Error>(from source: () throws(E) -> Next<Request>) throws(E) -> Duration? {
    isBlocked = false
    while hasFreeSlot, !hasEnded {
      guard stop == nil else {
        (hasEnded, skipsRest) = (true, true)
        return nil
      }
      guard mayStart else { return client.limiter.delay(at: client.world.clock.monotonic()) }
      switch try source() {
      case .next(let request):
        let now = client.world.clock.monotonic()
        start(
          Job(
            index: nextIndex, request: request, secrets: request.secrets, deadline: now + client.policy.timeout,
            startedAt: now))
        nextIndex += 1
      case .none(let time): return time
      case .blocked:
        isBlocked = true
        return nil
      case .end: hasEnded = true
      }
    }
    return nil
  }

  private mutating func start(_ job: Job) {
    var job = job
    job.startedAt = client.world.clock.monotonic()
    job.ticket = client.nextTicket()
    inFlight.append(job)
    client.limiter.start()
    if job.request.url.isReadableInTransit { client.notePlainHTTP?(job.request.url.host) }
    trace(job) { Trace.sent(job.request, hiding: $0) }
    client.transport.start(job.request, as: job.ticket, limit: max(.milliseconds(1), job.deadline - job.startedAt))
  }

  /// - Returns: the job's result, or nil if the job continues.
  private mutating func evaluate(_ result: Result<Response, TransportError>, of job: Job)
    -> Result<Response, HTTPError>?
  {
    let now = client.world.clock.monotonic()
    trace(job) { [Trace.received(result, to: job.request, after: now - job.startedAt, hiding: $0)] }
    if case .success(let response) = result {
      let decision = Redirect.decide(
        job.request, response, followed: job.redirects, limit: client.policy.redirects, allowing: client.plainHosts)
      switch decision {
      case .notRedirect: break
      case .reject(let reason): return .failure(.redirect(redactor(for: job).redact(reason)))
      case .follow(let next):
        trace(job) { _ in [Trace.redirect(from: job.request.url, to: next.url)] }
        var job = job
        job.request = next
        job.redirects += 1
        if mayStart { start(job) } else { waiting.append(Pause(due: now, job: job, result: nil)) }
        return nil
      }
    }
    var requestedDelay = Duration.zero
    if client.rate != nil, case .success(let response) = result, response.status == 429 {
      requestedDelay = response.retryAfter(now: client.world.clock.now()) ?? .zero
      client.limiter.pause(until: now + requestedDelay)
    }
    // A random number needs a system call, so it is not drawn for a response that is never retried.
    if case .success(let response) = result, response.status < 400 { return final(result, of: job) }
    let attempt = RetryPolicy.Attempt(
      result, isRepeatable: job.request.isRepeatable, tries: job.tries, remaining: job.deadline - now + requestedDelay,
      now: client.world.clock.now(), random: client.world.random.fraction())
    guard stop == nil, let wait = policy.wait(after: attempt) else { return final(result, of: job) }
    trace(job) { _ in [Trace.retry(job.tries, after: wait, because: result)] }
    var job = job
    job.deadline += requestedDelay
    waiting.append(Pause(due: now + wait, job: job, result: result))
    return nil
  }

  private mutating func final(_ result: Result<Response, TransportError>, of job: Job)
    -> Result<Response, HTTPError>
  {
    let origin = job.request.url.origin
    switch result {
    case .success(var response):
      response.attempts = job.tries
      if response.status >= 400 { response.requestedDelay = response.retryAfter(now: client.world.clock.now()) }
      circuitBreaker.note(response, origin: origin, hadCredentials: !job.secrets.isEmpty)
      if (200..<300).contains(response.status) { client.succeeded?(job.request) }
      return .success(response)
    case .failure(var failure):
      failure.message = redactor(for: job).redact(failure.message)
      circuitBreaker.note(failure, origin: origin)
      return .failure(.transport(failure, tries: job.tries, origin: origin))
    }
  }

  private func redactor(for job: Job) -> Redactor { Redactor(job.secrets + client.otherSecrets()) }

  private func trace(_ job: Job, _ lines: (Redactor) -> [String]) {
    guard let trace = client.trace else { return }
    for line in lines(redactor(for: job)) { trace(isNumbered ? "#\(job.index + 1) \(line)" : line) }
  }
}

/// Measures the time since data was last received, and reports it once it exceeds the delay.
struct SlowRequestTimer {
  private let feedback: SlowRequestFeedback
  private var since: Duration
  private var due: Duration
  private var isShown = false

  init(_ feedback: SlowRequestFeedback, now: Duration) {
    (self.feedback, since, due) = (feedback, now, now + feedback.delay)
  }

  /// The time until the next notice is due.
  func timeUntilNotice(at now: Duration) -> Duration { due - now }

  /// - Parameter origin: the origin of a request that has no response yet.
  mutating func update(hasNews: Bool, now: Duration, _ origin: String?) {
    if hasNews {
      end()
      (since, due) = (now, now + feedback.delay)
    } else if now >= due, let origin {
      feedback.waiting(origin, now - since)
      // The first notice comes before the first interval has passed.
      (due, isShown) = ((isShown ? now : since) + feedback.interval, true)
    }
  }

  mutating func end() {
    if isShown { feedback.ended() }
    isShown = false
  }
}

/// The lines that `--verbose` shows for an exchange, with credentials masked and control characters replaced.
enum Trace {
  /// - Parameter redactor: hides all credentials the request had before any redirect, because its URL may still
  ///   contain them.
  static func sent(_ request: Request, hiding redactor: Redactor) -> [String] {
    (["> \(request.method.rawValue) \(request.url.redacted)"]
      + request.headers.map { "> \($0.name): \($0.redacted)" }).map { printable(redactor.redact($0)) }
  }

  static func received(
    _ result: Result<Response, TransportError>, to request: Request, after time: Duration, hiding redactor: Redactor
  ) -> String {
    switch result {
    case .success(let response):
      // The response to a request with credentials in its body may contain new credentials.
      let responseRedactor = Redactor(request.bodySecrets.isEmpty ? [] : namedSecrets(in: response.body))
      // Masked as a whole, because the beginning of a credential at the cut would not be recognized.
      let type =
        response.header("Content-Type").map { "\(responseRedactor.redact(redactor.redact($0)).prefix(80)) " } ?? ""
      return printable(
        redactor.redact("< \(response.status) \(type)\(response.body.count) bytes \(time.wholeMilliseconds) ms"))
    case .failure(let failure):
      return printable(redactor.redact("< failed: \(failure.message), \(time.wholeMilliseconds) ms"))
    }
  }

  /// - Parameter number: of the retry, counted from 1.
  static func retry(_ number: Int, after wait: Duration, because result: Result<Response, TransportError>) -> String {
    let reason =
      switch result {
      case .success(let response): String(response.status)
      case .failure(let failure): "\(failure.kind)"
      }
    let tenths = (wait.wholeMilliseconds + 50) / 100
    return "retry \(number) in \(tenths / 10).\(tenths % 10) s: \(reason)"
  }

  static func redirect(from: WebURL, to target: WebURL) -> String {
    from.origin == target.origin
      ? "redirect on the same host" : "redirect to \(target.origin), credentials not sent"
  }

  /// The values in a JSON body whose names mark them as credentials, such as `"access_token": "…"`; empty if the body
  /// is not JSON.
  private static func namedSecrets(in body: [UInt8]) -> [Secret] {
    func secrets(in value: JSONValue) -> [Secret] {
      if let elements = value.array { return elements.flatMap(secrets) }
      return (value.object?.members ?? []).flatMap { name, value in
        guard SecretNames.holds(name), let text = value.string else { return secrets(in: value) }
        return Secret(parsing: text).map { [$0] } ?? []
      }
    }
    return (try? JSONValue(parsing: body)).map { secrets(in: $0) } ?? []
  }

  private static func printable(_ line: String) -> String {
    String(
      String.UnicodeScalarView(
        line.unicodeScalars.map { $0.value < 0x20 || 0x7f...0x9f ~= $0.value ? "\u{FFFD}" : $0 }))
  }
}

/// The failures for which a run of many requests ends early, because the remaining requests would also fail.
package enum EarlyStop: Sendable, Equatable {
  case never
  /// An unreachable server, or rejected credentials, which all requests share.
  case server
  /// An unreachable server. Each request has credentials of its own.
  case unreachable
  /// An unreachable server, or many rejected requests in a row. All requests share a key but act for different users,
  /// so that a rejection may concern one user only.
  case sharedKey

  var watchesConnection: Bool { self != .never }

  /// The number of consecutive rejections that end the run; nil if rejections do not end it.
  func rejections(afterSuccess hasSucceeded: Bool) -> Int? {
    switch self {
    case .never, .unreachable: nil
    case .server: hasSucceeded ? CircuitBreaker.failureLimit : 1
    case .sharedKey: hasSucceeded ? nil : CircuitBreaker.userRejectionLimit
    }
  }
}

/// Determines when to stop sending a batch because the server is unreachable or rejects the credentials.
///
/// Before any success, the first such failure (after all its retries) stops the batch. After a success, one failure
/// may concern only its own request; several failures in a row stop the batch.
struct CircuitBreaker {
  /// The number of consecutive failures that stop a batch in which a request has succeeded.
  static let failureLimit = 3
  /// The number of consecutive rejections that stop a batch for many users before any success. One rejection may
  /// concern one user only.
  static let userRejectionLimit = 10

  let stop: EarlyStop
  private(set) var reason: SkipReason?
  private var hasConnected = false
  private var hasSucceeded = false
  private var unreachableCount = 0
  private var rejectedCount = 0

  init(_ stop: EarlyStop) { self.stop = stop }

  mutating func note(_ response: Response, origin: String, hadCredentials: Bool) {
    guard stop.watchesConnection, reason == nil else { return }
    (hasConnected, unreachableCount) = (true, 0)
    if (200..<300).contains(response.status) { (hasSucceeded, rejectedCount) = (true, 0) }
    guard response.status == 401, hadCredentials else { return }
    rejectedCount += 1
    if let limit = stop.rejections(afterSuccess: hasSucceeded), rejectedCount >= limit {
      reason = .unauthorized(origin: origin)
    }
  }

  /// - Parameter failure: the failure of a request that is not retried.
  mutating func note(_ failure: TransportError, origin: String) {
    guard stop.watchesConnection, reason == nil, failure.isOfConnection else { return }
    unreachableCount += 1
    if unreachableCount >= (hasConnected ? Self.failureLimit : 1) { reason = .unreachable(failure, origin: origin) }
  }
}
