/// Advice about a problem: sentences that can contain commands to paste.
///
/// Write the hint as text with interpolated commands: `"Run \(ifttt: "connections activate \(id)")."`. A command
/// stays a value until the hint is shown. Only then are the options in effect added and all words quoted, in this one
/// place.
package struct Hint: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
  package enum Part: Sendable {
    case text(String)
    case command(SuggestedCommand)
    /// Text from a plugin, in which commands can be recognized only by their appearance.
    case plugin(String)
    /// A command as the plugin wrote it.
    case verbatim(String)
  }

  package private(set) var parts: [Part]

  package init(parts: [Part]) { self.parts = parts }
  package init(_ text: String) { parts = [.text(text)] }
  package init(ofPlugin text: String) { parts = [.plugin(text)] }
  package init(stringLiteral text: String) { parts = [.text(text)] }
  package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// The whole hint; steps are separated by line feeds.
  package var text: String { shown.map(\.text).joined() }
  package var description: String { text }
  package var isEmpty: Bool { text.isEmpty }

  /// The words of the text, with each command as one word. A line can break between them.
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

  /// The steps of the hint, each for a line of its own: the parts between line feeds.
  package var steps: [Hint] {
    var steps: [[Part]] = [[]]
    for part in parts {
      guard case .text(let text) = part else {
        steps[steps.count - 1].append(part)
        continue
      }
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        if index > 0 { steps.append([]) }
        if !line.isEmpty { steps[steps.count - 1].append(.text(String(line))) }
      }
    }
    return steps.map { Hint(parts: $0) }
  }

  /// The displayed texts. A suggested command has quotation marks, except at the end of a step after a colon.
  private var shown: [(text: String, isCommand: Bool)] {
    var shown: [(text: String, isCommand: Bool)] = []
    for (index, part) in parts.enumerated() {
      switch part {
      case .text(let text), .plugin(let text): shown.append((text, false))
      case .verbatim(let text): shown.append((text, true))
      case .command(let command):
        let isLast = index == parts.count - 1 || parts[index + 1].beginsStep
        let isBare = isLast && shown.last?.text.hasSuffix(": ") == true
        shown.append((isBare ? command.text : Self.marked(command.text), true))
      }
    }
    return shown
  }

  /// Returns the command in quotation marks. A command that contains quotes gets typographic marks, which a shell
  /// does not treat as quotes. Its values therefore stay intact even if the marks are pasted too.
  package static func marked(_ command: String) -> String {
    command.contains("'") ? "\u{201c}\(command)\u{201d}" : "'\(command)'"
  }

  /// Returns the hint with each text and each word of its commands changed.
  package func mapped(_ change: (String) -> String) -> Hint {
    Hint(
      parts: parts.map { part in
        switch part {
        case .text(let text): .text(change(text))
        case .plugin(let text): .plugin(change(text))
        case .verbatim(let text): .verbatim(change(text))
        case .command(let command): .command(command.mapped(change))
        }
      })
  }

  package static func + (left: Hint, right: Hint) -> Hint { Hint(parts: left.parts + right.parts) }

  /// Returns the sentences of several hints as one hint; nil if there are none.
  package static func joined(_ hints: [Hint]) -> Hint? {
    hints.isEmpty ? nil : Hint(parts: Array(hints.map(\.parts).joined(separator: [.text(" ")])))
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate(set) var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { parts.append(.text(literal)) }
    }

    /// Appends a value to the sentence.
    package mutating func appendInterpolation(_ text: String) { appendLiteral(text) }
    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      appendLiteral(value.description)
    }
    package mutating func appendInterpolation(_ hint: Hint) { parts += hint.parts }

    /// Appends a command of this program.
    package mutating func appendInterpolation(ifttt command: SuggestedCommand) { parts.append(.command(command)) }

    /// Appends a shell command line that starts other programs.
    package mutating func appendInterpolation(shell line: SuggestedCommand) {
      parts.append(.command(SuggestedCommand(shell: line)))
    }
  }
}

extension Hint.Part {
  /// Whether a new step begins with this part.
  fileprivate var beginsStep: Bool { if case .text(let text) = self { text.hasPrefix("\n") } else { false } }
}

extension Hint: Equatable {
  /// Compares the displayed text.
  package static func == (left: Hint, right: Hint) -> Bool { left.text == right.text }
}
