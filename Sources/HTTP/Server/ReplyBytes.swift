/// The bytes of replies as sent (RFC 9112). A reply can break the rules of HTTP if it says so.
enum ReplyBytes {
  static let goOn = "HTTP/1.1 100 Continue\r\n\r\n"

  /// Appends the status line and the fields, including the empty line.
  static func appendHead(of reply: Reply, closes: Bool, to bytes: inout [UInt8]) {
    bytes += "HTTP/1.1 \(reply.status) \(ReasonPhrase.of(reply.status))".utf8
    for field in reply.fields {
      bytes += "\r\n".utf8
      bytes += field.name.utf8
      bytes += ": ".utf8
      bytes += field.value.utf8
    }
    if reply.status >= 200, reply.status != 204, reply.status != 304 {
      if reply.delivery.isChunked {
        bytes += "\r\nTransfer-Encoding: chunked".utf8
      } else {
        bytes += "\r\nContent-Length: \(reply.body.count + reply.delivery.padding)".utf8
      }
    }
    bytes += (closes ? "\r\nConnection: close\r\n\r\n" : "\r\n\r\n").utf8
  }

  /// The body in chunks of one byte, two, three and so on up to a thousand; the first has a chunk extension.
  static func chunked(_ body: [UInt8], hasTrailer: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = body[...]
    var size = 1
    while !rest.isEmpty {
      let chunk = rest.prefix(size)
      rest = rest.dropFirst(size)
      bytes += "\(String(chunk.count, radix: 16))\(size == 1 ? ";part=first" : "")\r\n".utf8
      bytes += chunk
      bytes += "\r\n".utf8
      size = min(size + 1, 1000)
    }
    bytes += (hasTrailer ? "0\r\nX-Trailer: ignored\r\n\r\n" : "0\r\n\r\n").utf8
    return bytes
  }
}
