import JSON
import Output
import Testing

@Suite struct DamagedRowsTests {
  /// Every truncation and every changed byte of a row is printed or rejected, in every format, and the other rows are
  /// printed.
  @Test(arguments: Format.allCases) func neverTrap(format: Format) throws {
    let whole = Array(connection("a1", "Ä \u{1b}\"x", services: ["W"]).utf8)
    let good = Array(connection("good", "y").utf8)
    var damaged = whole.indices.map { Array(whole[..<$0]) }
    for offset in whole.indices {
      for byte in [0x22, 0x5b, 0x5c, 0x7d, 0x80, 0xff] as [UInt8] {
        var row = whole
        row[offset] = byte
        damaged.append(row)
      }
    }
    for fields in [nil, ["id", "services.name"]] as [[FieldPath]?] {
      for row in damaged {
        var written: [UInt8] = []
        let renderer = Renderer(Presentation(format: format, fields: fields, isTerminal: true)) {
          written.append(contentsOf: $0)
        }
        try renderer.render(
          Rows(isReiterable: false) { body in
            try good.withUnsafeBytes(body)
            do { try row.withUnsafeBytes(body) } catch { #expect(error is JSONError) }
            try good.withUnsafeBytes(body)
          }, columns: connectionColumns)
        let text = String(decoding: written, as: UTF8.self)
        #expect(text.split(separator: "good").count == 3)
        #expect(text.last == "\n")
      }
    }
  }

  @Test(arguments: [Format.json, .csv, .table]) func rejectsDeeplyNestedRow(format: Format) {
    let row =
      #"{"id":"a","services":"# + String(repeating: "[", count: 2000)
      + String(repeating: "]", count: 2000) + "}"
    for fields in [["services.name"], ["services"]] as [[FieldPath]] {
      let renderer = Renderer(Presentation(format: format, fields: fields, isTerminal: true)) { _ in }
      if format == .csv, fields == ["services"] { continue }
      #expect(throws: JSONError(problem: "nested too deeply", offset: 0)) {
        do { try renderer.render(stream([row]), columns: []) } catch let error as JSONError {
          throw JSONError(problem: error.problem, offset: 0)
        }
      }
    }
  }
}
