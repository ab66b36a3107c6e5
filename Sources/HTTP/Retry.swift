import Text
package import World

/// Decides whether and when a request is retried: exponential backoff with full jitter, never earlier than the
/// server's `Retry-After`, and never after the request's deadline.
package struct RetryPolicy: Sendable {
  /// The maximum number of retries after the first attempt.
  package var retries: Int
  private static let backoff = Backoff(base: .milliseconds(500), ceiling: .seconds(10), jitter: 0...1)

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

  /// The wait before the request is retried; nil if the result of this attempt is final.
  package func wait(after attempt: Attempt) -> Duration? {
    guard attempt.tries <= retries else { return nil }
    var requestedWait = Duration.zero
    switch attempt.result {
    case .success(let response):
      guard attempt.isRepeatable, StatusRetryability(status: response.status) == .soon else { return nil }
      requestedWait = response.retryAfter(now: attempt.now) ?? .zero
    case .failure(let failure):
      // A timeout has used up the time of all attempts.
      guard failure.isTransient, failure.kind != .timeout, attempt.isRepeatable || !failure.mayHaveArrived else {
        return nil
      }
    }
    let wait = max(Self.backoff.delay(attempt: attempt.tries, random: attempt.random), requestedWait)
    return wait < attempt.remaining ? wait : nil
  }
}

/// Whether the same request may succeed later, by the status of its response. This and ``TransportError/isTransient``
/// define the transient failures.
package enum StatusRetryability: Sendable {
  /// The server is overloaded or unavailable for a moment: retried automatically.
  case soon
  /// The server failed and may have processed the request, or the request arrived too slowly (408) or in a TLS message
  /// that may be a replay (425). Only polls and deliveries are retried.
  case later
  case never

  package init(status: Int) {
    switch status {
    case 429, 502, 503, 504: self = .soon
    case 408, 425, 500...: self = .later
    default: self = .never
    }
  }
}

/// The wait that a server requests (RFC 9110 §10.2.3), in seconds or as a date.
package enum RetryAfter: Sendable, Equatable {
  /// Nil for a number that does not fit an Int.
  case seconds(Int?)
  /// A date as the server sent it, or any other text.
  case date(String)

  package init(parsing text: String) {
    var digits = text.utf8.drop { $0 == UInt8(ascii: " ") }
    while digits.last == UInt8(ascii: " ") { digits.removeLast() }
    let isNumber = !digits.isEmpty && digits.allSatisfy(\.isDigit)
    self = isNumber ? .seconds(Int(Substring(digits))) : .date(text)
  }
}

extension Response {
  /// The value of the header; nil if absent.
  package var retryAfter: RetryAfter? { header("Retry-After").map(RetryAfter.init) }

  /// The wait that the server requests. A date is compared with the server's own `Date`, so that a wrong clock on
  /// either side has no effect.
  package func retryAfter(now: Timestamp) -> Duration? {
    switch retryAfter {
    // A day exceeds every timeout. A number that does not fit an Int has the same effect.
    case .seconds(let seconds): return .seconds(min(seconds ?? 86_400, 86_400))
    case .date(let text):
      guard let until = HTTPDate.parse(text, now: now) else { return nil }
      let serverTime = header("Date").flatMap { HTTPDate.parse($0, now: now) } ?? now
      return .milliseconds(max(0, until.milliseconds - serverTime.milliseconds))
    case nil: return nil
    }
  }
}

/// The date formats of HTTP (RFC 9110 §5.6.7): the preferred one and the two obsolete ones.
package enum HTTPDate {
  /// Parses a date in any of the three formats.
  /// - Parameter now: The reference for two-digit years. If the year would be more than 50 years in the future, it is
  ///   in the previous century.
  package static func parse(_ text: String, now: Timestamp) -> Timestamp? {
    let words = text.split(separator: " ")
    switch words.count {
    case 6 where words[5] == "GMT" && words[0].last == ",":  // Sun, 06 Nov 1994 08:49:37 GMT
      return moment(year: number(words[3], 4), month: words[2], day: number(words[1], 2), time: words[4])
    case 4 where words[3] == "GMT" && words[0].last == ",":  // Sunday, 06-Nov-94 08:49:37 GMT
      let date = words[1].split(separator: "-", omittingEmptySubsequences: false)
      guard date.count == 3, let twoDigitYear = number(date[2], 2) else { return nil }
      return moment(year: fullYear(of: twoDigitYear, now: now), month: date[1], day: number(date[0], 2), time: words[2])
    case 5:  // Sun Nov  6 08:49:37 1994
      return moment(
        year: number(words[4], 4), month: words[1], day: number(words[2], words[2].utf8.count == 1 ? 1 : 2),
        time: words[3])
    default: return nil
    }
  }

  private static func moment(year: Int?, month: Substring, day: Int?, time: Substring) -> Timestamp? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false)
    guard let year, let day, let month = months.firstIndex(of: month).map({ $0 + 1 }), clock.count == 3,
      let hour = number(clock[0], 2), let minute = number(clock[1], 2), let second = number(clock[2], 2),
      year >= 1, let date = CivilDate(year: year, month: month, day: day), hour < 24, minute < 60, second <= 60
    else { return nil }
    return date.timestamp(second: hour * 3600 + minute * 60 + second)
  }

  private static let months: [Substring] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func number(_ digits: Substring, _ width: Int) -> Int? {
    digits.utf8.count == width && digits.utf8.allSatisfy(\.isDigit)
      ? Int(digits) : nil
  }

  private static func fullYear(of twoDigitYear: Int, now: Timestamp) -> Int {
    // An average year of 365.2425 days is precise enough to determine the century.
    let currentYear = 1970 + Int(now.milliseconds / 31_556_952_000)
    let year = currentYear - currentYear % 100 + twoDigitYear
    return year > currentYear + 50 ? year - 100 : year
  }
}

/// The meaning of an unsuccessful response's status (RFC 9110 §15): the only table, from which each caller derives its
/// error code.
package enum ErrorStatus: Sendable, CaseIterable {
  case badRequest, unauthorized, forbidden, notFound, conflict, invalidParameters, rateLimited, serverError, timeout,
    other

  package init(_ status: Int) {
    switch status {
    case 400: self = .badRequest
    case 401: self = .unauthorized
    case 403: self = .forbidden
    case 404, 410: self = .notFound
    case 408: self = .timeout
    case 409: self = .conflict
    case 422: self = .invalidParameters
    case 429: self = .rateLimited
    // A status above 599 is read as 500 (RFC 9110 §15).
    case 500...: self = .serverError
    default: self = .other
    }
  }
}
