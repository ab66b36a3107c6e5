import Text

/// The key that encrypts credentials: 256 bits, with an id.
struct DataKey {
  var bytes: [UInt8] { memory.bytes }
  private let memory: SecretBytes
  /// The id, which is derived from the key, so that a wrong key is detected before anything is decrypted with it. It
  /// reveals nothing about the key.
  let id: String

  init(_ bytes: consuming [UInt8]) {
    memory = SecretBytes(bytes)
    id = hexadecimal(
      SHA256.authenticationCode(of: Array("ifttt store key id".utf8), key: memory.bytes).prefix(8))
  }

  /// Returns nil unless the text is 64 hexadecimal digits, optionally surrounded by white space.
  init?(parsing text: some Collection<UInt8>) {
    var digits = Array(text.drop(while: isSpace))
    while let last = digits.last, isSpace(last) { digits.removeLast() }
    defer { digits.overwrite() }
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    for index in stride(from: 0, to: 64, by: 2) {
      guard let high = value(of: digits[index]), let low = value(of: digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    self.init(bytes)
  }

  /// The key in the format of ``init(parsing:)``, with a newline at the end.
  var text: [UInt8] { Array((hexadecimal(bytes) + "\n").utf8) }
}

/// The value of a hexadecimal digit; nil for another character.
private func value(of digit: UInt8) -> UInt8? {
  Character(Unicode.Scalar(digit)).hexDigitValue.map { UInt8($0) }
}

private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
