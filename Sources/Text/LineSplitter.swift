/// A splitter that turns bytes arriving in pieces into lines, and counts them.
package struct LineSplitter {
  /// The maximum line length, in bytes. A longer line is reported without its contents.
  private let limit: Int
  /// The number of the last complete line, from 1.
  package private(set) var number = 0
  private var buffered: [UInt8] = []
  private var isTooLong = false
  /// The number of bytes received of the current overlong line; 0 if the current line is not too long.
  package private(set) var excess = 0

  package init(limit: Int) { self.limit = limit }

  /// Call `body` with each line that these bytes complete, without its `\n` or `\r\n`. For a line that was too long,
  /// `body` receives nil.
  package mutating func read<Failure: Error>(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer?, _ number: Int) throws(Failure) -> Void
  ) throws(Failure) {
    var rest = bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let piece = UnsafeRawBufferPointer(rebasing: rest[..<end])
      rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
      if buffered.isEmpty, !isTooLong, piece.count <= limit {
        number += 1
        try body(Self.trimmed(piece), number)
      } else {
        buffer(piece)
        try emitBuffered(body)
      }
    }
    buffer(rest)
  }

  /// Call `body` with the last line if it has no line break.
  package mutating func finish<Failure: Error>(
    _ body: (UnsafeRawBufferPointer?, _ number: Int) throws(Failure) -> Void
  ) throws(Failure) {
    guard !buffered.isEmpty || isTooLong else { return }
    try emitBuffered(body)
  }

  private mutating func buffer(_ piece: UnsafeRawBufferPointer) {
    guard !isTooLong, buffered.count + piece.count <= limit else {
      isTooLong = true
      excess += buffered.count + piece.count
      buffered = []
      return
    }
    buffered += piece
  }

  private mutating func emitBuffered<Failure: Error>(
    _ body: (UnsafeRawBufferPointer?, _ number: Int) throws(Failure) -> Void
  ) throws(Failure) {
    let (line, wasTooLong) = (buffered, isTooLong)
    (buffered, isTooLong, excess) = ([], false, 0)
    number += 1
    guard !wasTooLong else { return try body(nil, number) }
    let number = number
    let result = line.withUnsafeBytes { bytes in
      Result { () throws(Failure) in try body(Self.trimmed(bytes), number) }
    }
    try result.get()
  }

  private static func trimmed(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    line.last == UInt8(ascii: "\r") ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
  }
}
