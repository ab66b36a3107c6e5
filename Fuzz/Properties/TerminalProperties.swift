import Output

/// Escaped text contains nothing that a terminal would interpret, and escaping it again changes nothing.
enum TerminalProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    let shown = TerminalText.escaped(text)
    for scalar in shown.unicodeScalars {
      // This list is taken from Unicode's control characters and direction marks, and not from the program.
      switch scalar.value {
      case 0..<0x20, 0x7f..<0xa0: return "it contains a control character"
      case 0x202a...0x202e, 0x2066...0x2069, 0x200e, 0x200f, 0x61c: return "it changes the text direction"
      case 0x2028, 0x2029, 0xfeff: return "it contains a separator or a byte order mark"
      default: continue
      }
    }
    guard TerminalText.escaped(shown) == shown else { return "escaping twice changes the text" }
    return text.utf8.allSatisfy { (0x20..<0x7f).contains($0) } && shown != text ? "plain text is changed" : nil
  }
}
