/// Splits a stream of bytes into lines, however the bytes arrive: split anywhere, several lines at once, or huge.
public struct MessageFraming: Sendable {
  private var buffer: [UInt8] = []
  /// The start of the next line, and the position up to which its end was searched.
  private var start = 0
  private var searched = 0
  private let limit: Int
  private static let kept = 1 << 20

  /// Creates an empty buffer.
  /// - Parameter limit: the maximum length of a line, in bytes.
  public init(limit: Int = Message.limit) { self.limit = limit }

  /// The number of bytes in the incomplete line.
  public var waiting: Int { buffer.count - start }

  /// Appends received bytes.
  public mutating func append(_ bytes: some Collection<UInt8>) {
    if start == buffer.count, buffer.capacity > Self.kept {
      // Release the memory of a huge line instead of reusing it for the small lines that follow.
      (buffer, start, searched) = ([], 0, 0)
    } else if start > 0 {
      buffer.removeFirst(start)
      (start, searched) = (0, searched - start)
    }
    buffer.append(contentsOf: bytes)
  }

  /// The next complete line without its line feed; nil if there is none yet. Empty lines are skipped.
  /// - Throws: ``MessageError/tooLong``, from then on every time.
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
