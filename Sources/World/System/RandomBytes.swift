package protocol RandomBytes: Sendable {
  /// Returns cryptographically secure random bytes, suitable for keys and nonces.
  func bytes(_ count: Int) -> [UInt8]
}

/// Random bytes from the system's generator (getrandom(2), arc4random_buf(3)).
package struct LiveRandom: RandomBytes {
  package init() {}

  package func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    // Each word costs a system call; a byte at a time would cost eight times as many.
    var bytes: [UInt8] = []
    while bytes.count < count {
      withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0.prefix(count - bytes.count)) }
    }
    return bytes
  }
}

extension RandomBytes {
  /// Returns a random UUID in lowercase (RFC 9562, version 4). It contains no information about this machine.
  package func uuid() -> String {
    var bytes = bytes(16)
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
      text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: text, as: UTF8.self)
  }
}
