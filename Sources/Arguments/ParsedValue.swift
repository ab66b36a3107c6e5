/// A value that was given, and by what.
package struct ParsedValue: Sendable, Equatable {
  /// Nil for a switch on the command line.
  package var value: String?
  /// False for the `--no-` form of a switch.
  package var isOn: Bool
  package var source: Source
  /// Whether it stands behind the `--` that ends the options.
  package var isBehindDashes = false

  package init(value: String?, isOn: Bool = true, source: Source) {
    (self.value, self.isOn, self.source) = (value, isOn, source)
  }

  /// The value of something that always has one.
  package var text: String { value ?? "" }

  /// Whether a switch is on: by its form on the command line, or by the word in its environment variable.
  func state() throws(ValueError) -> Bool {
    guard let value else { return isOn }
    switch value.lowercased() {
    case "1", "true", "yes", "on": return true
    case "0", "false", "no", "off": return false
    default: throw ValueError("", accepted: ["1", "0", "true", "false", "yes", "no", "on", "off"])
    }
  }
}

/// Where a value came from, for `--verbose` and for the caret under a wrong one.
package enum Source: Sendable, Equatable {
  /// The word's place in the argument vector, and the range of UTF-8 bytes inside it.
  case commandLine(word: Int, bytes: Range<Int>)
  case environment(String)
}

/// What was given for one option and where it came from, as `--verbose` reports it.
package struct Provenance: Sendable, Equatable {
  /// The option as it would be typed: `--output`, `--no-wait`.
  package var option: String
  /// As it was given, with all that is secret in it; nil for a switch.
  package var typed: String?
  /// Escaped and shortened for a terminal, masked where the option's name speaks of a secret. Nil for a switch.
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
        ? SecretMask.text : Excerpt.text(of: SecretMask.masked(Array(text.utf8)))
    }
    (typed, source) = (given.value, given.source)
  }
}
