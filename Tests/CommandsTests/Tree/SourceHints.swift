import Foundation

/// The commands that the program's own texts suggest, as they stand in the source: between quotes behind `'ifttt`, or
/// behind `: ifttt` to the end of the text.
struct SourceHints {
  struct Hint: CustomStringConvertible {
    let file: String
    /// What follows `ifttt `, interpolations as `\(expression)`.
    let line: String
    var description: String { "ifttt \(line) (\(file))" }
  }

  static func all() throws -> [Hint] {
    try Checkout.sources().flatMap { path in
      try Checkout.text(path).split(separator: "\n").flatMap { line -> [Hint] in
        guard !line.drop(while: { $0 == " " }).hasPrefix("//") else { return [] }
        return hints(in: line).map { Hint(file: path, line: $0) }
      }
    }
  }

  private static func hints(in line: Substring) -> [String] {
    var found: [String] = []
    for (start, ends) in [("'ifttt ", "'"), (": ifttt ", "\";")] {
      var rest = line[...]
      while let range = rest.range(of: start) {
        rest = rest[range.upperBound...]
        found.append(command(at: rest, until: ends))
      }
    }
    return found
  }

  /// What an interpolation holds may have quotes of its own.
  private static func command(at text: Substring, until ends: String) -> String {
    var depth = 0
    var previous: Character?
    var command = ""
    for character in text {
      if depth == 0, ends.contains(character) { break }
      if character == "(", previous == "\\" || depth > 0 { depth += 1 }
      if character == ")", depth > 0 { depth -= 1 }
      command.append(character)
      previous = character
    }
    return command
  }
}
