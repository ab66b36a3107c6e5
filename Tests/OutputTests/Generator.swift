import JSON
import Support

func quoted(_ text: String) -> String { JSONValue.string(text).text }

extension SeededGenerator {
  /// Texts that are awkward to show, print or quote.
  mutating func text(upTo count: Int = 8) -> String {
    let pieces = [
      "a", "Log rain", " ", "\"", "\\", ",", "\t", "\n", "\r", "\u{1b}[31m", "\u{7f}", "\u{9b}", "é", "e\u{301}", "日本語",
      "👩🏽‍🚀", "🇩🇪", "❤️", "שלום", "مرحبا", "\u{202e}", "\u{2028}", "हिन्दी", "\u{200b}", ";", "'", "null", "\u{e0041}", "…",
    ]
    return (0..<Int.random(in: 0...count, using: &self)).map { _ in pieces.randomElement(using: &self) ?? "" }.joined()
  }

  /// A value at most `depth` levels deep.
  mutating func value(depth: Int = 3) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &self) {
    case 0: .null
    case 1: .bool(Bool.random(using: &self))
    case 2: .number(JSONNumber(Int.random(in: -1000...1000, using: &self)))
    case 3, 4: .string(text(upTo: 4))
    case 5: .array((0..<Int.random(in: 0...3, using: &self)).map { _ in value(depth: depth - 1) })
    default: .object(object(depth: depth - 1))
    }
  }

  mutating func object(depth: Int = 3) -> JSONObject {
    var object = JSONObject()
    for key in ["a", "b", "id", "名", "k\"\n"] where Bool.random(using: &self) { object[key] = value(depth: depth) }
    return object
  }
}
