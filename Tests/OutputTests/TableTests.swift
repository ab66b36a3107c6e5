import Output
import Support
import Testing
import Text

@Suite struct TableTests {
  let rows = [
    connection("a1B2c3D4", "Log rain", services: ["Weather", "Sheets"]),
    connection("b", "日本語の通知", status: "disabled", count: 7),
    connection("c9", "Lights \u{1b}[5m off", status: "never_enabled", services: [], count: 1000, pending: true),
  ]

  @Test func isCompleteAndPlainInAPipe() throws {
    let text = try rendered(rows, columns: connectionColumns, Presentation())
    #expect(
      text == """
        ID        NAME                  STATUS                   SERVICES         USERS
        a1B2c3D4  Log rain              enabled                  Weather, Sheets     12
        b         日本語の通知          disabled                 Weather              7
        c9        Lights \\u{1b}[5m off  never_enabled (pending)                    1000

        """)
  }

  /// Only in a table for people; other formats contain the exact number.
  @Test(arguments: [
    ("349.2418372528667", "349.2"), ("220.5", "220.5"), ("300", "300"), ("299.99", "300"), ("0.01", "0.01"), ("0", "0"),
    ("1e3", "1000"), ("1e99", "1e99"), ("null", ""), (#""many""#, "many"),
  ])
  func measuresHaveOneDecimal(number: String, shown: String) throws {
    let columns = [Column("id", "id"), Column("radius", "radius", style: .measure)]
    let row = #"{"id":"a","radius":\#(number)}"#
    let text = try rendered([row], columns: columns, Presentation(header: false))
    #expect(text.split(separator: " ").last?.dropLast() ?? "" == shown || shown.isEmpty && text == "a\n")
    let csv = try rendered([row], columns: columns, Presentation(format: .csv, header: false))
    #expect(csv == "a,\(number == "null" ? "" : number.replacing("\"", with: ""))\n")
  }

  /// Only in a table, where the date is the same in each row.
  @Test(arguments: [
    (#""2026-03-04T05:10:07Z""#, "05:10:07Z"), (#""yesterday""#, "yesterday"), (#""T""#, ""), ("null", ""),
  ])
  func timesOfDayHaveNoDate(time: String, shown: String) throws {
    let columns = [Column("at", "at", style: .timeOfDay), Column("id", "id")]
    let row = #"{"at":\#(time),"id":"a"}"#
    let text = try rendered([row], columns: columns, Presentation(header: false))
    #expect(text.split(separator: " ").first ?? "" == (shown.isEmpty ? "a\n" : shown), "\(text)")
    let csv = try rendered([row], columns: columns, Presentation(format: .csv, header: false))
    #expect(csv == "\(time == "null" ? "" : time.replacing("\"", with: "")),a\n")
  }

  @Test func withoutAHeaderOrRows() throws {
    #expect(
      try rendered([rows[0]], columns: connectionColumns, Presentation(header: false))
        == "a1B2c3D4  Log rain  enabled  Weather, Sheets  12\n")
    #expect(try rendered([], columns: connectionColumns, Presentation()) == "")
  }

  @Test func fitsATerminal() throws {
    let text = try rendered(rows, columns: connectionColumns, Presentation(width: 60, isTerminal: true))
    #expect(
      text == """
        ID        NAME           STATUS         SERVICES       USERS
        a1B2c3D4  Log rain       enabled        Weather, She…     12
        b         日本語の通知   disabled       Weather            7
        c9        Lights \\u{1b…  never_enable…                  1000

        """)
  }

  @Test func colorsStatusButNotPadding() throws {
    #expect(
      try rendered(
        [rows[0], rows[1]], columns: Array(connectionColumns.prefix(4)), Presentation(color: true, isTerminal: true))
        == "\u{1b}[1mID\u{1b}[0m        \u{1b}[1mNAME\u{1b}[0m          \u{1b}[1mSTATUS\u{1b}[0m    \u{1b}[1mSERVICES\u{1b}[0m\n"
        + "a1B2c3D4  Log rain      \u{1b}[32menabled\u{1b}[0m   \u{1b}[2mWeather, Sheets\u{1b}[0m\n"
        + "b         日本語の通知  \u{1b}[33mdisabled\u{1b}[0m  \u{1b}[2mWeather\u{1b}[0m\n")
  }

  @Test func isolatesRightToLeftTextOnATerminal() throws {
    let row = connection("a", "שלום")
    let columns = Array(connectionColumns.prefix(3))
    #expect(
      try rendered([row], columns: columns, Presentation(header: false, isTerminal: true))
        == "a  \u{2068}שלום\u{2069}  enabled\n")
    #expect(try rendered([row], columns: columns, Presentation(header: false)) == "a  שלום  enabled\n")
  }

  @Test func showsSelectedFields() throws {
    #expect(
      try rendered(
        rows, columns: connectionColumns, Presentation(fields: ["services.name", "enabled_count", "services.id"]))
          == """
          SERVICES.NAME    ENABLED_COUNT  SERVICES.ID
          Weather, Sheets             12  x, x
          Weather                      7  x
                                    1000

          """)
  }

  /// Whatever the text, all cells are aligned with their titles, no line ends in a space, and none is wider than the
  /// terminal.
  @Test(arguments: [nil, 120, 70, 45] as [Int?]) func alignsAnyText(width: Int?) throws {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<150 {
      // A bar, which no generated text contains, marks the start of the last column.
      let rows = (0..<5).map {
        "{\"name\":\(quoted(generator.text())),\"note\":\(quoted(generator.text(upTo: 3))),\"end\":\"|\($0)\"}"
      }
      let columns = [Column("name", "name"), Column("note", "note"), Column("end", "end", overflow: .keep)]
      let text = try rendered(rows, columns: columns, Presentation(header: false, width: width, isTerminal: true))
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      #expect(lines.count == 5)
      let starts = Set(lines.compactMap { line in line.lastIndex(of: "|").map { TextWidth.of(String(line[..<$0])) } })
      #expect(starts.count == 1, "\(text)")
      for line in lines {
        #expect(line.last != " ")
        #expect(TextWidth.of(String(line)) <= width ?? .max)
        #expect(line.unicodeScalars.allSatisfy { [0x2068, 0x2069].contains($0.value) || !TerminalText.isHazard($0) })
      }
    }
  }

  /// The padding is correct according to the widths of an independent implementation.
  @Test func paddingMatchesIndependentWidths() throws {
    let samples = try WidthSamples.all().filter {
      $0.text.last != " " && TerminalText.escaped($0.text) == $0.text
    }
    #expect(samples.count > 1500)
    let widest = samples.map(\.width).max() ?? 0
    let rows = samples.map { "{\"a\":\(quoted($0.text)),\"b\":1}" }
    let text = try rendered(rows, columns: [Column("a", "a"), Column("b", "b")], Presentation(header: false))
    for (line, sample) in zip(text.split(separator: "\n"), samples) {
      #expect(line == sample.text + String(repeating: " ", count: widest - sample.width + 2) + "1")
    }
  }

  /// A table too large to be buffered is read twice and looks the same.
  @Test func largeTableIsReadTwice() throws {
    let long = String(repeating: "x", count: 20_000)
    let rows = (0..<600).map { connection("id\($0)", $0 == 3 ? "日本" + long : long) }
    var passes = 0
    var twice: [UInt8] = []
    try Renderer(Presentation(width: 80)) { twice.append(contentsOf: $0) }.render(
      Rows(isReiterable: true) { body in
        passes += 1
        try stream(rows).forEach(body)
      }, columns: connectionColumns)
    #expect(passes == 2)
    let once = try rendered(rows, columns: connectionColumns, isReiterable: false, Presentation(width: 80))
    #expect(String(decoding: twice, as: UTF8.self) == once)
    #expect(once.utf8.count < 600 * 84)
  }

  @Test func unreadableRowIsSkipped() throws {
    var written: [UInt8] = []
    var rejected = 0
    try Renderer(Presentation(header: false)) { written.append(contentsOf: $0) }.render(
      Rows(isReiterable: false) { body in
        try Array(connection("a", "x").utf8).withUnsafeBytes(body)
        do { try Array(#"{"id":"b","name":["#.utf8).withUnsafeBytes(body) } catch { rejected += 1 }
        try Array(connection("c", "y").utf8).withUnsafeBytes(body)
      }, columns: Array(connectionColumns.prefix(3)))
    #expect(rejected == 1)
    #expect(String(decoding: written, as: UTF8.self) == "a  x  enabled\nc  y  enabled\n")
  }
}
