import Display

/// Text that was made safe holds nothing a terminal obeys, and is not made safer by doing it again.
enum TerminalProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    let shown = TerminalText.escaped(text)
    for scalar in shown.unicodeScalars {
      // Written from the list of Unicode's control characters and marks of direction, not from the program's.
      switch scalar.value {
      case 0..<0x20, 0x7f..<0xa0: return "it holds a control character"
      case 0x202a...0x202e, 0x2066...0x2069, 0x200e, 0x200f, 0x61c: return "it turns the direction of writing"
      case 0x2028, 0x2029, 0xfeff: return "it holds a separator or a mark"
      default: continue
      }
    }
    guard TerminalText.escaped(shown) == shown else { return "escaping twice is something else" }
    return text.utf8.allSatisfy { (0x20..<0x7f).contains($0) } && shown != text ? "plain text is changed" : nil
  }
}
