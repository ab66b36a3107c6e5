import Encoding
package import Time
import World

/// What to do after one try of a request.
package enum RetryDecision: Equatable, Sendable {
  /// The outcome stands.
  case finish
  case retry(after: Duration)
}

/// Decides whether a request is sent again and when: exponential backoff with full jitter, never less than the
/// server's `Retry-After`, never past the request's time.
package struct RetryPolicy: Sendable {
  /// Tries after the first.
  package var retries: Int
  /// The longest wait before the second try; it doubles with each further one.
  package var base: Duration = .milliseconds(500)
  package var ceiling: Duration = .seconds(10)

  package init(retries: Int) { self.retries = retries }

  /// One try that has ended.
  package struct Attempt {
    package var result: Result<Response, TransportError>
    package var isRepeatable: Bool
    /// Tries so far, this one included.
    package var tries: Int
    /// Until the request's time is up.
    package var remaining: Duration
    /// The wall clock, for `Retry-After` with a date where the server sends no `Date`.
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
      // A timeout has used up the time of all tries.
      guard failure.mayPassOff, failure.kind != .timeout, attempt.isRepeatable || !failure.mayHaveArrived else {
        return .finish
      }
    }
    let wait = max(jitter(tries: attempt.tries, random: attempt.random), asked)
    return wait < attempt.remaining ? .retry(after: wait) : .finish
  }

  private func jitter(tries: Int, random: Double) -> Duration {
    // Past 16 doublings every sensible base is above the ceiling.
    min(ceiling, base * (1 << min(tries - 1, 16))) * random
  }
}

extension TransportError {
  /// Whether another try has a chance. A wrong certificate, a missing library or a body that is too large stays so.
  package var mayPassOff: Bool {
    switch kind {
    case .resolve, .connect, .broken, .timeout: true
    case .tls, .tooLarge, .proxy, .unsupported, .offline, .notRecorded: false
    }
  }
}

extension Response {
  /// How long the server asks to wait (RFC 9110 §10.2.3): seconds, or a date, taken against the server's own `Date`
  /// so that a clock that is wrong on either side does no harm.
  package func retryAfter(now: Timestamp) -> Duration? {
    guard let text = header("Retry-After") else { return nil }
    if text.utf8.allSatisfy(\.isDigit), !text.isEmpty {
      // A day is past every timeout; more digits than Int holds mean the same.
      return .seconds(min(Int(text) ?? 86_400, 86_400))
    }
    guard let until = HTTPDate.parse(text, now: now) else { return nil }
    let present = header("Date").flatMap { HTTPDate.parse($0, now: now) } ?? now
    return .milliseconds(max(0, until.milliseconds - present.milliseconds))
  }
}
