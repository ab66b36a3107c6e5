/// Checks whether text is printable ASCII, many bytes at a time. Most of the text that the program prints is, and needs
/// no further checks.
package enum PrintableText {
  /// Below this length, words are faster than the compiler's vectors, which handle the last bytes one by one.
  private static let longText = 16

  /// Whether all bytes are from 0x20 to 0x7e.
  package static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= longText else { return words(in: bytes, are: isPrintable) }
    // Without an early end, the compiler checks 16 bytes at once.
    var problems: UInt8 = 0
    for byte in bytes { problems |= byte &- 0x20 < 0x5f ? 0 : 1 }
    return problems == 0
  }

  /// Whether all bytes are from 0x20 to 0x7e, and no two spaces follow each other.
  package static func isSingleSpaced(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= longText else { return words(in: bytes, are: isPrintableAndSingleSpaced) }
    guard isASCII(bytes) else { return false }
    var problems: UInt8 = 0
    // Of printable bytes, only two spaces have no bit but that of a space.
    for place in 1..<bytes.count { problems |= bytes[place - 1] | bytes[place] == 0x20 ? 1 : 0 }
    return problems == 0
  }

  // MARK: Short text

  private static let spaces: UInt64 = 0x2020_2020_2020_2020
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Whether each pair of neighboring bytes is in a word that is accepted.
  @inline(__always)
  private static func words(in bytes: UnsafeRawBufferPointer, are isGood: (UInt64) -> Bool) -> Bool {
    guard bytes.count >= 8 else {
      var word: UInt64 = 0x7878_7878_7878_7878
      for byte in bytes { word = word << 8 | UInt64(byte) }
      return isGood(word)
    }
    var place = 0
    // Each word begins with the last byte of the one before. The last word overlaps more.
    while place + 8 < bytes.count {
      guard isGood(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) else { return false }
      place += 7
    }
    return isGood(bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self))
  }

  @inline(__always)
  private static func isPrintable(_ word: UInt64) -> Bool {
    // Subtracting 0x20 borrows from the high bit of a control character, and adding 1 sets that of 0x7f.
    ((word &- spaces) | (word &+ 0x0101_0101_0101_0101) | word) & highBits == 0
  }

  @inline(__always)
  private static func isPrintableAndSingleSpaced(_ word: UInt64) -> Bool {
    let others = word ^ spaces
    let isSpace = ~(((others & ~highBits) &+ ~highBits) | others) & highBits
    return isPrintable(word) && isSpace & (isSpace >> 8) == 0
  }
}
