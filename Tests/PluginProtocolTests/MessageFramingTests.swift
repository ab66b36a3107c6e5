import PluginProtocol
import Testing

@Suite struct MessageFramingTests {
  private func lines(of chunks: [String], limit: Int = 100) throws -> [String] {
    var framing = MessageFraming(limit: limit)
    var lines: [String] = []
    for chunk in chunks {
      framing.append(Array(chunk.utf8))
      while let line = try framing.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    }
    return lines
  }

  @Test func linesAreCompleteHoweverTheyAreSplit() throws {
    let text = "{\"a\":1}\n{\"b\":2}\n{\"c\":3}\n"
    for size in 1...text.utf8.count {
      var rest = Substring(text)
      var chunks: [String] = []
      while !rest.isEmpty {
        chunks.append(String(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      #expect(try lines(of: chunks) == ["{\"a\":1}", "{\"b\":2}", "{\"c\":3}"], "in pieces of \(size)")
    }
  }

  @Test func anIncompleteLineIsBuffered() throws {
    #expect(try lines(of: ["{}\n{"]) == ["{}"])
    var framing = MessageFraming()
    framing.append(Array("{\"half\"".utf8))
    #expect(try framing.next() == nil)
    #expect(framing.waiting == 7)
  }

  @Test func emptyLinesAreSkipped() throws { #expect(try lines(of: ["\n\r\n  \n{}\r\n"]) == ["{}\r"]) }

  @Test func acceptsALineAtTheLimitAndRejectsOneByteMore() throws {
    #expect(try lines(of: ["12345\n"], limit: 5) == ["12345"])
    #expect(throws: MessageError.tooLong) { try lines(of: ["123456\n"], limit: 5) }
    // Even before its end has arrived: an endless line is not buffered.
    #expect(throws: MessageError.tooLong) { try lines(of: ["123", "456"], limit: 5) }
  }

  @Test func linesBeforeALongLineAreStillRead() throws {
    var framing = MessageFraming(limit: 5)
    framing.append(Array("{}\n1234567\n".utf8))
    #expect(try framing.next() == Array("{}".utf8))
    #expect(throws: MessageError.tooLong) { try framing.next() }
    #expect(throws: MessageError.tooLong) { try framing.next() }
  }

  @Test func sixteenMebibytesInSmallPiecesAreScannedOnce() throws {
    var framing = MessageFraming()
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 64 * 1024)
    for _ in 0..<256 {
      framing.append(piece)
      #expect(try framing.next() == nil)
    }
    framing.append([UInt8(ascii: "\n")])
    #expect(try framing.next()?.count == Message.limit)
  }
}
