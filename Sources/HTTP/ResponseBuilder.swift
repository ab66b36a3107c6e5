/// A response as received so far, and whether it exceeds a limit.
package struct ResponseBuilder {
  enum Excess { case body(Int), headers(Int) }

  private let limits: CurlTransport.Limits
  private var headers: [Response.Field] = []
  private var headerBytes = 0
  /// Whether the headers of the last response, which may be an interim response (1xx), are complete.
  private(set) var headersAreComplete = false
  private var body: [UInt8] = []
  private(set) var excess: Excess?

  package init(limits: CurlTransport.Limits = CurlTransport.Limits()) { self.limits = limits }

  package func response(status: Int) -> Response { Response(status: status, headers: headers, body: body) }

  /// - Returns: false if the limit is exceeded.
  mutating func receive(body bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard body.count + bytes.count <= limits.body else {
      excess = .body(limits.body)
      return false
    }
    body.append(contentsOf: bytes)
    return true
  }

  /// Accepts a status line, a field, the empty line after the fields, or a trailer. A trailer is dropped.
  /// - Returns: false if the limit is exceeded.
  package mutating func receive(headerLine bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    headerBytes += bytes.count
    guard headerBytes <= limits.headers else {
      excess = .headers(limits.headers)
      return false
    }
    if bytes.starts(with: "HTTP/".utf8) {
      // Each interim response (1xx) has its own header section.
      (headers, headersAreComplete) = ([], false)
      headers.reserveCapacity(16)
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
