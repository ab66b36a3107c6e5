/// Percent-encoding of one URL component (RFC 3986 §2.1).
package enum Percent {
  /// Encodes everything but the unreserved characters `A–Z a–z 0–9 - . _ ~`, with uppercase digits.
  package static func encode(_ text: String) -> String {
    if text.utf8.allSatisfy(\.isUnreserved) { return text }
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if byte.isUnreserved {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Decodes a name or value of a query, in which `+` is a space, as in forms. Invalid UTF-8 is replaced by U+FFFD.
  package static func decodeQuery(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2, let high = rest.first?.hexadecimal,
        let low = rest.dropFirst().first?.hexadecimal
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
