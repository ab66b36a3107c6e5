import Listener
import NIOCore
import NIOHTTP1

/// The bytes of replies as sent (RFC 9112).
///
/// NIO's encoder is not used because it prevents a reply from breaking the rules.
enum ReplyBytes {
  static let goOn = "HTTP/1.1 100 Continue\r\n\r\n"

  /// Writes the status line and the fields, including the empty line.
  static func writeHead(of reply: Reply, isHead: Bool, closes: Bool, to buffer: inout ByteBuffer) {
    buffer.writeStaticString("HTTP/1.1 ")
    buffer.writeString(String(reply.status))
    buffer.writeStaticString(" ")
    buffer.writeString(HTTPResponseStatus(statusCode: reply.status).reasonPhrase)
    for field in reply.fields {
      buffer.writeStaticString("\r\n")
      buffer.writeString(field.name)
      buffer.writeStaticString(": ")
      buffer.writeString(field.value)
    }
    if reply.status >= 200, reply.status != 204, reply.status != 304 {
      if reply.delivery.isChunked {
        buffer.writeStaticString("\r\nTransfer-Encoding: chunked")
      } else {
        buffer.writeStaticString("\r\nContent-Length: ")
        buffer.writeString(String(reply.body.count + reply.delivery.padding))
      }
    }
    buffer.writeString(closes ? "\r\nConnection: close\r\n\r\n" : "\r\n\r\n")
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
