/// The gzip format (RFC 1952) without compression, to test how clients handle the framing.
enum StoredGzip {
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    // The header: magic number, deflate, no flags, no time, no hint, unknown system.
    var written: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(0xffff)
      rest = rest.dropFirst(block.count)
      // A stored block (RFC 1951, section 3.2.4), with the last one marked.
      written.append(rest.isEmpty ? 1 : 0)
      written += littleEndian(UInt16(block.count))
      written += littleEndian(~UInt16(block.count))
      written += block
    } while !rest.isEmpty
    return written + littleEndian(checksum(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
  }

  /// The CRC-32, computed bit by bit.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0xffff_ffff
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xedb8_8320 : sum >> 1 }
    }
    return ~sum
  }

  private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}
