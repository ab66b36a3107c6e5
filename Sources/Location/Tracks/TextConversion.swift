#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A conversion to UTF-8 by the system's iconv, for bytes that arrive in pieces. Bytes that are invalid in the encoding
/// become U+FFFD, because only names contain them: GPX numbers and element names are ASCII.
final class TextConversion {
  private static let pieceSize = 1 << 14
  /// More bytes than any character has. If so many are incomplete, they are invalid.
  private static let longestCharacter = 16

  private let conversion: iconv_t
  /// The bytes of a character that is not complete.
  private var pending: [UInt8] = []

  /// Create a conversion, or return nil if the system does not know the encoding.
  init?(from encoding: String) {
    guard let conversion = iconv_open("UTF-8", encoding), conversion != iconv_t(bitPattern: -1) else { return nil }
    self.conversion = conversion
  }

  deinit { iconv_close(conversion) }

  func convert(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var input = pending + bytes
    var text: [UInt8] = []
    text.reserveCapacity(input.count * 2)
    pending = convert(&input, appendingTo: &text)
    return text
  }

  /// The text of what is incomplete at the end of the input.
  func finish() -> [UInt8] {
    defer { pending = [] }
    return pending.isEmpty ? [] : Self.replacement
  }

  /// - Returns: The bytes of a character that is not complete.
  private func convert(_ input: inout [UInt8], appendingTo text: inout [UInt8]) -> [UInt8] {
    input.withUnsafeMutableBytes { input in
      var next = input.baseAddress?.assumingMemoryBound(to: CChar.self)
      var left = input.count
      while left > 0 {
        var error: Int32 = 0
        text += [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { output, count in
          output.withMemoryRebound(to: CChar.self) { output in
            var place = output.baseAddress
            var room = output.count
            error = iconv(conversion, &next, &left, &place, &room) == -1 ? errno : 0
            count = output.count - room
          }
        }
        if error == 0 || error == E2BIG { continue }
        if error == EINVAL, left < Self.longestCharacter {
          return Array(UnsafeRawBufferPointer(start: next, count: left))
        }
        text += Self.replacement
        next = next.map { $0 + 1 }
        left -= 1
      }
      return []
    }
  }

  private static let replacement: [UInt8] = [0xef, 0xbf, 0xbd]
}
