import IFTTT
import JSON
import Testing

struct LenientReadingTests {
  @Test(arguments: [
    (#""606""#, "606"), ("606", "606"), ("-0", "0"), ("1e3", "1000"), ("12.0", "12"),
    ("123456789012345678901234567890", "123456789012345678901234567890"),
  ])
  func idsAreStringsOrWholeNumbers(json: String, expected: String) throws {
    #expect(try value(json).identifier == expected)
  }

  @Test(arguments: [#""""#, "1.5", "1e999", "true", "null", "[]", "{}"])
  func otherValuesAreNotIDs(json: String) throws {
    #expect(try value(json).identifier == nil)
  }

  @Test(
    arguments: [
      ("true", true), ("false", false), (#""true""#, true), (#""false""#, false), ("1", true), ("0", false),
      ("1.0", true), ("2", nil), ("-1", nil), (#""1""#, nil), (#""yes""#, nil), ("null", nil), ("[true]", nil),
    ] as [(String, Bool?)])
  func booleansMayBeStringsOrNumbers(json: String, expected: Bool?) throws {
    #expect(try value(json).flag == expected)
  }

  @Test(
    arguments: [
      ("37.78383800416815", "37.78383800416815"), (#""37.78383800416815""#, "37.78383800416815"),
      (#""-122.40843300000002""#, "-122.40843300000002"), ("12.45678920", "12.45678920"), (#""16""#, "16"),
      (#""1e3""#, "1e3"), (#""016""#, nil), (#""+5""#, nil), (#"".5""#, nil), (#""NaN""#, nil), (#""Infinity""#, nil),
      (#""0x1F""#, nil), (#""""#, nil), (#""[1]""#, nil), (#""1 2""#, nil), ("true", nil),
    ] as [(String, String?)])
  func numbersKeepTheirSpelling(json: String, expected: String?) throws {
    #expect(try value(json).lenientNumber?.text == expected)
  }

  @Test(
    arguments: [
      ("12", 12), (#""12""#, 12), ("12.0", 12), ("1e3", 1000), ("12.5", nil), ("1e300", nil),
      ("99999999999999999999", nil), (#""many""#, nil),
    ] as [(String, Int?)])
  func countsAreWholeNumbers(json: String, expected: Int?) throws {
    #expect(try value(json).integer == expected)
  }

  @Test func missingNullAndMistypedKeysAreEquivalent() throws {
    let object = try #require(value(#"{"a":null,"b":[1],"c":{"x":1}}"#).object)
    for key in ["a", "b", "c", "d"] {
      #expect(object.text(key) == nil)
      #expect(object.flag(key) == nil)
      #expect(object.integer(key) == nil)
    }
    var skipped = SkippedElements()
    for key in ["a", "c", "d"] { #expect(object.members(key, skipped: &skipped) { member, _ in member }.isEmpty) }
    #expect(skipped.isEmpty)
  }

  @Test func unusableElementsAreSkippedAndNamed() throws {
    let object = try #require(
      value(#"{"rows":[{"id":"a","cells":[{"id":1},2]},{"no":1},null,[],{"id":"b"}]}"#).object)
    var skipped = SkippedElements()
    let rows = object.members("rows", skipped: &skipped) { row, inner -> String? in
      let cells = row.members("cells", skipped: &inner) { cell, _ in cell.identifier("id") }
      return row.identifier("id").map { id in ([id] + cells).joined(separator: "-") }
    }
    #expect(rows == ["a-1", "b"])
    #expect(skipped.count == 4)
    #expect(skipped.paths == ["rows[0].cells[1]", "rows[1]", "rows[2]", "rows[3]"])
  }

  @Test func onlyFirstSkippedElementsAreNamed() {
    let object = JSONObject(members: [(key: "rows", value: .array(Array(repeating: .null, count: 1000)))])
    var skipped = SkippedElements()
    #expect(object.members("rows", skipped: &skipped) { row, _ in row }.isEmpty)
    #expect(skipped.count == 1000)
    #expect(skipped.paths.count == 8)
  }

  private func value(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }
}
