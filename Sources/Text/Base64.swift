/// Base64 in one of its alphabets (RFC 4648). Decoding is strict: each value has exactly one encoding, so that all
/// readers agree.
package struct Base64: Sendable {
  /// With `+` and `/`, and with padding (RFC 4648 §4).
  package static let standard = Base64(lastDigits: "+/", isPadded: true)
  /// With `-` and `_`, without padding (RFC 4648 §5, RFC 7515 §2).
  package static let url = Base64(lastDigits: "-_", isPadded: false)

  private let alphabet: [UInt8]
  private let isPadded: Bool

  private init(lastDigits: String, isPadded: Bool) {
    alphabet = Array(("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + lastDigits).utf8)
    self.isPadded = isPadded
  }

  package func encode(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    var (bits, count) = (0, 0)
    for byte in bytes {
      (bits, count) = ((bits & 63) << 8 | Int(byte), count + 8)
      while count >= 6 {
        count -= 6
        text.append(alphabet[bits >> count & 63])
      }
    }
    if count > 0 { text.append(alphabet[bits << (6 - count) & 63]) }
    return String(decoding: text + padding(ofDigits: text.count), as: UTF8.self)
  }

  /// - Returns: nil for any text that ``encode(_:)`` does not produce, such as wrong padding, white space, another
  ///   alphabet or nonzero trailing bits.
  package func decode(_ text: some StringProtocol) -> [UInt8]? {
    let digits = Array(text.utf8.prefix { $0 != UInt8(ascii: "=") })
    guard digits.count % 4 != 1, text.utf8.dropFirst(digits.count).elementsEqual(padding(ofDigits: digits.count)) else {
      return nil
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3 + 2)
    var (bits, count) = (0, 0)
    for digit in digits {
      guard let value = alphabet.firstIndex(of: digit) else { return nil }
      (bits, count) = ((bits << 6 | value) & 0xffff, count + 6)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return bits & ((1 << count) - 1) == 0 ? bytes : nil
  }

  private func padding(ofDigits count: Int) -> [UInt8] {
    isPadded ? Array(repeating: UInt8(ascii: "="), count: (4 - count % 4) % 4) : []
  }
}
