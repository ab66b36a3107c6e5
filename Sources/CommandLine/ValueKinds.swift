// The kinds of values that need no type of their own.

extension ValueKind<String> {
  /// Any text, including the empty text.
  package static func text(_ placeholder: String, completion: CompletionKind = .none) -> ValueKind {
    ValueKind(ValueSchema(placeholder: placeholder, completion: completion)) { text in text }
  }

  /// Any text except the empty text.
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
      guard let value = accepted.first(where: { $0 == text }) ?? accepted.first(where: { isSameWord($0, text) }) else {
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
    let choices = values.transformed { Choice($0.rawValue, help($0)) }
    // Use a linear search instead of `init(rawValue:)`, which may be hand-written and accept more values.
    return ValueKind(ValueSchema(placeholder: placeholder, completion: .choices(choices))) {
      (text: String) throws(ValueError) in
      guard
        let value = values.first(where: { $0.rawValue == text })
          ?? values.first(where: { isSameWord($0.rawValue, text) })
      else {
        throw ValueError("", accepted: values.map(\.rawValue))
      }
      return value
    }
  }
}

/// Whether two words differ at most in the case of the letters A to Z.
private func isSameWord(_ one: String, _ other: String) -> Bool { one.loweredASCII == other.loweredASCII }

extension String {
  /// The text with the letters A to Z in lowercase, and everything else unchanged.
  package var loweredASCII: String {
    var lowered = unicodeScalars
    for place in lowered.indices.reversed() {
      let scalar = lowered[place]
      guard ("A"..."Z").contains(scalar) else { continue }
      lowered.replaceSubrange(place...place, with: CollectionOfOne(Unicode.Scalar(UInt8(scalar.value) + 32)))
    }
    return String(lowered)
  }
}
