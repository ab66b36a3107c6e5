import JSON
import Output
import Support
import Testing

@Suite struct JSONOutputTests {
  let rows = [#"{"id":"a","n":1}"#, #"{"id":"b","n":null}"#]

  @Test func listInAPipeIsOneObjectPerLine() throws {
    #expect(
      try rendered(rows, Presentation(format: .json)) == """
        [
        {"id":"a","n":1},
        {"id":"b","n":null}
        ]

        """)
    #expect(try rendered([], Presentation(format: .json)) == "[]\n")
    #expect(try rendered([rows[0]], shape: .single, Presentation(format: .json)) == #"{"id":"a","n":1}"# + "\n")
    #expect(
      try rendered(rows, Presentation(format: .jsonl)) == #"{"id":"a","n":1}"# + "\n" + #"{"id":"b","n":null}"# + "\n")
    #expect(try rendered([], Presentation(format: .jsonl)) == "")
  }

  @Test func terminalOutputIsIndented() throws {
    let row = #"{"id":"a","o":{},"l":[],"s":[1,{"x":"y: {[,"}]}"#
    #expect(
      try rendered([row], Presentation(format: .json, isTerminal: true)) == """
        [
          {
            "id": "a",
            "o": {},
            "l": [],
            "s": [
              1,
              {
                "x": "y: {[,"
              }
            ]
          }
        ]

        """)
    #expect(
      try rendered([#"{"id":"a"}"#], shape: .single, Presentation(format: .json, isTerminal: true)) == """
        {
          "id": "a"
        }

        """)
    #expect(try rendered([], Presentation(format: .json, isTerminal: true)) == "[]\n")
  }

  @Test func terminalHazardsAreEscaped() throws {
    let row = #"{"id":"\#u{1b}\#u{9b}2J\#u{202e}\#u{e0041}é\u001b"}"#
    for format in [Format.json, .jsonl] {
      let text = try rendered([row], shape: .single, Presentation(format: format, isTerminal: true))
      #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !TerminalText.isHazard($0) })
      #expect(try JSONValue(parsing: Array(text.utf8))["id"] == "\u{1b}\u{9b}2J\u{202e}\u{e0041}é\u{1b}")
    }
    #expect(try rendered([row], Presentation(format: .jsonl)) == row + "\n")
  }

  @Test func indentedOutputIsEquivalent() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<300 {
      let values = (0..<3).map { _ in JSONValue.object(generator.object()) }
      let text = try rendered(values.map(\.text), Presentation(format: .json, isTerminal: true))
      #expect(try JSONValue(parsing: Array(text.utf8)) == .array(values))
    }
  }

  @Test(arguments: Format.allCases) func errorBeforeFirstRowPrintsNothing(
    format: Format
  ) {
    var written: [UInt8] = []
    let renderer = Renderer(Presentation(format: format)) { written.append(contentsOf: $0) }
    #expect(throws: Broken()) { try renderer.render(failing(after: [], Broken()), columns: [Column("ID", "id")]) }
    #expect(written.isEmpty)
  }

  @Test(arguments: [false, true]) func errorAfterARowLeavesAValidDocument(isTerminal: Bool) throws {
    for count in 1...2 {
      var written: [UInt8] = []
      let renderer = Renderer(Presentation(format: .json, isTerminal: isTerminal)) { written.append(contentsOf: $0) }
      #expect(throws: Broken()) {
        try renderer.render(failing(after: Array(rows.prefix(count)), Broken()), columns: [])
      }
      #expect(try JSONValue(parsing: written).array?.count == count)
      #expect(written.last == UInt8(ascii: "\n"))
    }
  }

  @Test func invalidRowLeavesAValidDocument() throws {
    for bad in ["[1]", #"{"id":"b","#, "", #"{"id" 1}"#] {
      var written: [UInt8] = []
      let renderer = Renderer(Presentation(format: .json, fields: ["id", "n"])) { written.append(contentsOf: $0) }
      #expect(throws: JSONError.self) { try renderer.render(stream([rows[0], bad]), columns: []) }
      #expect(try JSONValue(parsing: written) == [["id": "a", "n": 1]])
    }
  }

  @Test func linesAreFlushedOneByOneUnlessAllAreInMemory() throws {
    for flushes in [true, false] {
      var writes: [String] = []
      let renderer = Renderer(Presentation(format: .jsonl)) { writes.append(String(decoding: $0, as: UTF8.self)) }
      let count = try renderer.render(
        Rows(isReiterable: !flushes) { body in
          try Array(rows[0].utf8).withUnsafeBytes(body)
          #expect(writes == (flushes ? [rows[0] + "\n"] : []))
          try Array(rows[1].utf8).withUnsafeBytes(body)
        }, columns: [])
      #expect(writes.count == (flushes ? 2 : 1))
      #expect(count == 2)
    }
  }

  @Test(arguments: Format.allCases) func longWritesHaveTheRequestedSize(format: Format) throws {
    let many = (0..<3000).map { connection("id\($0)", "Nachtlicht an, dann aus") }
    var (whole, parts, calls): ([UInt8], [[UInt8]], Int) = ([], [], 0)
    try Renderer(Presentation(format: format)) { whole.append(contentsOf: $0) }
      .render(stream(many), columns: connectionColumns)
    func size() -> Int {
      calls += 1
      return 40_960
    }
    try Renderer(Presentation(format: format), sizeOfLongWrites: size) { parts.append(Array($0)) }
      .render(stream(many), columns: connectionColumns)
    #expect(parts.dropLast().allSatisfy { $0.count == 40_960 })
    #expect(parts.count > 1 && Array(parts.joined()) == whole)
    #expect(calls == 1)
    try Renderer(Presentation(format: format), sizeOfLongWrites: size) { _ in }
      .render(stream(Array(many.prefix(3))), columns: connectionColumns)
    #expect(calls == 1, "short output")
  }

  /// However large the output, each write ends with a line, and memory is bounded by the buffer.
  @Test(arguments: Format.allCases) func writesAreWholeLines(format: Format) throws {
    let many = (0..<3000).map { connection("id\($0)", "Nachtlicht an, dann aus") }
    var sizes: [Int] = []
    let renderer = Renderer(Presentation(format: format)) {
      #expect($0.last == UInt8(ascii: "\n"))
      sizes.append($0.count)
    }
    #expect(try renderer.render(stream(many), columns: connectionColumns) == 3000)
    #expect(sizes.count > 1)
    #expect((sizes.max() ?? 0) < 66_000)
  }

  @Test(arguments: Format.allCases) func failedWriteIsNotRetried(format: Format) {
    var writes = 0
    let renderer = Renderer(Presentation(format: format)) { _ in
      writes += 1
      throw Broken()
    }
    #expect(throws: Broken()) { try renderer.render(stream(rows), columns: connectionColumns) }
    #expect(writes == 1)
  }
}
