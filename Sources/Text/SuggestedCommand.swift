/// A command to paste, as separate words: each value stays one argument, whatever it contains.
///
/// Write it like the command line itself, `"connections activate \(id)"`. Spaces in the literal part separate words.
/// An interpolated value is never split, and is quoted if a shell would interpret it. It is never parsed as an
/// option: after a literal option it is that option's value, and elsewhere it is an argument.
package struct SuggestedCommand: Sendable, Equatable, ExpressibleByStringInterpolation {
  /// An option to add to a command.
  package struct Option: Sendable, Equatable {
    /// The name, with its dashes.
    package var name: String
    /// The value; nil for a flag.
    package var value: String?
    package init(_ name: String, _ value: String? = nil) { (self.name, self.value) = (name, value) }
  }

  struct Word: Sendable, Equatable {
    var text: String
    /// Whether the whole word is a literal in the source code: a name, an option or a placeholder.
    var isLiteral: Bool
    var kind: Kind

    enum Kind: Sendable { case plain, path }
  }

  /// The program that the shell starts; nil for a command line of other programs, which includes their names.
  package private(set) var program: String? = "ifttt"
  private(set) var words: [Word]

  package init(stringInterpolation: StringInterpolation) { words = stringInterpolation.words }
  package init(stringLiteral text: String) {
    var interpolation = StringInterpolation(literalCapacity: text.utf8.count, interpolationCount: 0)
    interpolation.appendLiteral(text)
    words = interpolation.words
  }

  /// Creates a command line that starts with the name of another program.
  package init(shell line: SuggestedCommand) { (program, words) = (nil, line.words) }

  /// The leading words before any option or value: `["connections", "activate"]`.
  package var path: [String] {
    words.prefix { $0.isLiteral && !$0.text.hasPrefix("-") }.map(\.text)
  }

  /// Returns whether the command contains this option.
  package func has(_ option: String) -> Bool {
    words.contains { $0.isLiteral && ($0.text == option || $0.text.hasPrefix(option + "=")) }
  }

  /// Returns the command with global options at the front, and its own options after the first `depth` words of
  /// ``path``.
  package func with(_ global: [Option], _ own: [Option] = [], after depth: Int = 0) -> SuggestedCommand {
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

  /// Returns the command with each of its words changed.
  func mapped(_ change: (String) -> String) -> SuggestedCommand {
    var command = self
    for index in words.indices where !words[index].isLiteral { command.words[index].text = change(words[index].text) }
    return command
  }

  /// Returns command lines of other programs joined with `&&`.
  package static func all(_ lines: [SuggestedCommand]) -> SuggestedCommand {
    var line = SuggestedCommand(shell: "")
    line.words = Array(lines.map(\.words).joined(separator: [Word(text: "&&", isLiteral: true, kind: .plain)]))
    return line
  }

  // MARK: Text

  /// The command line to paste.
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

  /// Returns the word, or a placeholder if it cannot be pasted.
  private static func shown(_ word: String) -> String { ShellWord.pastable(word) ?? "VALUE" }

  // MARK: Interpolation

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate(set) var words: [Word] = []
    /// Whether the next text belongs to the last word.
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

    /// Appends a file or folder.
    package mutating func appendInterpolation(path: String) { append(path, .path) }

    /// Appends each value as a separate word.
    package mutating func appendInterpolation(each values: [String]) {
      for value in values {
        isOpen = false
        append(value, .plain)
      }
    }

    /// Appends a command line of this program as a user typed it.
    package mutating func appendInterpolation(typed line: [String]) {
      words += line.map { Word(text: $0, isLiteral: $0.hasPrefix("-"), kind: .plain) }
      isOpen = false
    }

    /// Appends the words of a command of this program.
    package mutating func appendInterpolation(command: [String]) {
      words += command.map { Word(text: $0, isLiteral: true, kind: .plain) }
      isOpen = true
    }
  }
}

/// Words for a POSIX shell, formatted so that they can be shown in a sentence and pasted.
package enum ShellWord {
  /// Returns the word, quoted if the shell would change it; nil if it cannot be pasted in any form.
  ///
  /// Text that a terminal would interpret, reorder or hide is written as a `printf` command, which every POSIX shell
  /// has. The shell expands it to the original word, byte by byte.
  package static func pastable(_ text: String) -> String? {
    guard text.utf8.count <= limit else { return nil }
    guard isReadable(text) else { return spelledOut(text) }
    return quoted(text)
  }

  /// Returns the word, quoted if necessary, for a file or a program. Some of its characters may not be visible to a
  /// person.
  package static func quoted(_ text: String) -> String {
    let isBare = !text.isEmpty && text.utf8.first != UInt8(ascii: "=") && text.utf8.allSatisfy { isSafe($0) }
    guard !isBare else { return text }
    var result = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'": result += #"'\''"#
      // fish interprets a backslash inside quotes; outside of them, all shells agree.
      case "\\": result += #"'\\'"#
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "'"
  }

  /// The maximum length of a word in a sentence, in bytes.
  private static let limit = 1000

  private static func isSafe(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "/._-+:@%,=".utf8.contains(byte)
  }

  /// Returns whether every display shows all of the text, in order and unchanged.
  private static func isReadable(_ text: String) -> Bool {
    // GitHub Actions interprets this prefix in a log.
    !text.includes("##[") && text.unicodeScalars.allSatisfy(isReadable)
  }

  private static func isReadable(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return 0x20...0x7e ~= scalar.value }
    let properties = scalar.properties
    if properties.isDefaultIgnorableCodePoint { return false }
    return switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator,
      .paragraphSeparator:
      false
    default: true
    }
  }

  /// Returns a `printf` command in which everything but letters, digits and a few symbols is a three-digit octal
  /// number. Every shell's `printf` accepts these.
  private static func spelledOut(_ text: String) -> String? {
    // An argument cannot contain NUL, and a shell removes the trailing newlines of a command substitution.
    guard !text.utf8.contains(0), text.utf8.last != UInt8(ascii: "\n") else { return nil }
    let octal = text.utf8.map { byte -> String in
      if isSafe(byte), byte != UInt8(ascii: "%") { return String(UnicodeScalar(byte)) }
      return #"\0"# + String(byte, width: 3, radix: 8)
    }
    return #""$(printf %b '\#(octal.joined())')""#
  }
}
