package import World

/// What to do after one attempt of a request.
package enum RetryDecision: Equatable, Sendable {
  /// The result is final.
  case finish
  case retry(after: Duration)
}

/// Decides whether and when a request is retried: exponential backoff with full jitter, never earlier than the
/// server's `Retry-After`, and never after the request's deadline.
package struct RetryPolicy: Sendable {
  /// The maximum number of retries after the first attempt.
  package var retries: Int
  /// The longest wait before the second attempt. It doubles with each further attempt.
  package var base: Duration = .milliseconds(500)
  package var ceiling: Duration = .seconds(10)

  package init(retries: Int) { self.retries = retries }

  /// One attempt that has ended.
  package struct Attempt {
    package var result: Result<Response, TransportError>
    package var isRepeatable: Bool
    /// The number of attempts so far, including this one.
    package var tries: Int
    /// The time until the request's deadline.
    package var remaining: Duration
    /// The wall clock, for a `Retry-After` with a date if the server sends no `Date`.
    package var now: Timestamp
    /// From 0 up to 1.
    package var random: Double
    package init(
      _ result: Result<Response, TransportError>, isRepeatable: Bool, tries: Int, remaining: Duration, now: Timestamp,
      random: Double
    ) {
      (self.result, self.isRepeatable, self.tries) = (result, isRepeatable, tries)
      (self.remaining, self.now, self.random) = (remaining, now, random)
    }
  }

  package func decide(_ attempt: Attempt) -> RetryDecision {
    guard attempt.tries <= retries else { return .finish }
    var asked = Duration.zero
    switch attempt.result {
    case .success(let response):
      guard attempt.isRepeatable, [429, 502, 503, 504].contains(response.status) else { return .finish }
      asked = response.retryAfter(now: attempt.now) ?? .zero
    case .failure(let failure):
      // A timeout has used up the time of all attempts.
      guard failure.isTransient, failure.kind != .timeout, attempt.isRepeatable || !failure.mayHaveArrived else {
        return .finish
      }
    }
    let wait = max(jitter(tries: attempt.tries, random: attempt.random), asked)
    return wait < attempt.remaining ? .retry(after: wait) : .finish
  }

  private func jitter(tries: Int, random: Double) -> Duration {
    // After 16 doublings, every sensible base exceeds the ceiling.
    min(ceiling, base * (1 << min(tries - 1, 16))) * random
  }
}

extension TransportError {
  /// Whether a retry may succeed. A wrong certificate, a missing library or an oversized body is permanent.
  package var isTransient: Bool {
    switch kind {
    case .resolve, .connect, .broken, .timeout: true
    case .tls, .tooLarge, .proxy, .unsupported, .noMemory, .missingLibrary, .offline, .notRecorded, .damagedState,
      .inaccessibleState:
      false
    }
  }
}
