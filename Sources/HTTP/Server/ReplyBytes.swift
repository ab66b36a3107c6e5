/// The bytes of replies as sent (RFC 9112). The delivery of a reply can break the rules of HTTP.
enum ReplyBytes {
  static let continueLine = "HTTP/1.1 100 Continue\r\n\r\n"

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
      if reply.delivery.isChunked || reply.stream != nil {
        bytes += "\r\nTransfer-Encoding: chunked".utf8
      } else {
        bytes += "\r\nContent-Length: \(reply.body.count + reply.delivery.padding)".utf8
      }
    }
    bytes += (closes ? "\r\nConnection: close\r\n\r\n" : "\r\n\r\n").utf8
  }

  /// One chunk; nothing for no bytes, because an empty chunk would end the body.
  static func chunk(_ bytes: [UInt8]) -> [UInt8] {
    bytes.isEmpty ? [] : Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
  }

  /// The chunk after the last one.
  static let lastChunk = Array("0\r\n\r\n".utf8)

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
    return bytes + (hasTrailer ? Array("0\r\nX-Trailer: ignored\r\n\r\n".utf8) : lastChunk)
  }
}

/// The texts after the status codes (RFC 9110, section 15, and RFC 6585).
enum ReasonPhrase {
  /// Empty if the status has none, which is allowed.
  static func of(_ status: Int) -> String {
    switch status {
    case 100: "Continue"
    case 101: "Switching Protocols"
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 203: "Non-Authoritative Information"
    case 204: "No Content"
    case 205: "Reset Content"
    case 206: "Partial Content"
    case 300: "Multiple Choices"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400...499: ofClientError(status)
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    default: ""
    }
  }

  private static func ofClientError(_ status: Int) -> String {
    switch status {
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 402: "Payment Required"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 407: "Proxy Authentication Required"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 417: "Expectation Failed"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 426: "Upgrade Required"
    case 428: "Precondition Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 451: "Unavailable For Legal Reasons"
    default: ""
    }
  }
}

/// A reply that is sent in pieces, is cut short, or continues.
struct SlowReply {
  enum Step {
    /// Send this, then wait before the next step.
    case send([UInt8], then: Duration)
    case reset
    case cut
    case finished(closes: Bool)
  }

  private let reply: Reply
  private let closes: Bool
  private let headBytes: Int
  private var rest: ArraySlice<UInt8>
  private var padding: Int
  private var isStarted = false
  /// The rest of the body, until it ends.
  private var stream: ReplyStream?

  init(_ reply: Reply, isHead: Bool, closes: Bool) {
    (self.reply, self.closes) = (reply, closes)
    var bytes: [UInt8] = []
    ReplyBytes.appendHead(of: reply, closes: closes, to: &bytes)
    headBytes = bytes.count
    let delivery = reply.delivery
    var body =
      isHead
      ? [] : delivery.isChunked ? ReplyBytes.chunked(reply.body, hasTrailer: delivery.hasTrailer) : reply.body
    padding = isHead || delivery.isChunked ? 0 : delivery.padding
    switch reply.delivery.completion {
    case .whole: break
    case .reset(let count):
      if let count { body = Array(body.prefix(count)) }
      padding = 0
    case .cut(let count):
      body = Array(body.prefix(count))
      padding = 0
    }
    rest = (bytes + (reply.stream == nil ? body : ReplyBytes.chunk(body)))[...]
    stream = isHead ? nil : reply.stream
  }

  var isStream: Bool { stream != nil }

  /// Ends the stream, so that the last chunk follows.
  mutating func endStream() {
    guard stream != nil else { return }
    rest += ReplyBytes.lastChunk
    stream = nil
  }

  mutating func next() -> Step {
    if case .reset(nil) = reply.delivery.completion { return .reset }
    if let drip = reply.delivery.drip, isStarted, !rest.isEmpty {
      let piece = rest.prefix(max(1, drip.bytes))
      rest = rest.dropFirst(piece.count)
      return .send(Array(piece), then: drip.pause)
    }
    if !rest.isEmpty {
      // The head is sent in one piece even if the body drips.
      let piece = reply.delivery.drip == nil ? rest : rest.prefix(headBytes)
      rest = rest.dropFirst(piece.count)
      isStarted = true
      return .send(Array(piece), then: .zero)
    }
    if padding > 0 {
      let count = min(padding, 256 * 1024)
      padding -= count
      return .send([UInt8](repeating: UInt8(ascii: " "), count: count), then: .zero)
    }
    if let stream { return .send(ReplyBytes.chunk(stream.takeNext()), then: stream.pause) }
    switch reply.delivery.completion {
    case .whole: return .finished(closes: closes || reply.stream != nil)
    case .reset: return .reset
    case .cut: return .cut
    }
  }
}
