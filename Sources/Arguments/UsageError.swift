package import Hints

/// What is wrong with a command line, in pieces for a printer with colours or for JSON, and as plain text.
package struct UsageError: Error, Equatable, Sendable {
  package enum Kind: Sendable, Equatable {
    case unknownCommand, unknownOption, missingValue, unwantedValue, invalidValue, unexpectedArgument
    case missingArgument, conflict
  }

  package let kind: Kind
  /// Without a full stop, in lower case: "unknown option '--stauts'".
  package let message: String
  /// The command line with its faulty word, escaped, masked and cut short; nil where the fault is not on it.
  package let line: String?
  /// The character cells of ``line`` that are at fault.
  package let caret: Range<Int>?
  /// At most three names or values that may have been meant, as they would be typed, best first.
  package let suggestions: [String]
  /// All values that would be accepted, where they are few.
  package let accepted: [String]
  /// Sentences with what else may help.
  package var hints: [Hint]
  /// The program's name, as it stands before the message.
  package let program: String
  /// The command line that shows how it is done: `ifttt connections list --help`.
  package let helpCommand: String

  /// An error that shows only when a command runs, such as a field that its output does not have.
  package init(
    kind: Kind, message: String, line: String? = nil, caret: Range<Int>? = nil, suggestions: [String] = [],
    accepted: [String] = [], hints: [Hint] = [], program: String, helpCommand: String
  ) {
    (self.kind, self.message, self.line, self.caret) = (kind, message, line, caret)
    (self.suggestions, self.accepted, self.hints) = (suggestions, accepted, hints)
    (self.program, self.helpCommand) = (program, helpCommand)
  }

  /// The line of carets under ``line``, without an indent.
  package var carets: String? {
    caret.map { String(repeating: " ", count: $0.lowerBound) + String(repeating: "^", count: $0.count) }
  }

  /// ``suggestions`` as a question, nil where there is none.
  package var question: String? {
    let quoted = suggestions.map { "'\($0)'" }
    guard let last = quoted.last else { return nil }
    let others = quoted.dropLast()
    return "Did you mean \(others.isEmpty ? "" : others.joined(separator: ", ") + " or ")\(last)?"
  }

  /// The lines to print on standard error.
  package var lines: [String] { head + advice.map(\.text) + [foot] }

  /// What is wrong, and where.
  package var head: [String] {
    var lines = ["\(program): \(message)"]
    if let line, let carets { lines += ["  " + line, "  " + carets] }
    return lines
  }

  /// Where to read on.
  package var foot: String { "Run '\(helpCommand)' for usage." }

  /// What may have been meant, what would be accepted and what else may help, a sentence each.
  package var advice: [Hint] {
    let values: [Hint] = accepted.isEmpty ? [] : ["Accepted values: \(accepted.joined(separator: ", "))."]
    return [question].compactMap { $0.map { Hint($0) } } + values + hints
  }
}
