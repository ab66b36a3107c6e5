import Text

/// Reads an argument vector once, from left to right: finds the command, and separates options from operands.
///
/// It continues after the first error, so that `--help` is still found and the requested output format is known when
/// the error is reported.
struct Tokenizer<Action, Facts> {
  /// A page that was requested instead of running a command.
  enum RequestedPage: Equatable {
    case help(isFull: Bool)
    case version
  }

  let rawArguments: [RawArgument]
  private let root: CommandGroup<Action, Facts>
  /// The group in which the next name is looked up, or to which the command belongs.
  private(set) var group: CommandGroup<Action, Facts>
  private(set) var command: SelectedCommand<Action>?
  /// The indices of the arguments that name the command, including an unknown name.
  private(set) var nameIndices: [Int] = []
  /// The names found so far, without the program's name. An alias is replaced by the command's own path.
  private(set) var path: [String] = []
  private(set) var lookup: OptionLookup
  private(set) var globalUses: [Occurrence] = []
  private(set) var commandUses: [Occurrence] = []
  /// The indices of the operands.
  private(set) var operands: [Int] = []
  /// The index of the `--` that ends the options.
  private(set) var terminator: Int?
  private(set) var requestedPage: RequestedPage?
  /// Whether an unknown name was found instead of a command.
  private(set) var hasUnknownCommand = false
  private(set) var error: SyntaxError?

  init(_ rawArguments: [RawArgument], root: CommandGroup<Action, Facts>, globals: [OptionSchema]) {
    (self.rawArguments, self.root, group) = (rawArguments, root, root)
    lookup = OptionLookup(globals: globals)
    var index = 0
    while index < rawArguments.count {
      let argument = rawArguments[index]
      if terminator != nil || !argument.hasOptionForm {
        readOperand(at: index)
        index += 1
      } else if argument.isExactly("--") {
        terminator = index
        index += 1
      } else {
        index = argument.hasLongForm ? readLong(at: index) : readShort(at: index)
      }
    }
    if command == nil, !hasUnknownCommand, requestedPage == nil, let name = group.defaultCommand {
      open(group.child(named: RawArgument(name)))
    }
  }

  private mutating func readOperand(at index: Int) {
    guard command == nil, !hasUnknownCommand else { return operands.append(index) }
    if let child = group.child(named: rawArguments[index]) {
      nameIndices.append(index)
      open(child)
    } else if let alias = root.alias(path + [rawArguments[index].text]) {
      nameIndices.append(index)
      (path, group) = (Array(alias.path.dropLast()), alias.group)
      open(.command(alias.command))
    } else if rawArguments[index].isExactly("help") {
      requestedPage = requestedPage ?? .help(isFull: true)
    } else {
      nameIndices.append(index)
      hasUnknownCommand = true
      note(.unknownCommand(under: path), at: index, 0..<rawArguments[index].bytes.count)
    }
  }

  private mutating func open(_ node: CommandNode<Action, Facts>?) {
    guard let node else { return }
    path.append(node.name)
    switch node {
    case .group(let child): group = child
    case .command(let child):
      let opened = child.open()
      lookup.add(opened.options)
      command = opened
    }
  }

  /// Reads `--name`, `--name=value` or `--name value`, and returns the next index.
  private mutating func readLong(at index: Int) -> Int {
    let bytes = rawArguments[index].bytes
    let end = bytes.firstIndex(of: UInt8(ascii: "=")) ?? bytes.count
    guard let match = lookup.long(bytes[2..<end]) else {
      if command?.forwardsArguments == true {
        operands.append(index)
        return index + 1
      }
      note(.unknownOption(String(decoding: bytes[..<end], as: UTF8.self)), at: index, 0..<end)
      return index + 1
    }
    if match.schema.value == nil {
      if end < bytes.count {
        note(.unwantedValue(match.schema), at: index, end..<bytes.count)
      } else {
        record(match, nil, at: index, 0..<end)
      }
      return index + 1
    }
    if end < bytes.count {
      record(match, bytes[(end + 1)...], at: index, end + 1..<bytes.count)
      return index + 1
    }
    return readValue(of: match, after: index, 0..<end)
  }

  /// Reads `-a`, `-abc`, `-oVALUE` or `-o VALUE`, and returns the next index.
  private mutating func readShort(at index: Int) -> Int {
    let bytes = rawArguments[index].bytes
    if command?.forwardsArguments == true, !hasOnlyKnownLetters(bytes) {
      operands.append(index)
      return index + 1
    }
    for offset in 1..<bytes.count {
      guard let match = lookup.short(bytes[offset]) else {
        noteUnknownLetter(at: index, offset)
        return index + 1
      }
      if match.schema.value != nil {
        let rest = offset + 1..<bytes.count
        if rest.isEmpty { return readValue(of: match, after: index, offset..<offset + 1) }
        record(match, bytes[rest], at: index, rest)
        return index + 1
      }
      if offset + 1 < bytes.count, bytes[offset + 1] == UInt8(ascii: "=") {
        note(.unwantedValue(match.schema), at: index, offset + 1..<bytes.count)
        return index + 1
      }
      record(match, nil, at: index, offset..<offset + 1)
    }
    return index + 1
  }

  /// Whether each letter after one dash is a known option, up to the first that takes a value.
  private func hasOnlyKnownLetters(_ bytes: [UInt8]) -> Bool {
    for letter in bytes.dropFirst() {
      guard let match = lookup.short(letter) else { return false }
      if match.schema.value != nil { return true }
    }
    return true
  }

