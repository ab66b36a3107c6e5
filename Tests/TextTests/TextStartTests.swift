import Testing

@testable import Text

/// The byte order mark and the encoding of text from a user.
@Suite struct TextStartTests {
  private func pieces(_ text: [UInt8], of size: Int) throws -> [UInt8] {
    var (start, read) = (TextStart(), [UInt8]())
    for offset in stride(from: 0, to: text.count, by: size) {
      read += try start.receive(Array(text[offset..<min(offset + size, text.count)]))
    }
    return try read + start.end()
  }

  @Test(arguments: ["", "a", "ab", "{}", "{\"user_id\":1}", "é", "\u{feff}", "\u{200b}x"], ["", "\u{feff}"])
  func oneMarkIsRemoved(_ text: String, _ mark: String) throws {
    let bytes = Array((mark + text).utf8)
    let expected = mark.isEmpty && text == "\u{feff}" ? [] : Array(text.utf8)
    #expect(try TextStart.removed(from: bytes) == expected)
    for size in 1...5 { #expect(try pieces(bytes, of: size) == expected) }
  }

  @Test(
    arguments: [
      ([0xff, 0xfe, 0x7b, 0x00], ForeignEncoding.utf16), ([0xfe, 0xff, 0x00, 0x7b], .utf16),
      ([0x7b, 0x00, 0x7d, 0x00], .utf16), ([0x00, 0x7b, 0x00, 0x7d], .utf16), ([0xff, 0xfe], .utf16),
      ([0xff, 0xfe, 0x00, 0x00], .utf32), ([0x00, 0x00, 0xfe, 0xff], .utf32), ([0x7b, 0x00, 0x00, 0x00], .utf32),
      ([0x00, 0x00, 0x00, 0x7b], .utf32),
    ] as [([UInt8], ForeignEncoding)])
  func anotherEncodingIsNamed(_ bytes: [UInt8], _ encoding: ForeignEncoding) {
    #expect(throws: encoding) { try TextStart.removed(from: bytes) }
    for size in 1...4 { #expect(throws: encoding) { try pieces(bytes + bytes, of: size) } }
  }

  /// The first bytes of input that arrives slowly do not stay pending longer than needed.
  @Test func textIsPassedOnAsSoonAsItIsCertain() throws {
    var start = TextStart()
    #expect(try start.receive(Array("a".utf8)) == [])
    #expect(try start.receive(Array("\n".utf8)) == Array("a\n".utf8))
    #expect(try start.receive([0xef, 0xbb, 0xbf]) == [0xef, 0xbb, 0xbf])
  }
}
