package import Hints

/// A typed name that this program does not have, but that the user may know from another program.
package enum UnknownName: Sendable, Equatable {
  /// A word in the place of a command, below the words of `under`.
  case command(String, under: [String])
  /// The long name of an option, without dashes.
  case option(String)
  /// A value given to a switch: its long name, and what was typed.
  case valueOfSwitch(String, String)
}

/// What to type instead.
package struct UnknownNameAdvice: Sendable, Equatable {
  /// The replacements to type, best first.
  package var suggestions: [String]
  /// Sentences, for a name that has no direct replacement.
  package var hints: [Hint]

  package init(suggestions: [String] = [], hints: [Hint] = []) {
    (self.suggestions, self.hints) = (suggestions, hints)
  }
}
