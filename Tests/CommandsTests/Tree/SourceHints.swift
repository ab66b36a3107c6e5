import Foundation
import ProgramDriver
import Support

/// The commands that the program's own texts suggest, as written in the source.
struct SourceHints {
  struct Hint: CustomStringConvertible {
    let file: String
    /// The text after `ifttt `, with interpolations as `\(expression)`.
    let line: String
    var description: String { "ifttt \(line) (\(file))" }
  }

  /// Every command that is written as a value.
  static func all() throws -> [Hint] {
    try lines().flatMap { path, line in
      ["(ifttt: \"", "SuggestedCommand = \"", "SuggestedCommand { \""].flatMap { hints(in: line, behind: $0) }
        .filter { !$0.isEmpty }.map { Hint(file: path, line: $0) }
    }
  }

  /// Commands that are written as text, without quoting and without carried options.
  static func bare() throws -> [Hint] {
    try lines().flatMap { path, line in
      ["'ifttt ", "`ifttt ", ": ifttt ", "un ifttt ", "ith ifttt "].flatMap { start in
        line.ranges(of: start).map { Hint(file: path, line: String(line[$0.upperBound...])) }
      }
    }
  }

  private static func lines() throws -> [(path: String, line: Substring)] {
    try Checkout.sources().flatMap { path in
      try Checkout.text(path).split(separator: "\n").filter { !$0.drop(while: { $0 == " " }).hasPrefix("//") }
        .map { (path, $0) }
    }
  }

  private static func hints(in line: Substring, behind start: String) -> [String] {
    line.ranges(of: start).map { literal(at: line[$0.upperBound...]) }
  }

  /// The text up to the closing quote. An interpolation may contain quotes of its own.
  private static func literal(at text: Substring) -> String {
    var depth = 0
    var previous: Character?
    var literal = ""
    for character in text {
      if depth == 0, character == "\"" { break }
      if character == "(", previous == "\\" || depth > 0 { depth += 1 }
      if character == ")", depth > 0 { depth -= 1 }
      literal.append(character)
      previous = character
    }
    return literal
  }
}
