/// Base64 with padding (RFC 4648 §4).
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        text.append(place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes strictly: returns nil for any text that ``encode(_:)`` does not produce.
  package static func decode(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: digits.count, by: 4) {
      let group = digits[start..<start + 4].prefix { $0 != UInt8(ascii: "=") }
      let values = group.compactMap { digit in alphabet.firstIndex(of: digit) }
      guard values.count == group.count, group.count >= 2 else { return nil }
      let bits = values.reduce(0) { $0 << 6 | $1 } << (6 * (4 - group.count))
      for place in 0..<group.count - 1 { bytes.append(UInt8(truncatingIfNeeded: bits >> (16 - 8 * place))) }
    }
    return encode(bytes) == text ? bytes : nil
  }
}
