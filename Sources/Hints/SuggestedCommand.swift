/// A command to paste, as words: a value in it stays one argument, whatever it holds.
///
/// Written like the line itself, `"connections activate \(id)"`. The spaces of the literal part words; an interpolated
/// value is never split, is quoted if a shell would read it as anything else, and is never taken as an option: behind a
/// literal option it is that option's value, anywhere else an argument.
package struct SuggestedCommand: Sendable, Equatable, ExpressibleByStringInterpolation {
  /// An option that the command gets beside those it is written with.
  package struct Option: Sendable, Equatable {
    /// With its dashes.
    package var name: String
    /// Nil for a switch.
    package var value: String?
    package init(_ name: String, _ value: String? = nil) { (self.name, self.value) = (name, value) }
  }

  struct Word: Sendable, Equatable {
    var text: String
    /// Whether all of it stands in the source, so that it is one on purpose: a name, an option, a placeholder.
    var isLiteral: Bool
    var kind: Kind

    enum Kind: Sendable { case plain, path }
  }

  /// What the shell starts: this program, or nil for a line of other programs that begins with their name.
  package private(set) var program: String? = "ifttt"
  private(set) var words: [Word]

  package init(stringInterpolation: StringInterpolation) { words = stringInterpolation.words }
  package init(stringLiteral text: String) {
    var interpolation = StringInterpolation(literalCapacity: text.utf8.count, interpolationCount: 0)
    interpolation.appendLiteral(text)
    words = interpolation.words
  }

  /// A line that begins with the name of another program, with nothing before it.
  package init(shell line: SuggestedCommand) { (program, words) = (nil, line.words) }

  /// The words that it begins with before any option or value: `["connections", "activate"]`.
  package var path: [String] {
    words.prefix { $0.isLiteral && !$0.text.hasPrefix("-") }.map(\.text)
  }

  /// Whether it is written with this option.
  package func has(_ option: String) -> Bool {
    words.contains { $0.isLiteral && ($0.text == option || $0.text.hasPrefix(option + "=")) }
  }

  /// The command with options before its name and behind the first words of ``path``.
  package func with(_ global: [Option], _ own: [Option] = [], behind depth: Int = 0) -> SuggestedCommand {
    func words(_ options: [Option]) -> [Word] {
      options.flatMap { option in
        [Word(text: option.name, isLiteral: true, kind: .plain)]
          + (option.value.map { [Word(text: $0, isLiteral: false, kind: .plain)] } ?? [])
      }
    }
    var command = self
    command.words.insert(contentsOf: words(own), at: min(depth, self.words.count))
    command.words.insert(contentsOf: words(global), at: 0)
    return command
  }

  /// The lines of other programs, one after the other as long as they succeed.
  package static func all(_ lines: [SuggestedCommand]) -> SuggestedCommand {
    var line = SuggestedCommand(shell: "")
    line.words = Array(lines.map(\.words).joined(separator: [Word(text: "&&", isLiteral: true, kind: .plain)]))
    return line
  }

  // MARK: Text

  /// The line as it is pasted.
  package var text: String {
    var front: [String] = []
    var options: [String] = []
    var operands: [String] = []
    var endsOptions = false
    var rest = words[...]
    func add(_ text: String, isOption: Bool) {
      guard endsOptions else { return front.append(text) }
      if isOption { options.append(text) } else { operands.append(text) }
    }
    while let word = rest.popFirst() {
      if word.isLiteral, word.text.hasPrefix("-"), word.text.utf8.count > 1 {
        guard let value = rest.first, !value.isLiteral else {
          add(word.text, isOption: true)
          continue
        }
        rest.removeFirst()
        if value.kind == .path {
          add(word.text, isOption: true)
          add(Self.shown(Self.asPath(value.text)), isOption: true)
        } else if value.text.hasPrefix("-") {
          add("\(word.text)=\(Self.shown(value.text))", isOption: true)
        } else {
          add(word.text, isOption: true)
          add(Self.shown(value.text), isOption: true)
        }
      } else if word.isLiteral {
        add(word.text, isOption: false)
      } else if word.kind == .path {
        add(Self.shown(Self.asPath(word.text)), isOption: false)
      } else {
        if word.text.hasPrefix("-"), program != nil { endsOptions = true }
        add(Self.shown(word.text), isOption: false)
      }
    }
    let line = front + options + (endsOptions ? ["--"] + operands : [])
    return ((program.map { [$0] } ?? []) + line).joined(separator: " ")
  }

  private static func asPath(_ word: String) -> String { word.hasPrefix("-") ? "./" + word : word }

  /// A placeholder for a word that cannot be pasted.
  private static func shown(_ word: String) -> String { ShellWord.pastable(word) ?? "VALUE" }

  // MARK: Writing

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate(set) var words: [Word] = []
    /// Whether what comes next belongs to the last word.
    private var isOpen = false

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) {
      for character in literal {
        if character == " " {
          isOpen = false
        } else if isOpen {
          words[words.count - 1].text.append(character)
        } else {
          words.append(Word(text: String(character), isLiteral: true, kind: .plain))
          isOpen = true
        }
      }
    }

    private mutating func append(_ value: String, _ kind: Word.Kind) {
      if isOpen {
        words[words.count - 1].text += value
        words[words.count - 1].isLiteral = false
      } else {
        words.append(Word(text: value, isLiteral: false, kind: kind))
        isOpen = true
      }
    }

    package mutating func appendInterpolation(_ value: String) { append(value, .plain) }

    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      append(value.description, .plain)
    }

    /// A file or folder.
    package mutating func appendInterpolation(path: String) { append(path, .path) }

    /// A word for each.
    package mutating func appendInterpolation(each values: [String]) {
      for value in values {
        isOpen = false
        append(value, .plain)
      }
    }

    /// The words of a command of this program.
    package mutating func appendInterpolation(command: [String]) {
      words += command.map { Word(text: $0, isLiteral: true, kind: .plain) }
      isOpen = true
    }
  }
}
