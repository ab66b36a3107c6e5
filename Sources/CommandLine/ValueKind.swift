import Text

/// The parsing, placeholder and completion of one kind of value.
package struct ValueKind<Value>: Sendable {
  package let schema: ValueSchema
  package let parse: @Sendable (String) throws(ValueError) -> Value

  package init(_ schema: ValueSchema, parse: @escaping @Sendable (String) throws(ValueError) -> Value) {
    (self.schema, self.parse) = (schema, parse)
  }

  /// A kind for a type with a failable initializer. `expected` completes "expected …": "a BCP 47 language tag".
  package static func parsed(
    _ placeholder: String, completion: CompletionKind = .none, expected: String,
    _ make: @escaping @Sendable (String) -> Value?
  ) -> ValueKind {
    ValueKind(ValueSchema(placeholder: placeholder, completion: completion)) { (text: String) throws(ValueError) in
      guard let value = make(text) else { throw ValueError("expected \(expected)") }
      return value
    }
  }

  /// The same kind with another placeholder.
  package func named(_ placeholder: String) -> ValueKind {
    ValueKind(ValueSchema(placeholder: placeholder, completion: schema.completion), parse: parse)
  }

  /// The same kind with other completion candidates.
  package func completed(by completion: CompletionKind) -> ValueKind {
    ValueKind(ValueSchema(placeholder: schema.placeholder, completion: completion), parse: parse)
  }

  /// Parses a comma-separated list. The error of an element contains the range of the element in `text`.
  func parseList(_ text: String) throws(ValueError) -> [Value] {
    var values: [Value] = []
    var start = 0
    for part in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let bytes = start..<start + part.count
      start = bytes.upperBound + 1
      guard !part.isEmpty else { throw ValueError("an entry of the list is empty", bytes: bytes) }
      do throws(ValueError) {
        values.append(try parse(String(Substring(part))))
      } catch {
        let faulty = error.bytes.map { bytes.lowerBound + $0.lowerBound..<bytes.lowerBound + $0.upperBound }
        throw ValueError(error.message, accepted: error.accepted, bytes: faulty ?? bytes)
      }
    }
    return values
  }
}

/// The reason why a value is invalid, and the values that are accepted.
package struct ValueError: Error, Equatable {
  /// The expectation or the problem, phrased to follow "invalid value 'x' for '--status': ". It never repeats the
  /// value, which may be long, hostile or secret. Empty if ``accepted`` is sufficient.
  package var message: String
  /// The accepted values, which are listed and searched for similar names. Empty if there are too many to list.
  package var accepted: [String]
  /// The faulty UTF-8 bytes of the value; nil for all of it.
  package var bytes: Range<Int>?

  package init(_ message: String, accepted: [String] = [], bytes: Range<Int>? = nil) {
    (self.message, self.accepted, self.bytes) = (message, accepted, bytes)
  }
}

// The kinds of values that need no type of their own.

extension ValueKind<String> {
  /// Any text, possibly empty.
  package static func text(_ placeholder: String, completion: CompletionKind = .none) -> ValueKind {
    ValueKind(ValueSchema(placeholder: placeholder, completion: completion)) { text in text }
  }

  /// Any nonempty text.
  package static func nonEmpty(_ placeholder: String, completion: CompletionKind = .none) -> ValueKind {
    ValueKind(ValueSchema(placeholder: placeholder, completion: completion)) { (text: String) throws(ValueError) in
      guard !text.isEmpty else { throw ValueError("it must not be empty") }
      return text
    }
  }

  /// The path of a file, or `-` for stdin or stdout if the command supports it. The file need not exist.
  package static var file: ValueKind { nonEmpty("FILE", completion: .file) }

  /// The path of a directory, which need not exist.
  package static var directory: ValueKind { nonEmpty("DIRECTORY", completion: .directory) }

  /// One of a closed set of values. The case of its letters is ignored, as in every closed set.
  package static func choice(_ choices: [Choice], placeholder: String) -> ValueKind {
    let accepted = choices.map(\.value)
    return ValueKind(ValueSchema(placeholder: placeholder, completion: .choices(choices))) {
      (text: String) throws(ValueError) in
      guard
        let value = accepted.first(where: { $0 == text })
          ?? accepted.first(where: { $0.isSame(ignoringASCIICase: text) })
      else {
        throw ValueError("", accepted: accepted)
      }
      return value
    }
  }
}

extension ValueKind<Int> {
  /// An integer in decimal digits with an optional sign.
  package static func integer(in range: ClosedRange<Int> = 0...Int.max, placeholder: String = "N") -> ValueKind {
    ValueKind(ValueSchema(placeholder: placeholder)) { (text: String) throws(ValueError) in
      guard let number = Int(text), range.contains(number) else {
        let bounds =
          switch (range.lowerBound == .min, range.upperBound == .max) {
          case (true, true): ""
          case (true, false): " of at most \(range.upperBound)"
          case (false, true): " of at least \(range.lowerBound)"
          case (false, false): " from \(range.lowerBound) to \(range.upperBound)"
          }
        throw ValueError("expected a whole number\(bounds)")
      }
      return number
    }
  }
}

extension ValueKind
where Value: CaseIterable & RawRepresentable & Sendable, Value.AllCases == [Value], Value.RawValue == String {
  /// One of an enumeration's raw values, in any case. `help` provides the descriptions that shells show.
  package static func oneOf(
    _ type: Value.Type, placeholder: String = "VALUE", help: (Value) -> String? = { _ in nil }
  ) -> ValueKind {
    let values = Value.allCases
    let choices = values.map { Choice($0.rawValue, help($0)) }
    // Use a linear search instead of `init(rawValue:)`, which may be hand-written and accept more values.
    return ValueKind(ValueSchema(placeholder: placeholder, completion: .choices(choices))) {
      (text: String) throws(ValueError) in
      guard
        let value = values.first(where: { $0.rawValue == text })
          ?? values.first(where: { $0.rawValue.isSame(ignoringASCIICase: text) })
      else {
        throw ValueError("", accepted: values.map(\.rawValue))
      }
      return value
    }
  }
}

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
