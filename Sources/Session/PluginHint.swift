import Text

/// A plugin's hint: text in which commands are detected.
///
/// A command is either in quotes as in this program's hints, or after a colon up to the end, or a few bare words in a
/// sentence. Text in quotes inside a command is never detected as another command.
struct PluginHint {
  package struct Command {
    /// `ifttt …`, as the plugin wrote it.
    package let text: String
    package let end: End
    /// The length in characters of the text.
    let length: Int

    /// How the end of the command is detected.
    enum End {
      /// A mark before and after the command.
      case mark
      case endOfText
      /// Only its name and switches can be distinguished from the sentence.
      case name
    }

    /// The words after the name that may name a command.
    package var path: [String] {
      let words = text.dropFirst(PluginHint.name.count).split(separator: " ").map(String.init)
      return Array(words.prefix { !$0.hasPrefix("-") && $0.utf8.allSatisfy(PluginHint.isPartOfAName) })
    }

    func has(_ option: String) -> Bool { text.includes(" \(option) ") || text.hasSuffix(" \(option)") }

    package func with(_ global: [SuggestedCommand.Option], _ own: [SuggestedCommand.Option], behind depth: Int)
      -> String
    {
      var words = text.split(separator: " ", maxSplits: depth + 1, omittingEmptySubsequences: true).map(String.init)
      func shown(_ options: [SuggestedCommand.Option]) -> [String] {
        guard !options.isEmpty else { return [] }
        let command: SuggestedCommand = ""
        return [SuggestedCommand(shell: command).with(options).text]
      }
      words.insert(contentsOf: shown(own), at: min(depth + 1, words.count))
      words.insert(contentsOf: shown(global), at: 1)
      return words.joined(separator: " ")
    }
  }

  private static let name = "ifttt "
  private let text: [Character]
  private let isKnown: ([String]) -> Bool

  /// - Parameter known: whether words name a command or a noun.
  package init(_ text: String, known: @escaping ([String]) -> Bool) {
    (self.text, isKnown) = (Array(text), known)
  }

  /// The parts of the text, with each command formatted by `shown`.
  package func parts(_ shown: (Command) -> String) -> [Hint.Part] {
    var parts: [Hint.Part] = []
    var pending = ""
    var place = 0
    while place < text.count {
      guard let found = command(at: place) else {
        pending.append(text[place])
        place += 1
        continue
      }
      // Added options may contain quotes, which need other marks.
      if found.end == .mark { pending.removeLast() }
      if !pending.isEmpty { parts.append(.text(pending)) }
      pending = ""
      parts.append(.verbatim(found.end == .mark ? Hint.marked(shown(found)) : shown(found)))
      place += found.length + (found.end == .mark ? 1 : 0)
    }
    if !pending.isEmpty { parts.append(.text(pending)) }
    return parts
  }

  private func command(at place: Int) -> Command? {
    guard text[place...].starts(with: Self.name), place == 0 || !Self.continuesAWord(text[place - 1]) else {
      return nil
    }
    let first = word(at: place + Self.name.count)
    guard !first.isEmpty, !first.hasPrefix("-"), isKnown([first]) else { return nil }
    if let (end, kind) = markedEnd(from: place) { return command(place..<end, kind) }
    var path = [first]
    var end = place + Self.name.count + first.count
    while end < text.count, text[end] == " " {
      let next = word(at: end + 1)
      guard next.hasPrefix("--") || isKnown(path + [next]) else { break }
      if !next.hasPrefix("--") { path.append(next) }
      end += 1 + next.count
    }
    return command(place..<end, .name)
  }

  private func command(_ range: Range<Int>, _ end: Command.End) -> Command {
    Command(text: String(text[range]), end: end, length: range.count)
  }

  /// The end of a command that is set off by quotes or by a preceding colon.
  private func markedEnd(from place: Int) -> (Int, Command.End)? {
    guard place > 0 else { return nil }
    switch text[place - 1] {
    case "'": return text[place...].firstIndex(of: "'").map { ($0, .mark) }
    case "\u{201c}": return end(from: place, before: "\u{201d}").map { ($0, .mark) }
    case " " where place > 1 && text[place - 2] == ":":
      return (end(from: place, before: ";") ?? text.count, .endOfText)
    default: return nil
    }
  }

  /// The position of a character that is not inside a quoted part of the command.
  private func end(from place: Int, before sign: Character) -> Int? {
    var isQuoted = false
    for index in place..<text.count {
      if text[index] == "'" { isQuoted.toggle() }
      if text[index] == sign, !isQuoted { return index }
    }
    return nil
  }

  private func word(at place: Int) -> String {
    String(text[min(place, text.count)...].prefix { $0.utf8.allSatisfy(Self.isPartOfAName) })
  }

  fileprivate static func isPartOfAName(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || byte == UInt8(ascii: "-")
  }

  /// Whether a subsequent name is part of a longer word, such as a path or a host.
  private static func continuesAWord(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "/.-_".contains(character))
  }
}
