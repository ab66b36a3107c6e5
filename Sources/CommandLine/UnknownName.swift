package import Text

/// A typed name that this program does not have, but that the user may know from another program.
package enum UnknownName: Sendable, Equatable {
  /// A name instead of a command, below the path `under`, and the operands after it.
  case command(String, under: [String], operands: [String])
  /// An option with its dashes and without its value, and the names of the command that it was given to.
  case option(String, of: [String])
  /// A value given to a switch: its long name, the typed text, and the names of the command.
  case valueOfSwitch(String, String, of: [String])
  /// A surplus operand, and the names of the command.
  case operand(String, of: [String])
}

/// Suggestions for an unknown name.
package struct UnknownNameAdvice: Sendable, Equatable {
  /// The replacements, best first.
  package var replacements: [NameReplacement]
  package var hints: [Hint]
  /// Sentences that are shown only if no replacement is possible.
  package var alternatives: [Hint]

  package init(_ replacements: [NameReplacement] = [], hints: [Hint] = [], alternatives: [Hint] = []) {
    (self.replacements, self.hints, self.alternatives) = (replacements, hints, alternatives)
  }
}

/// Words of this program in place of an unknown name and, if the two belong together, of arguments after it.
///
/// Words that begin with a dash take the place of the unknown argument. Other words name a command, and take the
/// place of the command's names. In a word, `{0}` stands for the unknown name and `{1}` for the first operand after it.
/// For an option, `{}` stands for its value; `{ID}` also names the placeholder if the value is missing.
package struct NameReplacement: Sendable, Equatable, ExpressibleByStringLiteral {
  package let words: [String]
  /// The number of operands after an unknown command that are replaced too.
  package let consumed: Int

  package init(_ words: [String], consuming consumed: Int = 0) { (self.words, self.consumed) = (words, consumed) }
  package init(_ text: String) { self.init(text.split(separator: " ").map(String.init)) }
  package init(stringLiteral text: String) { self.init(text) }

  /// The words before the first option or typed argument: `connections apply`, or else everything: `--max-age 0`.
  var shortened: String {
    let names = words.prefix { !$0.hasPrefix("-") && !$0.contains("{") }
    return (names.isEmpty ? words.prefix { !$0.contains("{") } : names).joined(separator: " ")
  }

  /// Whether the words take the place of the unknown argument only.
  var isInPlace: Bool { words.first.map { $0.hasPrefix("-") || $0.hasPrefix("{") } ?? true }
}
