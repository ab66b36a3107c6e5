import Foundation
import JSON
import Testing

@Suite struct JSONParserTests {
  @Test(
    arguments: [
      ("null", .null), (" true\n", .bool(true)), ("-0.50e+3", .number(JSONNumber(unchecked: "-0.50e+3"))),
      (#""a\u00e9\n\ud83d\ude00""#, "aé\n😀"), (#""\ud800x""#, "\u{fffd}x"), (#""\ud800\u0041""#, "\u{fffd}A"),
      ("[]", []), ("{}", [:]), (#"{"b":[1,{"a":null}]}"#, ["b": [1, ["a": nil]]]),
    ] as [(String, JSONValue)])
  func parsesValidJSON(text: String, expected: JSONValue) throws {
    #expect(try JSONValue(parsing: Array(text.utf8)) == expected)
  }

  @Test(
    arguments: [
      "", " ", "nul", "truex", "01", "-", "1.", ".5", "1e", "+1", "[1,]", "[1", "{\"a\"}", "{\"a\":}", "{a:1}", "{,}",
      "\"", "\"\\x\"", "\"\\u12g4\"", "\"\t\"", "1 2", "[1 2]", "NaN", "'a'", "\u{feff}1", "{\"a\":1,}", "]",
    ])
  func rejectsInvalidJSON(text: String) {
    #expect(throws: JSONError.self) { try JSONValue(parsing: Array(text.utf8)) }
  }

  @Test(
    arguments: [[0x22, 0xff, 0x22], [0x22, 0xc0, 0x80, 0x22], [0x22, 0x5c, 0x6e, 0xed, 0xa0, 0x80, 0x22]] as [[UInt8]])
  func rejectsInvalidUTF8(bytes: [UInt8]) {
    #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
  }

  /// A document that a person wrote may begin with a byte order mark; a response may not.
  @Test func aDocumentMayBeginWithAByteOrderMark() throws {
    let text = Array("\u{feff} {\"a\":1}".utf8)
    #expect(try JSONValue(document: text) == ["a": 1])
    #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(throws: JSONError.self) { try JSONValue(document: Array("\u{feff}\u{feff}1".utf8)) }
    // Positions count the mark, because they refer to the file.
    #expect(throws: JSONError(problem: "expected a value", offset: 3)) {
      try JSONValue(document: Array("\u{feff}x".utf8))
    }
  }

  @Test(arguments: [
    ("\"\\ud800\"", 1), ("[\"ab\\udc00\"]", 4), ("\"\\ud800\\u0041\"", 1), ("{\"\\ud83dx\":1}", 2),
  ])
  func halfOfASurrogatePairIsAnErrorInADocument(_ text: String, _ offset: Int) throws {
    #expect(throws: JSONError(problem: JSONError.halfPair, offset: offset)) {
      try JSONValue(document: Array(text.utf8))
    }
    _ = try JSONValue(parsing: Array(text.utf8))
  }

  @Test func anotherEncodingOfADocumentIsNamed() throws {
    let text: [UInt8] = [0xff, 0xfe] + "{}".utf8.flatMap { [$0, 0] }
    #expect(throws: JSONError(problem: "it is UTF-16, not UTF-8", offset: 0)) { try JSONValue(document: text) }
    #expect(try JSONValue(document: Array("\"\\ud83d\\ude00\"".utf8)) == "😀")
  }

  @Test func depthIsLimited() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array(repeating: UInt8(ascii: "["), count: depth) + Array(repeating: UInt8(ascii: "]"), count: depth)
    }
    _ = try JSONValue(parsing: nested(JSONValue.maximumDepth))
    #expect(throws: JSONError(problem: "nested too deeply", offset: 512)) { try JSONValue(parsing: nested(513)) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: nested(1_000_000)) }
  }

  /// A value of two bytes takes many times as much memory.
  @Test func theNumberOfValuesIsLimited() throws {
    let limit = JSONValue.maximumValues
    func zeros(_ count: Int) -> [UInt8] { Array("[0\(String(repeating: ",0", count: count - 1))]".utf8) }
    #expect(try JSONValue(parsing: zeros(limit - 1)).array?.count == limit - 1)
    #expect(throws: JSONError(problem: "too many values", offset: 2 * limit - 1)) {
      try JSONValue(parsing: zeros(limit))
    }
    #expect(throws: JSONError.self) { try JSONValue(parsing: Array(#"{"a":1,"b":2}"#.utf8), values: 2) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: Array("[[],[]]".utf8), values: 2) }
    #expect(try JSONValue(parsing: Array("[[],[]]".utf8), values: 3) == [[], []])
  }

  @Test func lastValueOfARepeatedKeyCounts() throws {
    let value = try JSONValue(parsing: Array(#"{"a":1,"a":2}"#.utf8))
    #expect(value["a"] == 2)
    #expect(value["b"] == nil)
  }

  @Test func skippedMembersAreLeftOut() throws {
    let text = Array(#"{"a":{"b":[1,"]}\""]}, "b" : [{"a":1}] ,"c":"x","b":2,"d":{"b":3}}"#.utf8)
    let whole = try JSONValue(parsing: text)
    for skipped in [[], ["a"], ["b"], ["a", "b", "c", "d"], ["x"]] {
      let members = whole.object?.members.filter { !skipped.contains($0.key) } ?? []
      #expect(try JSONValue(parsing: text, skipping: skipped) == .object(JSONObject(members: members)))
      for cut in 0..<text.count {
        #expect(throws: JSONError.self) { try JSONValue(parsing: Array(text[..<cut]), skipping: skipped) }
      }
    }
    #expect(try JSONValue(parsing: Array(#"[{"a":1}]"#.utf8), skipping: ["a"]) == [["a": 1]])
  }

  /// Strings are read eight bytes at a time.
  @Test func everyByteAtEveryPositionOfAStringIsReadAsByFoundation() {
    for length in 1...17 {
      for offset in 0..<length {
        for byte in UInt8.min...UInt8.max {
          var text = Array(repeating: UInt8(ascii: "a"), count: length)
          text[offset] = byte
          let json = Array("[\"".utf8) + text + Array("\"]".utf8)
          let theirs = try? JSONSerialization.jsonObject(with: Data(json)) as? [String]
          #expect((try? JSONValue(parsing: json))?.array?.first?.string == theirs?.first, "byte \(byte) at \(offset)")
        }
      }
    }
  }

  /// Each truncated or modified document is either parsed or rejected, in agreement with Foundation.
  @Test func corruptDocumentsNeverTrap() {
    let whole = Array(#"{"id":"a1","n":[1.5e3,true,null],"s":"é\u00e9\"","o":{}}"#.utf8)
    for cut in 0..<whole.count {
      #expect(throws: JSONError.self) { try JSONValue(parsing: Array(whole[..<cut])) }
    }
    for offset in whole.indices {
      for byte in [0, 0x22, 0x2c, 0x5b, 0x5c, 0x5d, 0x7b, 0x80, 0xff] as [UInt8] {
        var damaged = whole
        damaged[offset] = byte
        let ours = try? JSONValue(parsing: damaged)
        let theirs = try? JSONSerialization.jsonObject(with: Data(damaged), options: .fragmentsAllowed)
        #expect((ours == nil) == (theirs == nil), "byte \(byte) at \(offset)")
      }
    }
  }
}
