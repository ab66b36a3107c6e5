import Foundation
import JSON
import Support
import Testing

@testable import Output

@Suite struct RowSelectionTests {
  /// The numbers `n` of the rows that a selection prints.
  private func selected(
    _ rows: [String], search: String? = nil, sort: [String] = [], limit: Int? = nil, isReiterable: Bool = true
  ) throws -> [Int] {
    let selection = RowSelection(search: search, order: try sort.map(SortField.init(parsing:)), limit: limit)
    var numbers: [Int] = []
    try selection.rows(of: stream(rows, isReiterable: isReiterable), counts: RowCounts()).forEach { row in
      numbers.append(try #require(try JSONValue(parsing: Array(row))["n"]?.int))
    }
    return numbers
  }

  private func numbered(_ values: [String]) -> [String] {
    values.enumerated().map { #"{"n":\#($0),"v":\#($1),"w":"\#($0 % 2 == 0 ? "even" : "odd")"}"# }
  }

  // MARK: Search

  @Test(arguments: [
    ("rain", [0, 1]), ("RAIN", [0, 1]), ("été", [2]), ("ÉTÉ", [2]), ("quo\"te", [3]), ("12.5", [4]), ("true", [5]),
    ("null", [6]), ("deep", [7]), ("key", []), ("\u{1f600}", [8]), ("inx", []),
  ])
  func findsTextInTheValuesOfAnyField(text: String, expected: [Int]) throws {
    let rows = [
      #"{"n":0,"key":"Log rain"}"#, #"{"n":1,"key":["x",{"key":"RAINY"}]}"#, #"{"n":2,"key":"Un été"}"#,
      #"{"n":3,"key":"quo\"te"}"#, #"{"n":4,"key":12.5}"#, #"{"n":5,"key":true}"#, #"{"n":6,"key":"null","x":null}"#,
      #"{"n":7,"key":{"a":{"b":[[["Deep"]]]}}}"#, #"{"n":8,"key":"\ud83d\ude00"}"#, #"{"n":9,"key":null}"#,
    ]
    #expect(try selected(rows, search: text) == expected)
  }

  /// The search in bytes agrees with a search in parsed values.
  @Test func agreesWithParsedValues() throws {
    func has(_ value: JSONValue, _ text: String) -> Bool {
      switch value {
      case .null: false
      case .bool(let bool): "\(bool)".contains(text)
      case .number(let number): number.text.lowercased().contains(text)
      case .string(let string): string.lowercased().utf8.contains(sequence: text.utf8)
      case .array(let elements): elements.contains { has($0, text) }
      case .object(let object): object.members.contains { has($0.value, text) }
      }
    }
    var generator = SeededGenerator(seed: 5)
    var found = 0
    for _ in 0..<2000 {
      let row = JSONValue.object(generator.object(depth: 4))
      for text in ["a", "1", "名", "e", "\"", "\\"] {
        let matches = try row.bytes.withUnsafeBytes { try RowSearch(text).matches($0) }
        #expect(matches == has(row, text), "\(text) in \(row.text)")
        found += matches ? 1 : 0
      }
    }
    #expect(found > 100 && found < 11_900)
  }

  @Test func damagedRowsAreReported() {
    for row in ["[]", #"{"a""#, #"{"a":[1"#, #"{"a":"x"#] {
      #expect(throws: JSONError.self, "\(row)") { try selected([row], search: "zz") }
    }
  }

  // MARK: Sort

  @Test func sortsNumbersAsNumbersAndNullLast() throws {
    let rows = numbered(["10", "9", "null", "-1.5", "1e1", "9007199254740993", "9007199254740992"])
    #expect(try selected(rows, sort: ["v"]) == [3, 1, 0, 4, 6, 5, 2])
    #expect(try selected(rows, sort: ["-v"]) == [5, 6, 0, 4, 1, 3, 2])
  }

  @Test func sortsTextByScalarsInAnyCaseAndKeepsTheOrderOfEqualTexts() throws {
    let rows = numbered([#""b""#, #""A""#, #""a""#, #""É""#, #""z""#, #""B""#, #""\ud83d\ude00""#, #""""#])
    #expect(try selected(rows, sort: ["v"]) == [7, 1, 2, 0, 5, 4, 3, 6])
    #expect(try selected(rows, sort: ["-v"]) == [6, 3, 4, 0, 5, 1, 2, 7])
  }

  @Test func sortsTypesAndNestedValues() throws {
    let rows = numbered([#"{"a":2}"#, "true", #""x""#, "[1]", "false", "3", "null", #"{"a":1}"#])
    #expect(try selected(rows, sort: ["v"]) == [5, 4, 1, 2, 3, 7, 0, 6])
    #expect(try selected(rows, sort: ["v.a"]) == [7, 0, 3, 1, 2, 4, 5, 6])
    #expect(try selected(rows, sort: ["missing"]) == Array(0..<8))
  }

  @Test func sortsByTheNextFieldIfTheFirstIsEqual() throws {
    let rows = numbered(["1", "2", "1", "2", "1"])
    #expect(try selected(rows, sort: ["v", "-n"]) == [4, 2, 0, 3, 1])
    #expect(try selected(rows, sort: ["-w", "v"]) == [1, 3, 0, 2, 4])
  }

  /// A sorted list with a limit begins like the whole sorted list, although most rows were dropped on the way.
  @Test(arguments: [["v"], ["-v"], ["w", "-v"], ["-n"]])
  func aLimitKeepsTheFirstOfTheSortedRows(sort: [String]) throws {
    var random = SeededGenerator(seed: 9)
    let rows = numbered((0..<5000).map { _ in String(Int.random(in: 0..<700, using: &random)) })
    let all = try selected(rows, sort: sort)
    #expect(all.count == rows.count)
    for limit in [0, 1, 7, 511, 512, 513, 5000, Int.max] {
      #expect(try selected(rows, sort: sort, limit: limit) == Array(all.prefix(limit)), "\(limit)")
    }
  }

  @Test func sortedRowsKeepOnlyAsManyAsAreNeeded() throws {
    var sorted = SortedRows(by: [try SortField(parsing: "-n")], limit: 10)
    var most = 0
    for number in 0..<100_000 {
      try Array(#"{"n":\#(number)}"#.utf8).withUnsafeBytes { try sorted.add($0) }
      most = max(most, sorted.rows.count)
    }
    sorted.finish()
    #expect(most < 1100 && sorted.rows.count == 10 && sorted.total == 100_000)
    #expect(sorted.rows.first?.json == Array(#"{"n":99999}"#.utf8))
  }

  /// Rows that arrived before an error are printed in order, and the error follows once.
  @Test func anErrorComesAfterTheSortedRows() throws {
    let selection = RowSelection(order: [try SortField(parsing: "-n")])
    let rows = selection.rows(of: failing(after: numbered(["1", "2"]), Broken()), counts: RowCounts())
    var printed: [String] = []
    #expect(throws: Broken.self) { try rows.forEach { printed.append(String(decoding: $0, as: UTF8.self)) } }
    #expect(printed == numbered(["1", "2"]).reversed())
    try rows.forEach { _ in }
  }

  @Test(arguments: ["", "-", "a..b", "-.a"]) func rejectsEmptyNames(text: String) {
    #expect(throws: FieldsError.malformed(text.hasPrefix("-") ? String(text.dropFirst()) : text)) {
      try SortField(parsing: text)
    }
  }

  // MARK: Limit

  /// The reading ends with the last row that is printed, so an endless list ends too.
  @Test(arguments: [(nil, 0, 0), (nil, 3, 3), ("odd", 3, 6)] as [(String?, Int, Int)])
  func aLimitEndsTheReading(search: String?, limit: Int, read: Int) throws {
    var (count, ended) = (0, false)
    let endless = Rows(isReiterable: false) { body in
      defer { ended = true }
      while true {
        count += 1
        try Array(#"{"n":\#(count),"w":"\#(count % 2 == 0 ? "odd" : "even")"}"#.utf8).withUnsafeBytes(body)
      }
    }
    var shown = 0
    let counts = RowCounts()
    try RowSelection(search: search, limit: limit).rows(of: endless, counts: counts).forEach { _ in shown += 1 }
    #expect(count == read && shown == limit && ended == (limit > 0))
    #expect(counts.shown == limit && counts.total == nil)
  }

  /// A list that reports its remaining rows after an error prints none of them.
  @Test func rowsAfterTheLimitAreNotPrinted() throws {
    let stubborn = Rows(isReiterable: false) { body in
      for row in numbered(["1", "2", "3"]) {
        do { try Array(row.utf8).withUnsafeBytes(body) } catch {
          try? Array(row.utf8).withUnsafeBytes(body)
          throw error
        }
      }
    }
    var shown = 0
    try RowSelection(limit: 2).rows(of: stubborn, counts: RowCounts()).forEach { _ in shown += 1 }
    #expect(shown == 2)
  }

  @Test func otherErrorsAreNotHidden() {
    let rows = RowSelection(limit: 5).rows(of: failing(after: numbered(["1"]), Broken()), counts: RowCounts())
    #expect(throws: Broken.self) { try rows.forEach { _ in } }
    let unwritten = RowSelection(limit: 1).rows(of: stream(numbered(["1", "2"])), counts: RowCounts())
    #expect(throws: Broken.self) { try unwritten.forEach { _ in throw Broken() } }
  }

  @Test func theTotalIsKnownIfAllRowsWereReadOrAreInMemory() throws {
    let rows = numbered(["1", "2", "3"])
    func counts(_ rows: Rows, _ selection: RowSelection) throws -> [Int?] {
      let counts = RowCounts()
      try selection.rows(of: rows, counts: counts).forEach { _ in }
      return [counts.shown, counts.total]
    }
    let order = [try SortField(parsing: "v")]
    let inMemory = Rows(rows.map { Array($0.utf8) })
    #expect(try counts(stream(rows), RowSelection(limit: 2)) == [2, nil])
    #expect(try counts(stream(rows), RowSelection(order: order, limit: 2)) == [2, 3])
    #expect(try counts(stream(rows), RowSelection(search: "even", order: order, limit: 1)) == [1, 2])
    #expect(try counts(inMemory, RowSelection(limit: 2)) == [2, 3])
    #expect(try counts(inMemory, RowSelection(search: "even", limit: 1)) == [1, nil])
    #expect(try counts(inMemory, RowSelection(search: "even")) == [2, nil])
  }

  @Test func nothingSelectedLeavesTheRowsAlone() throws {
    #expect(RowSelection().isEverything && !RowSelection(limit: 1).readsFields)
    #expect(try selected(numbered(["1", "2"])) == [0, 1])
  }

  /// The rows are the same in each format, also in a table that is read twice.
  @Test func everyFormatPrintsTheSameRows() throws {
    let rows = (0..<6000).map { #"{"n":\#($0),"v":"\#(String(repeating: "x", count: 2000))\#($0 % 7)"}"# }
    let order = [try SortField(parsing: "v"), try SortField(parsing: "-n")]
    for selection in [RowSelection(order: order, limit: 5000), RowSelection(search: "x3", limit: 600)] {
      func printed(_ format: Format) throws -> [String] {
        var written: [UInt8] = []
        let fields: [FieldPath] = ["n", "v"]
        try Renderer(Presentation(format: format, fields: fields, header: false)) { written.append(contentsOf: $0) }
          .render(selection.rows(of: stream(rows), counts: RowCounts()), columns: [Column("N", "n"), Column("V", "v")])
        return written.lines
      }
      func number(_ line: String) -> Int? {
        Int(line.drop { !$0.isNumber }.prefix { $0.isNumber })
      }
      let lines = try printed(.jsonl).map(number)
      #expect(lines.count == selection.limit)
      #expect(try printed(.csv).map(number) == lines)
      #expect(try printed(.tsv).map(number) == lines)
      #expect(try printed(.table).map(number) == lines)
      #expect(try printed(.json).dropFirst().dropLast().map(number) == lines)
    }
  }
}

extension [UInt8] {
  /// The lines that are not empty. Splitting a string of many megabytes by character takes seconds.
  fileprivate var lines: [String] {
    withUnsafeBytes { text in
      var (lines, start) = ([String](), 0)
      while start < text.count, let base = text.baseAddress {
        let found = memchr(base + start, 0x0a, text.count - start)
        let end = found.map { UnsafeRawPointer($0) - base } ?? text.count
        if end > start {
          lines.append(String(decoding: UnsafeRawBufferPointer(rebasing: text[start..<end]), as: UTF8.self))
        }
        start = end + 1
      }
      return lines
    }
  }
}

extension Sequence<UInt8> {
  fileprivate func contains(sequence part: some Collection<UInt8>) -> Bool {
    let all = Array(self)
    return part.isEmpty || all.indices.contains { all[$0...].starts(with: part) }
  }
}
