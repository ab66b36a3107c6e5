package import Hints

/// Something typed that this program does not know, but that its user may know from another program.
package enum TriedWord: Sendable, Equatable {
  /// A word in the place of a command, below the words of `under`.
  case command(String, under: [String])
  /// The long name of an option, without dashes.
  case option(String)
  /// A value given to a switch: its long name, and what was typed.
  case valueOfSwitch(String, String)
}

/// What to type instead.
package struct TriedWordAdvice: Sendable, Equatable {
  /// As they would be typed in its place, best first.
  package var suggestions: [String]
  /// Sentences, if there is no word to type in its place.
  package var hints: [Hint]

  package init(suggestions: [String] = [], hints: [Hint] = []) {
    (self.suggestions, self.hints) = (suggestions, hints)
  }
}
