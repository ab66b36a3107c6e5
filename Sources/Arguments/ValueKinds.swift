// The kinds of values that need no type of their own.

extension ValueKind<String> {
  /// Any text, the empty one too.
  package static func text(_ placeholder: String, completion: CompletionKind = .none) -> ValueKind {
    ValueKind(ValueSchema(placeholder: placeholder, completion: completion)) { text in text }
  }

  /// Any text but the empty one.
  package static func nonEmpty(_ placeholder: String, completion: CompletionKind = .none) -> ValueKind {
    ValueKind(ValueSchema(placeholder: placeholder, completion: completion)) { (text: String) throws(ValueError) in
      guard !text.isEmpty else { throw ValueError("it must not be empty") }
      return text
    }
  }

  /// A file's path, or `-` for standard input or output where the command says so. Whether it exists is not asked.
  package static var file: ValueKind { nonEmpty("FILE", completion: .file) }

  /// A directory's path. Whether it exists is not asked.
  package static var directory: ValueKind { nonEmpty("DIRECTORY", completion: .directory) }

  /// One of a closed set of words.
  package static func choice(_ choices: [Choice], placeholder: String) -> ValueKind {
    let accepted = choices.map(\.value)
    return ValueKind(ValueSchema(placeholder: placeholder, completion: .choices(choices))) {
      (text: String) throws(ValueError) in
      guard accepted.contains(text) else { throw ValueError("", accepted: accepted) }
      return text
    }
  }
}

extension ValueKind<Int> {
  /// A whole number in decimal digits, a sign before it if need be.
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

extension ValueKind where Value: CaseIterable & RawRepresentable & Sendable, Value.RawValue == String {
  /// One of an enumeration's raw values. `help` gives the few words a shell shows beside each.
  /// - Parameter ignoresCase: whether upper and lower case ASCII letters are the same.
  package static func oneOf(
    _ type: Value.Type, placeholder: String = "VALUE", ignoresCase: Bool = false,
    help: (Value) -> String? = { _ in nil }
  ) -> ValueKind {
    let choices = Value.allCases.map { Choice($0.rawValue, help($0)) }
    // A linear search of our own and not `init(rawValue:)`, which may be written by hand and accept more.
    let values = Array(Value.allCases)
    return ValueKind(ValueSchema(placeholder: placeholder, completion: .choices(choices))) {
      (text: String) throws(ValueError) in
      let word = ignoresCase ? text.loweredASCII : text
      guard let value = values.first(where: { $0.rawValue == word }) else {
        throw ValueError("", accepted: values.map(\.rawValue))
      }
      return value
    }
  }
}

extension String {
  /// With the letters A to Z in lower case, and everything else as it is.
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
