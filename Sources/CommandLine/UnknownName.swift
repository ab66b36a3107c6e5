package import Text

/// A typed name that this program does not have, but that the user may know from another program.
package enum UnknownName: Sendable, Equatable {
  /// A name instead of a command, below the path `under`.
  case command(String, under: [String])
  /// The long name of an option, without dashes, and the names of the command that it was given to.
  case option(String, of: [String])
  /// A value given to a switch: its long name, and the typed text.
  case valueOfSwitch(String, String)
}

/// Suggestions for an unknown name.
package struct UnknownNameAdvice: Sendable, Equatable {
  /// The replacements to type, best first.
  package var suggestions: [String]
  /// Sentences, for a name that has no direct replacement.
  package var hints: [Hint]

  package init(suggestions: [String] = [], hints: [Hint] = []) {
    (self.suggestions, self.hints) = (suggestions, hints)
  }
}
