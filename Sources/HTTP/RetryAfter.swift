import Text
package import World

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
  /// either side does no harm.
  package func retryAfter(now: Timestamp) -> Duration? {
    switch retryAfter {
    // A day exceeds every timeout. A number that does not fit an Int has the same effect.
    case .seconds(let seconds): return .seconds(min(seconds ?? 86_400, 86_400))
    case .date(let text):
      guard let until = HTTPDate.parse(text, now: now) else { return nil }
      let present = header("Date").flatMap { HTTPDate.parse($0, now: now) } ?? now
      return .milliseconds(max(0, until.milliseconds - present.milliseconds))
    case nil: return nil
    }
  }
}
