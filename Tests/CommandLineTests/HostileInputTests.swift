import CommandLine
import Testing

/// Every option and argument with hostile values.
@Suite struct HostileInputTests {
  static let megabyte = String(repeating: "x", count: 1 << 20)

  /// A value, and whether options that accept any text accept it.
  static let values: [(name: String, bytes: [UInt8], isText: Bool)] = [
    ("empty", [], true), ("NUL", [0x61, 0, 0x62], false), ("a megabyte", Array(megabyte.utf8), true),
    ("invalid UTF-8", [0x61, 0xFF, 0xC3], false), ("a dash first", Array("-x".utf8), true),
    ("a newline", Array("a\nb".utf8), true), ("only dashes", Array("--".utf8), true),
    ("an escape", Array("\u{1B}[31m".utf8), true), ("a surrogate", [0xED, 0xA0, 0x80], false),
  ]

  static let commands: [[String]] = [
    ["connections", "list"], ["connections", "show", "a"], ["connections", "run", "1", "log"],
    ["connections", "fields", "a", "b"], ["token", "exchange"], ["help"],
  ]

  @Test func everyOptionHandlesHostileValues() throws {
    for command in Self.commands {
      let page = try #require(Sample.parser.page(at: Array(command.prefix(command[0] == "help" ? 1 : 2))))
      for option in page.options + Sample.parser.globalOptions {
        for value in Self.values {
          var spellings = [[RawArgument(bytes: Array("--\(option.name)=".utf8) + value.bytes)]]
          if option.value != nil {
            spellings.append([RawArgument("--\(option.name)"), RawArgument(bytes: value.bytes)])
          }
          if let short = option.short { spellings.append([RawArgument(bytes: Array("-\(short)".utf8) + value.bytes)]) }
          for spelling in spellings { try check(command.map { RawArgument($0) } + spelling, option, value) }
        }
      }
    }
  }

  private func check(
    _ words: [RawArgument], _ option: OptionSchema, _ value: (name: String, bytes: [UInt8], isText: Bool)
  )
    throws
  {
    switch Sample.read(words).outcome {
    case .run:
      // The name of a file may have any bytes.
      let isFile = option.value?.completion == .file
      #expect(
        value.isText || isFile || option.value == nil && value.bytes.isEmpty, "\(option.name) accepted \(value.name)")
    case .usage(let error): try Self.checkShape(error)
    case .help, .version: #expect(option.value == nil, "\(option.name) with \(value.name) showed a page")
    }
  }

  /// Checks that an error is short, contains no control characters, and has its carets within the line.
  static func checkShape(_ error: UsageError, sourceLocation: SourceLocation = #_sourceLocation) throws {
    for line in error.lines {
      #expect(line.utf8.count < 1000, sourceLocation: sourceLocation)
      let isPrintable = line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
      #expect(isPrintable, "\(error.lines)", sourceLocation: sourceLocation)
    }
    #expect(
      !error.message.isEmpty && error.lines.last?.hasPrefix("Run 'ifttt ") == true, sourceLocation: sourceLocation)
    #expect(error.suggestions.count <= 3, sourceLocation: sourceLocation)
    if let line = error.line, let caret = error.caret {
      #expect(line.utf8.count < 600 && !caret.isEmpty && caret.lowerBound > 5, sourceLocation: sourceLocation)
    }
  }

  @Test func everyArgumentHandlesHostileValues() throws {
    for command in Self.commands + [["connections"], []] {
      for value in Self.values {
        switch Sample.read(command.map { RawArgument($0) } + [RawArgument("--"), RawArgument(bytes: value.bytes)])
          .outcome
        {
        case .run: #expect(value.isText || command.contains("fields"), "\(command) accepted \(value.name)")
        case .usage(let error): try Self.checkShape(error)
        case .help, .version: Issue.record("\(command) with \(value.name) showed a page")
        }
      }
    }
  }

  @Test func everyVariableHandlesHostileValues() throws {
    for variable in ["IFTTT_PROFILE", "IFTTT_OUTPUT", "IFTTT_RETRIES", "IFTTT_NO_PLUGINS", "IFTTT_WAIT"] {
      for value in Self.values where value.isText {
        let text = String(decoding: value.bytes, as: UTF8.self)
        switch Sample.read(["connections", "list"].map { RawArgument($0) }, [variable: text]).outcome {
        case .run: #expect(text.isEmpty || variable == "IFTTT_PROFILE")
        case .usage(let error):
          try Self.checkShape(error)
          #expect(error.message.contains(variable) && error.line == nil)
        case .help, .version: Issue.record("unexpected page")
        }
      }
    }
  }

  @Test func invalidTextIsReported() throws {
    let invalid = try Sample.error([
      RawArgument("connections"), RawArgument("list"), RawArgument(bytes: Array("--set=a".utf8) + [0xFF, 0x62]),
    ])
    #expect(invalid.message == #"invalid value 'a\xffb' for '--set': it is not valid UTF-8"#)
    #expect(invalid.line == #"ifttt connections list $'--set=a\xffb'"#)
    #expect(invalid.caret == 31..<37)
    let nul = try Sample.error([RawArgument("connections"), RawArgument("show"), RawArgument("a\0b")])
    #expect(nul.message == #"invalid value 'a\x00b' for 'ID': it contains a NUL byte"#)
    let letter = try Sample.error([
      RawArgument("connections"), RawArgument("list"), RawArgument(bytes: [0x2D, 0xFF, 0xFE]),
    ])
    #expect(letter.caret == 26..<30)
    let accent = try Sample.error([RawArgument("connections"), RawArgument("list"), RawArgument("-日x")])
    #expect(accent.message == "unknown option '-日'")
    #expect(accent.caret == 24..<26)
    #expect(
      try Sample.error([
        RawArgument("connections"), RawArgument("run"), RawArgument("1"), RawArgument(bytes: [0xFF]), RawArgument("x"),
      ]).kind
        == .invalidValue)
    #expect(
      try Sample.error([RawArgument("connections"), RawArgument("list"), RawArgument("x"), RawArgument(bytes: [0xFF])])
        .kind == .unexpectedArgument)
    #expect(
      try Sample.error([RawArgument("connections"), RawArgument("run"), RawArgument(bytes: [0xFF])]).kind
        == .invalidValue)
  }
}
