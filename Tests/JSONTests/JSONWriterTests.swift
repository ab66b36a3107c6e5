import Foundation
import JSON
import Testing

@Suite struct JSONWriterTests {
  @Test func writesCompactlyInOrder() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("z")
    writer.int(1)
    writer.key("a")
    writer.beginArray()
    writer.string("x")
    writer.string(nil)
    writer.bool(false)
    writer.beginObject()
    writer.endObject()
    writer.raw("[1]".utf8)
    writer.endArray()
    writer.key("n")
    writer.null()
    writer.endObject()
    #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"z":1,"a":["x",null,false,{},[1]],"n":null}"#)
  }

  @Test func writesMembersOfEachKind() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("t", "x")
    writer.member("n", 1)
    writer.member("f", false)
    writer.member("none", nil as String?)
    writer.members("a", [1, 2]) { $1.int($0) }
    writer.members("e", [Int]()) { $1.int($0) }
    writer.endObject()
    #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"t":"x","n":1,"f":false,"none":null,"a":[1,2],"e":[]}"#)
    #expect(
      (["t": JSONValue(nil as String?), "n": JSONValue(2 as Int?), "b": JSONValue(true)] as JSONValue).text
        == #"{"t":null,"n":2,"b":true}"#)
  }

  @Test func escapesControlCharacters() {
    let text: JSONValue = "a\"\\\u{8}\t\n\u{c}\r\u{1b}[31m\u{7f}\u{85}\u{9b}é\u{a0}"
    #expect(text.text == #""a\"\\\b\t\n\f\r\u001b[31m\u007f\u0085\u009bé"# + "\u{a0}\"")
  }

  @Test func numbersKeepTheirSpelling() throws {
    let text = "[1.50,1e3,-98.54321120000000,123456789012345678901234567890]"
    #expect(try JSONValue(parsing: Array(text.utf8)).text == text)
  }

  @Test func everyScalarRoundTrips() throws {
    for start in stride(from: 0 as UInt32, through: 0x10ffff, by: 977) {
      let text = String(String.UnicodeScalarView((start..<min(start + 8, 0x110000)).compactMap(Unicode.Scalar.init)))
      let bytes = JSONValue.string(text).bytes
      #expect(try JSONValue(parsing: bytes) == .string(text))
      let theirs = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed) as? String
      #expect(theirs == text)
    }
  }

  /// Text is checked a word at a time.
  @Test func everyCharacterAtEveryPositionRoundTrips() throws {
    let characters: [Unicode.Scalar] = (0...0xa1).map { Unicode.Scalar($0 as UInt8) } + ["é", "日", "😀"]
    for length in 1...17 {
      for offset in 0..<length {
        for character in characters {
          let text =
            String(repeating: "a", count: offset) + String(character)
            + String(repeating: "a", count: length - offset - 1)
          let json = JSONValue.string(text).text
          #expect(json.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f...0x9f ~= $0.value) }, "\(json)")
          let theirs = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed) as? String
          #expect(theirs == text, "\(json)")
        }
      }
    }
  }

  @Test func objectMembersCanBeChanged() {
    var object: JSONObject = ["a": 1, "b": 2]
    object["a"] = 3
    object["c"] = "x"
    object["b"] = nil
    #expect(JSONValue.object(object).text == #"{"a":3,"c":"x"}"#)
  }

  /// Text is checked a word at a time. Every byte at every offset of a text is escaped as in a value.
  @Test func appendedTextIsEscapedLikeAValue() {
    for length in 0...17 {
      for offset in 0..<length {
        for byte in UInt8.min...UInt8.max {
          var text = Array(repeating: UInt8(ascii: "a"), count: length)
          text[offset] = byte
          var json: [UInt8] = []
          text.withUnsafeBytes { JSONWriter.append($0, to: &json) }
          if json != JSONValue.string(String(decoding: text, as: UTF8.self)).bytes {
            Issue.record("byte \(byte) at \(offset) of \(length)")
          }
        }
      }
    }
  }
}
