/// Cuts a stream of bytes into lines, however they come: split anywhere, several at once, huge.
public struct MessageFraming: Sendable {
  private var buffer: [UInt8] = []
  /// Where the next line begins, and how far its end was looked for.
  private var start = 0
  private var searched = 0
  private let limit: Int
  private static let kept = 1 << 20

  /// - Parameter limit: of a line, in bytes.
  public init(limit: Int = Message.limit) { self.limit = limit }

  /// How many bytes wait for the end of their line.
  public var waiting: Int { buffer.count - start }

  /// Takes in what was read last.
  public mutating func append(_ bytes: some Collection<UInt8>) {
    if start == buffer.count, buffer.capacity > Self.kept {
      // What a huge line took is not kept for the small ones that follow.
      (buffer, start, searched) = ([], 0, 0)
    } else if start > 0 {
      buffer.removeFirst(start)
      (start, searched) = (0, searched - start)
    }
    buffer.append(contentsOf: bytes)
  }

  /// The next whole line without its line feed, nil where none is whole yet. Empty lines are left out.
  /// - Throws: ``MessageError/tooLong``, from then on each time.
  public mutating func next() throws(MessageError) -> [UInt8]? {
    while let end = lineFeed() {
      let line = buffer[start..<end]
      guard line.count <= limit else { throw .tooLong }
      (start, searched) = (end + 1, end + 1)
      if !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { return Array(line) }
    }
    guard waiting <= limit else { throw .tooLong }
    return nil
  }

  private mutating func lineFeed() -> Int? {
    let found = buffer.withUnsafeBufferPointer { bytes in bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) }
    searched = found ?? buffer.count
    return found
  }
}
