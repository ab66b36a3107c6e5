/// A completion script's request to the program: the arguments of the hidden command `__complete`.
///
///     ifttt __complete KIND --command=PATH [--profile=NAME] [--argument=WORD] -- PREFIX
///
/// - KIND is the name in `CompletionKind.dynamic` or `dynamicList`: `connection-id`, `profile`, `field`.
/// - PATH is the command being typed without the program's name, its names joined by one space; empty for the
///   program.
/// - NAME is the value of `--profile` on the line, if present. The request inherits the environment.
/// - WORD is the command's first argument, if it is before the cursor: the connection whose fields are requested.
/// - PREFIX is the text at the cursor without quotes; in a list, only the text after the last comma. It is only used if
///   there are too many candidates: the shell filters by its own rules.
///
/// The result is one ``CompletionCandidate`` line per candidate on stdout. The shell adds no space after a value that ends
/// in `=` or that is described by an ellipsis. If anything fails, nothing is
/// written to stderr and the exit code is 0: a shell at its prompt cannot show a message.
package struct CompletionRequest: Sendable, Equatable {
  package let kind: String
  package let command: [String]
  package let profile: String?
  package let argument: String?
  package let prefix: String

  /// Parses the arguments after `__complete`; nil if they are not a valid request.
  package init?(arguments: [String]) {
    guard let kind = arguments.first, let end = arguments.dropFirst().firstIndex(of: "--"), end == arguments.count - 2
    else { return nil }
    var command: String?
    var profile: String?
    var argument: String?
    for word in arguments[1..<end] {
      if let value = CompletionRequest.value(of: "--command=", in: word) {
        command = value
      } else if let value = CompletionRequest.value(of: "--profile=", in: word) {
        profile = value
      } else if let value = CompletionRequest.value(of: "--argument=", in: word) {
        argument = value
      } else {
        return nil
      }
    }
    guard let command else { return nil }
    self.kind = kind
    self.command = command.split(separator: " ").map(String.init)
    self.profile = profile
    self.argument = argument
    self.prefix = arguments[end + 1]
  }

  private static func value(of name: String, in word: String) -> String? {
    word.hasPrefix(name) ? String(word.dropFirst(name.count)) : nil
  }
}

/// One completion candidate with an optional description.
package struct CompletionCandidate: Sendable, Equatable {
  package let value: String
  package let description: String?

  /// Creates a candidate; nil for a value that is empty or has a control character.
  package init?(_ value: String, _ description: String? = nil) {
    guard !value.isEmpty, !value.unicodeScalars.contains(where: Self.isControl) else { return nil }
    self.value = value
    self.description = description
  }

  /// Whether its category is Cc, which only C0, DEL and C1 have.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || 0x7f...0x9f ~= scalar.value
  }

  /// The line `value<TAB>description`, without a line feed. Control characters of the description are shown as
  /// `\u{1b}`.
  package var line: String {
    let words = Prose.oneLine(description ?? "")
    return words.isEmpty ? value : "\(value)\t\(words)"
  }
}
