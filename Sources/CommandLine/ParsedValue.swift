/// A value and its source.
package struct ParsedValue: Sendable, Equatable {
  /// The text; nil for a switch on the command line.
  package var value: String?
  /// False for the `--no-` form of a switch.
  package var isOn: Bool
  package var source: Source
  /// Whether it comes after the `--` that ends the options.
  package var isBehindDashes = false

  package init(value: String?, isOn: Bool = true, source: Source) {
    (self.value, self.isOn, self.source) = (value, isOn, source)
  }

  /// The text of an option or argument that always has a value.
  package var text: String { value ?? "" }

  /// Rejects a variable with invalid UTF-8. Its text was repaired with U+FFFD, and would be sent as another value. An
  /// argument was checked when the command line was split.
  func checkEncoding() throws(ValueError) {
    guard case .environment = source, let value, value.unicodeScalars.contains("\u{fffd}") else { return }
    throw ValueError("it has invalid UTF-8 or the character U+FFFD")
  }

  /// Whether a switch is on, by its form on the command line or the value of its environment variable.
  func state() throws(ValueError) -> Bool {
    guard let value else { return isOn }
    switch value.lowercased() {
    case "1", "true", "yes", "on": return true
    case "0", "false", "no", "off": return false
    default: throw ValueError("", accepted: ["1", "0", "true", "false", "yes", "no", "on", "off"])
    }
  }
}

/// The source of a value, for `--verbose` and for the caret under an invalid value.
package enum Source: Sendable, Equatable {
  /// The argument's index in the argument vector, and a range of UTF-8 bytes inside it.
  case commandLine(word: Int, bytes: Range<Int>)
  case environment(String)
}

/// The value of one option and its source, as `--verbose` reports them.
package struct Provenance: Sendable, Equatable {
  /// The option as it would be typed: `--output`, `--no-wait`.
  package var option: String
  /// The value as given, including secrets; nil for a switch.
  package var typed: String?
  /// The value escaped and shortened for a terminal, and masked if the option's name indicates a secret. Nil for a
  /// switch.
  package var value: String?
  package var source: Source

  /// One line: `--output json: from IFTTT_OUTPUT`.
  package var line: String {
    let subject = value.map { $0.isEmpty ? "\(option)=" : "\(option) \($0)" } ?? option
    switch source {
    case .commandLine: return "\(subject): from the command line"
    case .environment(let variable): return "\(subject): from \(variable)"
    }
  }

  init(_ schema: OptionSchema, _ given: ParsedValue) {
    option = given.isOn ? "--\(schema.name)" : "--no-\(schema.name)"
    value = given.value.map { text in
      SecretMask.hidesValue(of: schema.name)
        ? SecretMask.shown(insteadOf: text.utf8) : Excerpt.text(of: SecretMask.masked(Array(text.utf8)))
    }
    (typed, source) = (given.value, given.source)
  }
}
