import Text

/// Splits the bytes of a connection into requests (RFC 9112).
///
/// It keeps the bytes that do not yet make up a part of a request, which are never more than the limits allow.
package struct RequestParser {
  package enum Part: Equatable {
    case head(RequestHead)
    case body(ArraySlice<UInt8>)
    case end
  }

  private enum State: Equatable {
    case head
    /// The number of bytes of the body that are still missing.
    case body(missing: Int)
    case chunkSize
    case chunk(missing: Int)
    case chunkEnd
    case trailer(size: Int)
    case end
  }

  private let headerLimit: Int
  private let fieldLimit: Int
  private var state = State.head
  private var bytes: [UInt8] = []
  private var position = 0
  /// The start of the bytes that were not yet searched for a line end, so that no byte is searched twice.
  private var searched = 0

  package init(_ settings: ListenerSettings) { (headerLimit, fieldLimit) = (settings.headerLimit, settings.fieldLimit) }

  /// Whether a part of a head was received, but not all of it.
  var hasPartialHead: Bool { state == .head && position < bytes.count }

  package mutating func add(_ received: some Collection<UInt8>) {
    if position == bytes.count {
      bytes.removeAll(keepingCapacity: true)
    } else {
      bytes.removeFirst(position)
    }
    (searched, position) = (max(0, searched - position), 0)
    bytes.append(contentsOf: received)
  }

  /// The next part; nil if more bytes are needed.
  package mutating func next() throws(RequestRejection) -> Part? {
    while true {
      switch state {
      case .head: return try head().map { .head($0) }
      case .body(missing: 0), .end:
        state = .head
        return .end
      case .body(let missing):
        guard let piece = take(atMost: missing) else { return nil }
        state = .body(missing: missing - piece.count)
        return .body(piece)
      case .chunk(missing: 0): state = .chunkEnd
      case .chunk(let missing):
        guard let piece = take(atMost: missing) else { return nil }
        state = .chunk(missing: missing - piece.count)
        return .body(piece)
      case .chunkSize:
        guard let line = try line(atMost: 256, of: "a chunk") else { return nil }
        let size = try Self.chunkSize(line)
        state = size == 0 ? .trailer(size: 0) : .chunk(missing: size)
      case .chunkEnd:
        guard position < bytes.count else { return nil }
        guard bytes[position] == UInt8(ascii: "\r") else { throw .syntax("a chunk is longer than its size") }
        guard try line(atMost: 0, of: "a chunk") != nil else { return nil }
        state = .chunkSize
      case .trailer(let size):
        guard let line = try line(atMost: headerLimit - size, of: "the trailer") else { return nil }
        // Trailer fields are ignored (RFC 9110, section 6.5.1).
        state = line.isEmpty ? .end : .trailer(size: size + line.count + 2)
      }
    }
  }

  private mutating func head() throws(RequestRejection) -> RequestHead? {
    // Empty lines before a request are ignored (RFC 9112, section 2.2).
    while bytes.count - position >= 2, bytes[position] == UInt8(ascii: "\r"), bytes[position + 1] == UInt8(ascii: "\n")
    {
      position += 2
    }
    guard position < bytes.count else { return nil }
    // Another protocol, such as TLS, would otherwise have to time out.
    guard bytes[position] >= 0x20 || bytes[position] == UInt8(ascii: "\r") else {
      throw .syntax("the method is not a name")
    }
    guard let end = endOfHead() else {
      // The end itself, of which up to three bytes have arrived, does not count.
      guard bytes.count - position <= headerLimit + 3 else { throw headTooLarge }
      return nil
    }
    guard end - position <= headerLimit else { throw headTooLarge }
    let head = try RequestHead(parsing: bytes[position..<end], fieldLimit: fieldLimit)
    position = end + 4
    searched = position
    switch head.framing {
    case .length(let length): state = .body(missing: length)
    case .chunked: state = .chunkSize
    }
    return head
  }

  private var headTooLarge: RequestRejection {
    RequestRejection(
      status: 431, message: "The header has more than \(headerLimit) bytes or more than \(fieldLimit) fields")
  }

  /// The index of the two line ends after a head.
  private mutating func endOfHead() -> Int? {
    var index = max(position, searched)
    while index + 3 < bytes.count {
      if bytes[index + 3] > UInt8(ascii: "\r") {
        // Not a CR or LF, so no end begins at this byte or at the three before it.
        index += 4
      } else if bytes[index] == UInt8(ascii: "\r"), bytes[index + 1] == UInt8(ascii: "\n"),
        bytes[index + 2] == UInt8(ascii: "\r"), bytes[index + 3] == UInt8(ascii: "\n")
      {
        return index
      } else {
        index += 1
      }
    }
    searched = index
    return nil
  }

  private mutating func take(atMost count: Int) -> ArraySlice<UInt8>? {
    guard position < bytes.count else { return nil }
    let end = position + min(count, bytes.count - position)
    defer { (position, searched) = (end, end) }
    return bytes[position..<end]
  }

  /// The next line, without its CR and LF.
  private mutating func line(atMost limit: Int, of subject: String) throws(RequestRejection) -> ArraySlice<UInt8>? {
    let lineFeed = bytes[max(position, searched)...].firstIndex(of: UInt8(ascii: "\n"))
    guard (lineFeed ?? bytes.count) - position <= limit + 1 else { throw .syntax("a line of \(subject) is too long") }
    guard let lineFeed else {
      searched = bytes.count
      return nil
    }
    guard lineFeed > position, bytes[lineFeed - 1] == UInt8(ascii: "\r") else {
      throw .syntax("a line of \(subject) does not end with CR and LF")
    }
    defer { (position, searched) = (lineFeed + 1, lineFeed + 1) }
    return bytes[position..<lineFeed - 1]
  }

  /// The size before a chunk, without the chunk's extensions.
  private static func chunkSize(_ line: ArraySlice<UInt8>) throws(RequestRejection) -> Int {
    let digits = line.prefix { $0 != UInt8(ascii: ";") }
    guard (1...15).contains(digits.count), !line.contains(UInt8(ascii: "\r")),
      digits.allSatisfy({ $0.hexadecimal != nil }), let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw .syntax("the size of a chunk is not a number") }
    return size
  }
}

/// The reason a request is rejected. The connection is closed after the response.
package struct RequestRejection: Error, Equatable {
  package let status: Int
  package let message: String

  init(status: Int, message: String) { (self.status, self.message) = (status, message) }

  /// A violation of the syntax of HTTP.
  static func syntax(_ reason: String) -> RequestRejection {
    RequestRejection(status: 400, message: "This is not HTTP/1.1: \(reason)")
  }

  static func tooLong(bodyLimit: Int) -> RequestRejection {
    RequestRejection(status: 413, message: "The body is longer than \(bodyLimit) bytes")
  }
}
