import Encoding

/// The key that encrypts credentials: 256 bits, with an id.
struct DataKey {
  let bytes: [UInt8]
  /// The id, which is derived from the key, so that a wrong key is detected before anything is decrypted with it. It
  /// reveals nothing about the key.
  let id: String

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    id = hexadecimal(
      SHA256.authenticationCode(of: Array("ifttt store key id".utf8), key: bytes).prefix(8))
  }

  /// Returns nil unless the text is 64 hexadecimal digits, optionally surrounded by white space.
  init?(parsing text: some Collection<UInt8>) {
    let digits = text.drop(while: isSpace).reversed().drop(while: isSpace).reversed().map {
      Character(Unicode.Scalar($0))
    }
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 64, by: 2) {
      guard let high = digits[index].hexDigitValue, let low = digits[index + 1].hexDigitValue else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    self.init(bytes)
  }

  /// The key in the format of ``init(parsing:)``, with a newline at the end.
  var text: [UInt8] { Array((hexadecimal(bytes) + "\n").utf8) }
}

private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
