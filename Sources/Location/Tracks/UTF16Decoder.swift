/// A converter from UTF-16 to UTF-8 for bytes that arrive in pieces. An unpaired surrogate becomes U+FFFD.
struct UTF16Decoder {
  private let isBigEndian: Bool
  /// The first byte of a code unit whose second byte has not arrived.
  private var half: UInt8?
  /// A high surrogate whose other half has not arrived.
  private var high: UInt16?

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  mutating func decode(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    for byte in bytes {
      guard let first = half else {
        half = byte
        continue
      }
      half = nil
      let unit = isBigEndian ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first)
      append(unit, to: &text)
    }
    return text
  }

  /// The text of what is incomplete at the end of the input.
  mutating func finish() -> [UInt8] {
    defer { (half, high) = (nil, nil) }
    return high == nil && half == nil ? [] : Self.replacement
  }

  private mutating func append(_ unit: UInt16, to text: inout [UInt8]) {
    if let high {
      self.high = nil
      if 0xdc00...0xdfff ~= unit {
        let value = 0x10000 + (UInt32(high) & 0x3ff) << 10 + UInt32(unit) & 0x3ff
        return Self.append(value, to: &text)
      }
      text += Self.replacement
    }
    switch unit {
    case 0xd800...0xdbff: high = unit
    case 0xdc00...0xdfff: text += Self.replacement
    default: Self.append(UInt32(unit), to: &text)
    }
  }

  private static func append(_ value: UInt32, to text: inout [UInt8]) {
    if value < 0x80 { return text.append(UInt8(value)) }
    guard let scalar = Unicode.Scalar(value), let encoded = Unicode.UTF8.encode(scalar) else { return }
    text += encoded
  }

  private static let replacement: [UInt8] = [0xef, 0xbf, 0xbd]
}