  /// Reads the next argument as the value, whatever it looks like, as getopt does. Otherwise the meaning of a value
  /// that begins with a dash would depend on the existing options.
  private mutating func readValue(of match: OptionLookup.Match, after index: Int, _ name: Range<Int>) -> Int {
    guard index + 1 < rawArguments.count else {
      note(.missingValue(match.schema), at: index, name)
      return index + 1
    }
    let bytes = rawArguments[index + 1].bytes
    record(match, bytes[...], at: index + 1, 0..<bytes.count)
    return index + 2
  }

  private mutating func record(
    _ match: OptionLookup.Match, _ value: ArraySlice<UInt8>?, at index: Int, _ range: Range<Int>
  ) {
    let source = ValueSource.commandLine(index: index, bytes: range)
    var given = ParsedValue(value: nil, isOn: match.isOn, source: source)
    if let value {
      switch RawArgument.text(of: value, as: match.schema.value) {
      case .success(let text): given.value = text
      case .failure(let problem): return note(SyntaxError(.option(match.schema), given, problem))
      }
    }
    switch match.scope {
    case .command: commandUses.append(Occurrence(index: match.index, given: given))
    case .global: globalUses.append(Occurrence(index: match.index, given: given))
    case .help: requestedPage = requestedPage ?? .help(isFull: rawArguments[index].hasLongForm)
    case .version: requestedPage = requestedPage ?? .version
    }
  }

  private mutating func noteUnknownLetter(at index: Int, _ offset: Int) {
    let rest = rawArguments[index].bytes[offset...]
    let letter = String(decoding: rest.prefix(32), as: UTF8.self).prefix(1)
    let end = min(rest.endIndex, offset + (letter == "\u{FFFD}" ? 1 : letter.utf8.count))
    note(.unknownOption("-\(letter)"), at: index, offset..<end)
  }

  private mutating func note(_ problem: SyntaxError.Problem, at index: Int, _ bytes: Range<Int>) {
    note(SyntaxError(problem, at: SyntaxError.Location(index: index, bytes: bytes)))
  }

  private mutating func note(_ new: SyntaxError) { error = error ?? new }
}

/// Finds the option with a name: an option of the command, a global option, `--help` or `--version`.
struct OptionLookup {
  /// The owner of an option.
  enum Scope: Equatable {
    case command, global, help, version
  }

  struct Match {
    let scope: Scope
    /// The index among the options of its scope.
    let index: Int
    let schema: OptionSchema
    /// False for the `--no-` form.
    let isOn: Bool
  }

  let globals: [OptionSchema]
  private(set) var command: [OptionSchema] = []
  /// The options by scope, in the order of lookup.
  private var scopes: [(Scope, [OptionSchema])]

  init(globals: [OptionSchema]) {
    self.globals = globals
    scopes = [(.global, globals), (.help, [.help]), (.version, [.version])]
  }

  /// Adds the options of the command that the command line names.
  mutating func add(_ command: [OptionSchema]) {
    self.command = command
    scopes.insert((.command, command), at: 0)
  }

  var all: [OptionSchema] { scopes.flatMap(\.1) }

  /// The option with a long name, given without dashes. Prefixes of a name are not accepted: a new option must not
  /// change the meaning of an old script.
  func long(_ name: ArraySlice<UInt8>) -> Match? {
    for (scope, options) in scopes {
      for (index, option) in options.enumerated() {
        if option.name.utf8.elementsEqual(name) {
          return Match(scope: scope, index: index, schema: option, isOn: true)
        }
        if option.isNegatable, name.starts(with: "no-".utf8), option.name.utf8.elementsEqual(name.dropFirst(3)) {
          return Match(scope: scope, index: index, schema: option, isOn: false)
        }
      }
    }
    return nil
  }

  func short(_ letter: UInt8) -> Match? {
    for (scope, options) in scopes {
      for (index, option) in options.enumerated() where option.short?.asciiValue == letter {
        return Match(scope: scope, index: index, schema: option, isOn: true)
      }
    }
    return nil
  }
}

extension OptionSchema {
  /// `-h` and `--help`, which every command accepts.
  package static let help = OptionSchema(
    name: "help", short: "h", help: "Show help: -h on one screen, --help in full")

  /// `-V` and `--version`, which every command accepts.
  package static let version = OptionSchema(name: "version", short: "V", help: "Show the version")
}

/// One argument of the argument vector, exactly as the system passed it. It may be invalid UTF-8.
package struct RawArgument: Sendable, Hashable {
  package let bytes: [UInt8]

  package init(_ text: String) { bytes = Array(text.utf8) }

  package init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// The text, with U+FFFD instead of invalid UTF-8.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The text of a part of an argument. A file name may have any bytes.
  static func text(of bytes: ArraySlice<UInt8>, as value: ValueSchema?) -> Result<String, ValueError> {
    switch value?.completion {
    case .file, .directory: bytes.contains(0) ? text(of: bytes) : .success(FileName.text(of: bytes))
    default: text(of: bytes)
    }
  }

  /// The text of a part of an argument, checked so that value kinds need not check the encoding.
  static func text(of bytes: ArraySlice<UInt8>) -> Result<String, ValueError> {
    let text = (bytes + [0]).withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { $0.baseAddress.flatMap { String(validatingCString: $0) } }
    }
    guard let text else { return .failure(ValueError("it is not valid UTF-8")) }
    // A NUL among the bytes has ended the text too early.
    guard text.utf8.count == bytes.count else { return .failure(ValueError("it contains a NUL byte")) }
    return .success(text)
  }

  func isExactly(_ text: String) -> Bool { text.utf8.elementsEqual(bytes) }

  /// Whether the argument begins with a dash and is not a dash alone.
  var hasOptionForm: Bool { bytes.count > 1 && bytes[0] == UInt8(ascii: "-") }

  /// Whether the argument begins with two dashes.
  var hasLongForm: Bool { hasOptionForm && bytes[1] == UInt8(ascii: "-") }
}
