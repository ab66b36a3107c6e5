/// Base64 with padding (RFC 4648 §4).
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for digit in 0..<4 {
        text.append(digit <= group.count ? alphabet[bits >> (18 - 6 * digit) & 63] : UInt8(ascii: "="))
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
      for index in 0..<group.count - 1 { bytes.append(UInt8(truncatingIfNeeded: bits >> (16 - 8 * index))) }
    }
    return encode(bytes) == text ? bytes : nil
  }
}

/// Base64url without padding (RFC 4648 §5, RFC 7515 §2). Decoding is strict: each value has exactly one encoding, so
/// that all readers agree.
package enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let group = rest.prefix(3)
      rest = rest.dropFirst(3)
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for digit in 0...group.count { text.append(alphabet[bits >> (18 - 6 * digit) & 63]) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes strictly: returns nil for any text that ``encode(_:)`` does not produce, such as padding, white space,
  /// another alphabet or nonzero trailing bits.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3 + 2)
    var (bits, count) = (0, 0)
    for digit in digits {
      guard let value = value(of: digit) else { return nil }
      (bits, count) = ((bits << 6 | value) & 0xffff, count + 6)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return bits & (1 << count - 1) == 0 ? bytes : nil
  }

  private static func value(of digit: UInt8) -> Int? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
