/// What to do about a problem: sentences, and commands to paste in them.
///
/// Written as text with the commands marked: `"Run \(ifttt: "connections activate \(id)")."`. A command stays a value until
/// the hint is shown. Only then are the options in force added, and every word is quoted in this one place.
package struct Hint: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
  package enum Part: Sendable {
    case text(String)
    case command(SuggestedCommand)
    /// Text of a plugin, in which commands can be told by their look alone.
    case plugin(String)
    /// A command as a plugin wrote it.
    case verbatim(String)
  }

  package private(set) var parts: [Part]

  package init(parts: [Part]) { self.parts = parts }
  package init(_ text: String) { parts = [.text(text)] }
  package init(ofPlugin text: String) { parts = [.plugin(text)] }
  package init(stringLiteral text: String) { parts = [.text(text)] }
  package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// As it is shown on one line.
  package var text: String { shown.map(\.text).joined() }
  package var description: String { text }
  package var isEmpty: Bool { text.isEmpty }

  /// The words of the text, each command one of them: where a line may end.
  package var units: [String] {
    var units: [String] = []
    var isOpen = false
    func add(_ text: some StringProtocol) {
      if isOpen { units[units.count - 1] += text } else { units.append(String(text)) }
      isOpen = true
    }
    for (text, isCommand) in shown {
      guard !isCommand else {
        add(text)
        continue
      }
      for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
        if index > 0 { isOpen = false }
        if !word.isEmpty { add(word) }
      }
    }
    return units
  }

  /// A command at the end, behind a colon, needs no marks.
  private var shown: [(text: String, isCommand: Bool)] {
    var shown: [(text: String, isCommand: Bool)] = []
    for (place, part) in parts.enumerated() {
      switch part {
      case .text(let text), .plugin(let text): shown.append((text, false))
      case .verbatim(let text): shown.append((text, true))
      case .command(let command):
        let isBare = place == parts.count - 1 && shown.last?.text.hasSuffix(": ") == true
        shown.append((isBare ? command.text : Self.marked(command.text), true))
      }
    }
    return shown
  }

  /// The command between marks. Those of a command with quotes of its own are no quotes to a shell, so that a value in it
  /// stays what it is even if the marks are pasted as well.
  package static func marked(_ command: String) -> String {
    command.contains("'") ? "\u{201c}\(command)\u{201d}" : "'\(command)'"
  }

  package static func + (left: Hint, right: Hint) -> Hint { Hint(parts: left.parts + right.parts) }

  /// The sentences of several hints.
  package static func joined(_ hints: [Hint]) -> Hint? {
    hints.isEmpty ? nil : Hint(parts: Array(hints.map(\.parts).joined(separator: [.text(" ")])))
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate(set) var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { parts.append(.text(literal)) }
    }

    /// A value in a sentence.
    package mutating func appendInterpolation(_ text: String) { appendLiteral(text) }
    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      appendLiteral(value.description)
    }
    package mutating func appendInterpolation(_ hint: Hint) { parts += hint.parts }

    /// A command of this program.
    package mutating func appendInterpolation(ifttt command: SuggestedCommand) { parts.append(.command(command)) }

    /// A line for the shell that starts other programs.
    package mutating func appendInterpolation(shell line: SuggestedCommand) {
      parts.append(.command(SuggestedCommand(shell: line)))
    }
  }
}

extension Hint: Equatable {
  /// Hints that read alike are alike.
  package static func == (left: Hint, right: Hint) -> Bool { left.text == right.text }
}
