/// What has come of an answer so far, and whether it grew too large.
struct ResponseBuilder {
  enum Excess { case body(Int), headers(Int) }

  private let limits: CurlTransport.Limits
  private var headers: [Response.Field] = []
  private var headerBytes = 0
  /// Of the last answer, which may be an interim one (1xx).
  private(set) var headersAreComplete = false
  private var body: [UInt8] = []
  private(set) var excess: Excess?

  init(limits: CurlTransport.Limits = CurlTransport.Limits()) { self.limits = limits }

  func response(status: Int) -> Response { Response(status: status, headers: headers, body: body) }

  /// - Returns: false when it is too much.
  mutating func take(body bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard body.count + bytes.count <= limits.body else {
      excess = .body(limits.body)
      return false
    }
    body.append(contentsOf: bytes)
    return true
  }

  /// Takes a status line, a field, the empty line that ends them, or a trailer, which is dropped.
  /// - Returns: false when it is too much.
  mutating func take(headerLine bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    headerBytes += bytes.count
    guard headerBytes <= limits.headers else {
      excess = .headers(limits.headers)
      return false
    }
    if bytes.starts(with: "HTTP/".utf8) {
      // Each interim answer (1xx) has a header section of its own.
      (headers, headersAreComplete) = ([], false)
      return true
    }
    guard !headersAreComplete else { return true }
    let line = bytes.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
    if line.isEmpty {
      headersAreComplete = true
    } else if let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex {
      headers.append(Response.Field(text(line[..<colon]), text(line[(colon + 1)...])))
    }
    return true
  }

  private func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    let start = bytes.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    let spaces = start.reversed().prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.count
    return String(decoding: start.dropLast(spaces), as: UTF8.self)
  }
}
