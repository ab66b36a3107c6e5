package import Text

/// An error in a command line: in parts for colored output or JSON, and as plain text.
package struct UsageError: Error, Equatable, Sendable {
  package enum Kind: Sendable, Equatable {
    case unknownCommand, unknownOption, missingValue, unwantedValue, invalidValue, unexpectedArgument
    case missingArgument, conflict
  }

  package let kind: Kind
  /// The message in lowercase and without a period: "unknown option '--stauts'".
  package let message: String
  /// The command line with the faulty argument, escaped, masked and shortened; nil if the error is not on it.
  package let line: String?
  /// The faulty character cells of ``line``.
  package let caret: Range<Int>?
  /// At most three names or values that may have been meant, as they would be typed, best first.
  package let suggestions: [String]
  /// All accepted values, if there are few.
  package let accepted: [String]
  /// Further hints, as sentences.
  package var hints: [Hint]
  /// The program's name, shown before the message.
  package let program: String
  /// The command line for help: `ifttt connections list --help`.
  package let helpCommand: String

  /// Creates an error, also for an error that is found only when a command runs, such as an unknown field.
  package init(
    kind: Kind, message: String, line: String? = nil, caret: Range<Int>? = nil, suggestions: [String] = [],
    accepted: [String] = [], hints: [Hint] = [], program: String, helpCommand: String
  ) {
    (self.kind, self.message, self.line, self.caret) = (kind, message, line, caret)
    (self.suggestions, self.accepted, self.hints) = (suggestions, accepted, hints)
    (self.program, self.helpCommand) = (program, helpCommand)
  }

  /// The line of carets under ``line``, without indentation.
  package var carets: String? {
    caret.map { String(repeating: " ", count: $0.lowerBound) + String(repeating: "^", count: $0.count) }
  }

  /// ``suggestions`` as a question; nil if there are none.
  package var question: Hint? {
    guard !suggestions.isEmpty else { return nil }
    let parts: [Hint.Part] = suggestions.enumerated().flatMap { index, suggestion -> [Hint.Part] in
      let separator = index == 0 ? "" : index == suggestions.count - 1 ? " or " : ", "
      return [.text(separator), .verbatim(Hint.marked(suggestion))]
    }
    return Hint(parts: [.text("Did you mean ")] + parts + [.text("?")])
  }

  /// The lines to print on stderr.
  package var lines: [String] { head + advice.map(\.text) + [foot] }

  /// The message and the marked command line.
  package var head: [String] {
    var lines = ["\(program): \(message)"]
    if let line, let carets { lines += ["  " + line, "  " + carets] }
    return lines
  }

  /// The line that refers to the help page.
  package var foot: String { "Run '\(helpCommand)' for usage." }

  /// The suggestions, the accepted values and the hints, one sentence each.
  package var advice: [Hint] {
    let values: [Hint] = accepted.isEmpty ? [] : ["Accepted values: \(accepted.joined(separator: ", "))."]
    return [question].compactMap(\.self) + values + hints
  }
}

/// The first error in a command line, before it is described in words.
struct SyntaxError: Error {
  enum Problem {
    /// An unknown name below the path of a group.
    case unknownCommand(under: [String])
    /// The option as typed, including dashes.
    case unknownOption(String)
    case missingValue(OptionSchema)
    case unwantedValue(OptionSchema)
    case invalidValue(of: Subject, ParsedValue, ValueError)
    case unexpectedArgument
    case missingArgument(ArgumentSchema)
    /// `missingOption` could have provided a missing argument; nil if no argument is missing.
    case conflict(String, missingOption: OptionSchema?)
  }

  enum Subject {
    case option(OptionSchema)
    case argument(ArgumentSchema)
  }

  let problem: Problem
  /// The position of the caret; nil if the error is not on the command line.
  let location: Location?

  /// A range of bytes in one argument of the argument vector.
  struct Location: Equatable {
    /// The index of the argument, or the number of arguments for the position after the last.
    let index: Int
    let bytes: Range<Int>
  }

  init(_ problem: Problem, at location: Location?) { (self.problem, self.location) = (problem, location) }

  init(_ subject: Subject, _ given: ParsedValue, _ problem: ValueError) {
    var location: Location?
    if case .commandLine(let index, let bytes) = given.source {
      // The text of a file name may be longer than its bytes.
      let isSame = given.value?.utf8.count == bytes.count
      let faulty = problem.bytes.map { bytes.lowerBound + $0.lowerBound..<bytes.lowerBound + $0.upperBound }
        .flatMap { isSame ? $0 : nil }
      location = Location(index: index, bytes: faulty ?? bytes)
    }
    self.init(.invalidValue(of: subject, given, problem), at: location)
  }

  var isUnknownOption: Bool { if case .unknownOption = problem { true } else { false } }

  /// Whether the error may depend on which arguments are operands.
  var dependsOnOperands: Bool {
    switch problem {
    case .unexpectedArgument, .missingArgument, .unknownCommand, .conflict, .invalidValue(of: .argument, _, _): true
    case .unknownOption, .missingValue, .unwantedValue, .invalidValue: false
    }
  }

  /// Whether the error precedes another on the command line. Errors that are not on the command line come last.
  func precedes(_ other: SyntaxError) -> Bool {
    guard let location else { return false }
    guard let otherLocation = other.location else { return true }
    return (location.index, location.bytes.lowerBound) < (otherLocation.index, otherLocation.bytes.lowerBound)
  }
}

/// A typed name that this program does not have, but that the user may know from another program.
package enum UnknownName: Sendable, Equatable {
  /// A name instead of a command, below the path `under`, and the operands after it.
  case command(String, under: [String], operands: [String])
  /// An option with its dashes, its value or the argument after it, and the names of the command that it was given to.
  case option(String, value: String?, of: [String])
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

/// Words of this program that replace an unknown name and, if they belong together, operands after it.
///
/// In a word, `{0}` stands for the unknown name and `{1}` for the first operand after it. For an option, `{}` stands
/// for its value, and `{=}` for the part of the value after an equals sign; `{ID}` also names the placeholder if the value
/// is missing.
package struct NameReplacement: Sendable, Equatable, ExpressibleByStringLiteral {
  package let words: [String]
  /// The number of operands after an unknown command that are replaced too.
  package let consumed: Int
  /// Whether the words take the place of the unknown argument only; otherwise of all names of the command.
  package let isInPlace: Bool
  /// Whether the value of an unknown option is dropped.
  package let dropsValue: Bool

  /// - Parameter isInPlace: by default true for words that begin with an option or a typed argument.
  package init(
    _ words: [String], consuming consumed: Int = 0, isInPlace: Bool? = nil, droppingValue dropsValue: Bool = false
  ) {
    (self.words, self.consumed, self.dropsValue) = (words, consumed, dropsValue)
    self.isInPlace = isInPlace ?? words.first.map { $0.hasPrefix("-") || $0.hasPrefix("{") } ?? true
  }

  package init(_ text: String) { self.init(text.split(separator: " ").map(String.init)) }
  package init(stringLiteral text: String) { self.init(text) }

  /// The words before the first option or typed argument: `connections apply`, or else everything: `--max-age 0`.
  var shortened: String {
    let names = words.prefix { !$0.hasPrefix("-") && !$0.contains("{") }
    return (names.isEmpty ? words.prefix { !$0.contains("{") } : names).joined(separator: " ")
  }

  /// The replacement of a topic, which takes the place of the unknown argument.
  var asTopic: NameReplacement {
    NameReplacement(shortened.split(separator: " ").map(String.init), consuming: consumed, isInPlace: true)
  }
}
