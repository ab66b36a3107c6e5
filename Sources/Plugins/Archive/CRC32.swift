/// The checksum of gzip and zip: CRC-32 with the reflected polynomial 0xEDB88320.
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { (start: UInt32) in
    (0..<8).reduce(start) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
  }

  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBufferPointer { bytes in
      table.withUnsafeBufferPointer { table in
        var value: UInt32 = 0xffff_ffff
        for place in 0..<bytes.count {
          value = value >> 8 ^ table[Int(UInt8(truncatingIfNeeded: value) ^ bytes[place])]
        }
        return ~value
      }
    }
  }
}
