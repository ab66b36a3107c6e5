import HTTP
import Testing

/// Requests that two programs could read differently are rejected, and the others are split in the same way however
/// their bytes arrive.
@Suite struct RequestParserTests {
  private func parts(of text: String, pieces: Int = 1 << 20) throws(RequestRejection) -> [RequestParser.Part] {
    var parser = RequestParser(ListenerSettings(address: LoopbackAddress(port: 0)))
    var parts: [RequestParser.Part] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      parser.add(rest.prefix(pieces))
      rest = rest.dropFirst(pieces)
      while let part = try parser.next() { parts.append(part) }
    }
    return parts
  }

  private func status(of text: String) -> Int? {
    do throws(RequestRejection) {
      _ = try parts(of: text)
      return nil
    } catch {
      return error.status
    }
  }

  @Test func readsLineFieldsAndBody() throws {
    let parts = try parts(
      of: "PUT /a?b=%20 HTTP/1.1\r\nHost:localhost\r\nX-Empty:\r\nX: \t a b \t\r\nContent-Length: 3\r\n\r\nabc")
    guard case .head(let head)? = parts.first else { return #expect(Bool(false)) }
    #expect(head.line == RequestLine(method: "PUT", target: "/a?b=%20"))
    #expect(
      head.fields == [
        HeaderField("Host", "localhost"), HeaderField("X-Empty", ""), HeaderField("X", "a b"),
        HeaderField("Content-Length", "3"),
      ])
    #expect(head.framing == .length(3) && head.keepsAlive && head.minorVersion == 1)
    #expect(parts.dropFirst() == [.body(Array("abc".utf8)[...]), .end])
  }

  @Test(arguments: [1, 2, 3, 5, 8]) func theDivisionOfTheBytesDoesNotMatter(_ pieces: Int) throws {
    let text =
      "\r\nPOST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n5;q=\"x\"\r\nhello\r\n0A\r\n0123456789\r\n"
      + "0\r\nTrailer: t\r\n\r\nGET /n HTTP/1.0\r\n\r\n"
    let (whole, divided) = (try parts(of: text), try parts(of: text, pieces: pieces))
    func heads(_ parts: [RequestParser.Part]) -> [RequestParser.Part] {
      parts.filter { if case .body = $0 { false } else { true } }
    }
    func body(_ parts: [RequestParser.Part]) -> String {
      String(
        decoding: parts.flatMap { if case .body(let bytes) = $0 { Array(bytes) } else { [UInt8]() } }, as: UTF8.self)
    }
    #expect(heads(divided) == heads(whole) && heads(whole).count == 4)
    #expect(body(divided) == "hello0123456789" && body(whole) == body(divided))
  }

  @Test(arguments: [
    "GET / HTTP/1.1\nHost: a\n\n\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n",
    "GET / HTTP/1.1\r\nX: a\r\n b\r\n\r\n", "GET / HTTP/1.1\r\n X: a\r\n\r\n", "GET / HTTP/1.1\r\nX : a\r\n\r\n",
    "GET / HTTP/1.1\r\n: a\r\n\r\n", "GET / HTTP/1.1\r\nX\r\n\r\n", "GET / HTTP/1.1\r\nX: a\u{0}b\r\n\r\n",
    "GET  / HTTP/1.1\r\n\r\n", "GET / x HTTP/1.1\r\n\r\n", "GET /\t HTTP/1.1\r\n\r\n", "GET /\u{e9} HTTP/1.1\r\n\r\n",
    "G(T / HTTP/1.1\r\n\r\n", " GET / HTTP/1.1\r\n\r\n", "GET / http/1.1\r\n\r\n", "GET / HTTP/1.1 \r\n\r\n",
    "GET /\r\n\r\n",
    "POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
    "POST / HTTP/1.1\r\nContent-Length: 1, 1\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: 0x1\r\n\r\n",
    "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length:\r\n\r\n",
    "POST / HTTP/1.1\r\nTransfer-Encoding: chunked, gzip\r\n\r\n",
    "POST / HTTP/1.1\r\nTransfer-Encoding: xchunked\r\n\r\n",
    "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
    "POST / HTTP/1.1\r\nTransfer-Encoding:\r\n\r\n", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
    "\u{16}\u{3}\u{1}",
  ])
  func rejectsWhatCanBeReadDifferently(_ text: String) { #expect(status(of: text) == 400) }

  @Test(arguments: [
    "g\r\n", "-1\r\n", "+1\r\n", "0x1\r\n", " 1\r\n", "1 \r\n", "\r\n", ";x\r\n", "1\n", "1\r\nab", "1\r\na\n",
    "ffffffffffffffff\r\n", "1;\rx\r\n", "1;\(String(repeating: "x", count: 400))",
  ])
  func rejectsMalformedChunks(_ chunk: String) {
    #expect(status(of: "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)") == 400)
  }

  @Test func rejectsOtherEncodingsAndVersions() {
    #expect(status(of: "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n") == 501)
    #expect(status(of: "PRI * HTTP/2.0\r\n\r\n") == 505)
    #expect(status(of: "GET / HTTP/0.9\r\n\r\n") == 505)
  }

  @Test(arguments: [1, 1 << 20]) func headerLimitIsExact(_ pieces: Int) throws {
    let limit = ListenerSettings(address: LoopbackAddress(port: 0)).headerLimit
    let head = "GET / HTTP/1.1\r\nX: "
    let full = head + String(repeating: "x", count: limit - head.utf8.count)
    #expect(try parts(of: full + "\r\n\r\n", pieces: pieces).last == .end)
    let error = #expect(throws: RequestRejection.self) { try parts(of: full + "x\r\n\r\n", pieces: pieces) }
    #expect(error?.status == 431)
  }

  @Test func acceptsTheLargestLength() throws {
    let parts = try parts(of: "GET / HTTP/1.1\r\nContent-Length: \(Int.max)\r\n\r\nab")
    #expect(parts.last == .body(Array("ab".utf8)[...]))
    #expect(status(of: "GET / HTTP/1.1\r\nContent-Length: \(UInt64.max)\r\n\r\n") == 400)
  }

  @Test func limitsHeadsAndTrailersThatNeverEnd() {
    let head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
    #expect(status(of: head + String(repeating: "A: b\r\n", count: 8000)) == 400)
    #expect(status(of: String(repeating: "x", count: 40_000)) == 431)
    #expect(status(of: "GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 8000)) == 431)
  }

  @Test(arguments: [
    ("HTTP/1.1", "", true), ("HTTP/1.1", "close", false), ("HTTP/1.1", "x, Close", false), ("HTTP/1.1", "closed", true),
    ("HTTP/1.0", "", false), ("HTTP/1.0", "Keep-Alive", true), ("HTTP/1.0", "keep-alive, close", false),
  ])
  func readsWhetherTheConnectionStaysOpen(_ version: String, _ connection: String, _ keepsAlive: Bool) throws {
    let field = connection.isEmpty ? "" : "Connection: \(connection)\r\n"
    guard case .head(let head)? = try parts(of: "GET / \(version)\r\n\(field)\r\n").first else {
      return #expect(Bool(false))
    }
    #expect(head.keepsAlive == keepsAlive)
  }
}
