import JSON
import Output
import Support
import Testing
import Text

@Suite struct CardTests {
  let row = connection("a1", "Log rain", services: ["Weather", "Sheets"])

  func card(_ value: JSONValue) -> Card {
    Card(
      title: value["name"]?.string,
      items: [
        .line(label: "ID", value: value["id"]?.string ?? ""),
        .line(label: "Status", value: "enabled", tone: Tone(status: "enabled")),
        .line(
          label: "Description", value: "When it rains, a row is added to a sheet.\nNothing else \u{1b}[2J happens. "),
        .line(label: "Owner with a long name", value: ""),
        .line(label: "Note", value: "", keepsEmpty: true),
        .section(
          title: "Features",
          items: [.text("Add row"), .line(label: "Day", value: "日曜日"), .line(label: "日", value: "x")]),
      ])
  }

  func cards(_ rows: [String], _ presentation: Presentation) throws -> String {
    var written: [UInt8] = []
    try Renderer(presentation) { written.append(contentsOf: $0) }.render(
      Rows(rows.map { Array($0.utf8) }), columns: [], card: card)
    return String(decoding: written, as: UTF8.self)
  }

  @Test func alignsLabelsWithinASection() throws {
    #expect(
      try cards([row], Presentation()) == """
        Log rain
        ID:           a1
        Status:       enabled
        Description:  When it rains, a row is added to a sheet.
                      Nothing else \\u{1b}[2J happens.
        Note:
        Features
          Add row
          Day:  日曜日
          日:   x

        """)
  }

  @Test func wrapsToATerminal() throws {
    let text = try cards([row, row], Presentation(width: 40, isTerminal: true))
    #expect(
      text.hasPrefix(
        """
        Log rain
        ID:           a1
        Status:       enabled
        Description:  When it rains, a row is
                      added to a sheet.
                      Nothing else \\u{1b}[2J
                      happens.
        Note:
        """))
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).filter(\.isEmpty).count == 2)
  }

  /// An empty value says nothing, unless the user selected the field or its absence matters.
  @Test func emptyValuesAreOmittedOrReplaced() throws {
    func field(_ name: String) throws -> FieldPath { try FieldPath(parsing: name) }
    var credentials = Column("Credentials", try field("credentials"))
    credentials.absence = "none"
    let columns = [Column("Name", try field("name")), Column("Problem", try field("problem")), credentials]
    let row = #"{"name":"work","problem":null,"credentials":[]}"#
    func printed(_ presentation: Presentation) throws -> String {
      var written: [UInt8] = []
      try Renderer(presentation) { written.append(contentsOf: $0) }.render(
        Rows([Array(row.utf8)]), columns: columns, shape: .single)
      return String(decoding: written, as: UTF8.self)
    }
    #expect(try printed(Presentation()) == "NAME:         work\nCREDENTIALS:  none\n")
    let selection = [try field("problem"), try field("credentials")]
    #expect(try printed(Presentation(fields: selection)) == "PROBLEM:\nCREDENTIALS:\n")
  }

  /// A server chooses the names, and could make them look like the lines below them.
  @Test(arguments: ["\n", "\r\n", "\r", "\u{85}", "\u{2028}", String(repeating: " ", count: 40)])
  func namesCannotForgeLines(_ gap: String) throws {
    let name = "Lamp\(gap)Status:  enabled"
    let card = Card(
      title: name,
      items: [
        .line(label: "Status", value: "disabled"), .section(title: name, items: [.text(name)]),
        .line(label: name, value: name),
      ])
    var written: [UInt8] = []
    try Renderer(Presentation(width: 40)) { written.append(contentsOf: $0) }.render(
      Rows([Array("{}".utf8)]), columns: []
    ) { _ in card }
    let lines = String(decoding: written, as: UTF8.self).split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("Status:") }.count == 1)
    #expect(lines.filter { $0.hasPrefix("  Status:") }.isEmpty)
    // The terminal does not wrap a line either.
    #expect(lines.allSatisfy { TextWidth.of(String($0)) <= 60 })
  }

  @Test func linesFitTerminalAndLoseNothing() throws {
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<300 {
      let value = generator.text(upTo: 20)
      let row = JSONValue.object(["id": .string(value)]).text
      var written: [UInt8] = []
      let width = Int.random(in: 30...60, using: &generator)
      try Renderer(Presentation(width: width)) { written.append(contentsOf: $0) }.render(stream([row]), columns: []) {
        Card(items: [.line(label: "id", value: $0["id"]?.string ?? "")])
      }
      let lines = String(decoding: written, as: UTF8.self).split(separator: "\n")
      for line in lines {
        #expect(TextWidth.of(String(line)) <= width)
        #expect(line.last != " ")
      }
      let shown = lines.joined().filter { $0 != " " }
      let expected = value.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }).map(TerminalText.escaped)
      // A card omits an empty value.
      #expect(shown == (value.isEmpty ? "" : "id:" + expected.joined().filter { $0 != " " }))
    }
  }

  @Test func fieldsOfOneObjectAreACard() throws {
    let presentation = Presentation(fields: ["name", "services.name", "status"], color: true)
    #expect(
      try rendered([row], columns: connectionColumns, shape: .single, presentation) == """
        \u{1b}[2mNAME:\u{1b}[0m           Log rain
        \u{1b}[2mSERVICES.NAME:\u{1b}[0m  \u{1b}[2mWeather, Sheets\u{1b}[0m
        \u{1b}[2mSTATUS:\u{1b}[0m         \u{1b}[32menabled\u{1b}[0m

        """)
  }
}
