import JSON
import Testing

@Suite struct JSONScannerTests {
  /// Returns the object's members found by the scanner.
  func members(_ text: [UInt8]) throws -> [(key: String, value: String)] {
    try text.withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes)
      var found: [(key: String, value: String)] = []
      while let key = try scanner.nextKey() {
        var name: [UInt8] = []
        JSONScanner.appendText(of: scanner.slice(key), to: &name)
        let value = scanner.slice(try scanner.skipValue())
        found.append((String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
      }
      return found
    }
  }

  @Test func findsMembersAndElements() throws {
    let text = #" { "a" : 1.50 ,"b\n":"]}\"\\" , "c":{"x":[1,{}]},"d":[ ], "e":null,"f":true}"#
    let found = try members(Array(text.utf8))
    #expect(found.map(\.key) == ["a", "b\n", "c", "d", "e", "f"])
    #expect(found.map(\.value) == ["1.50", #""]}\"\\""#, #"{"x":[1,{}]}"#, "[ ]", "null", "true"])
    let elements = try Array(#"[1, "two",[3] ]"#.utf8).withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes)
      var elements: [String] = []
      while try scanner.nextElement() {
        elements.append(String(decoding: scanner.slice(try scanner.skipValue()), as: UTF8.self))
      }
      return elements
    }
    #expect(elements == ["1", #""two""#, "[3]"])
    #expect(try members(Array("{}".utf8)).isEmpty)
  }

  @Test(
    arguments: [
      "", "[1]", "{", #"{"a"}"#, #"{"a":}"#, #"{"a":1"#, #"{"a":1,}"#, #"{"a":1 "b":2}"#, "{a:1}", #"{"a":"x}"#,
      #"{"a":"x\"#, #"{"a":[1"#, "{,}",
    ])
  func rejectsInvalidStructure(text: String) {
    #expect(throws: JSONError.self) { try members(Array(text.utf8)) }
  }

  /// Each truncated or modified document is either scanned or rejected without reading past its end: the copy has
  /// exactly its length.
  @Test func corruptBytesAreNeverReadPast() {
    let whole = Array(#"{"id":"a1\u00e9\"","n":[1.5e3,true,null],"long":"0123456789abcdef\\","o":{"x":[]}}"#.utf8)
    for cut in 0..<whole.count { #expect(throws: JSONError.self) { try members(Array(whole[..<cut])) } }
    for offset in whole.indices {
      for byte in [0, 0x22, 0x2c, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d, 0x80] as [UInt8] {
        var damaged = whole
        damaged[offset] = byte
        let found = try? members(damaged)
        if let value = try? JSONValue(parsing: damaged) {
          #expect(found?.map(\.key) == value.object?.members.map(\.key))
        }
      }
    }
  }

  @Test(
    arguments: [
      #"plain"#, #"\"\\\/\b\f\n\r\t"#, #"\u00e9\ud83d\ude00"#, #"\ud83d"#, #"\ud83dx"#, #"\ude00\ud83d"#,
      #"\ud83d\u0041"#,
      #"x日本\n"#, "",
    ])
  func decodedTextMatchesTheParser(contents: String) throws {
    var text: [UInt8] = []
    Array(contents.utf8).withUnsafeBytes { JSONScanner.appendText(of: $0, to: &text) }
    #expect(try JSONValue(parsing: Array("\"\(contents)\"".utf8)).string == String(decoding: text, as: UTF8.self))
  }

  @Test(arguments: [#"\"#, #"\x"#, #"\u12"#, #"\u12g4"#, #"\ud83d\u12"#]) func invalidEscapesAreKept(contents: String) {
    var text: [UInt8] = []
    Array(contents.utf8).withUnsafeBytes { JSONScanner.appendText(of: $0, to: &text) }
    #expect(!text.isEmpty)
    #expect(String(decoding: text, as: UTF8.self).hasSuffix(String(contents.suffix(1))))
  }

  @Test(
    arguments: [
      (["b", "a"], #"{"a":1,"b":2}"#, ["2", "1"]), (["a"], #"{"a":1,"a":2}"#, ["1"]), (["x"], #"{"a":1}"#, [""]),
      (["enabled", "enabled_count", "enabled_coun"], #"{"enabled_count":12,"enabled":true}"#, ["true", "12", ""]),
      (["é\"", "e"], #"{"e":0,"\u00e9\"":[3]}"#, ["[3]", "0"]), ([""], #"{"":5}"#, ["5"]),
      (["a"], #"{"b":1,"a":0}"#, ["0"]),
      (["12345678", "123456789"], #"{"123456789":9,"12345678":8}"#, ["8", "9"]), ([], "{", []),
    ])
  func findsKeys(names: [String], text: String, expected: [String]) throws {
    let keys = JSONKeys(names.map { Array($0.utf8) })
    let values = try Array(text.utf8).withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes)
      var found = Array(repeating: 7..<8, count: names.count)
      try scanner.find(keys, in: &found)
      return found.map { String(decoding: scanner.slice($0), as: UTF8.self) }
    }
    #expect(values == expected)
    for (name, value) in zip(names, expected) {
      let single = try Array(text.utf8).withUnsafeBytes { bytes in
        var scanner = JSONScanner(bytes)
        return try scanner.value(of: Array(name.utf8)).map { String(decoding: scanner.slice($0), as: UTF8.self) }
      }
      #expect(single ?? "" == value)
    }
  }
}
