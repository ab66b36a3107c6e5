extension ValueKind<Duration> {
  /// A duration: an integer with one of the units `ms`, `s`, `m`, `h`, `d`. A number without a unit means seconds.
  ///
  /// The maximum is ``Duration/longestAccepted``, so that adding it to a point in time cannot overflow.
  package static var duration: ValueKind {
    ValueKind(ValueSchema(placeholder: "DURATION")) { (text: String) throws(ValueError) in
      guard let (number, unit) = split(text), let (scale, isMilliseconds) = scale(of: unit) else {
        throw ValueError(
          "expected a whole number of seconds, or a number with a unit, such as 500ms, 30s, 5m, 2h or 7d")
      }
      let (product, overflow) = number.multipliedReportingOverflow(by: scale)
      let duration = isMilliseconds ? Duration.milliseconds(product) : Duration.seconds(product)
      guard !overflow, duration <= .longestAccepted else { throw ValueError("expected at most 36500d") }
      return duration
    }
  }

  /// The digits, saturated if they exceed an `Int64`, and the rest of the text.
  private static func split(_ text: String) -> (Int64, Substring)? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty else { return nil }
    return (Int64(digits) ?? .max, text[digits.endIndex...])
  }

  private static func scale(of unit: Substring) -> (Int64, isMilliseconds: Bool)? {
    switch unit {
    case "ms": (1, true)
    case "s", "": (1, false)
    case "m": (60, false)
    case "h": (3600, false)
    case "d": (86_400, false)
    default: nil
    }
  }
}

extension Duration {
  /// The longest duration that an option accepts: 36,500 days.
  package static var longestAccepted: Duration { .seconds(36_500 * 86_400) }
}
