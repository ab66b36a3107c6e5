/// Writes all of the bytes or throws.
package typealias ByteWriter = (UnsafeRawBufferPointer) throws -> Void

/// Collects output, so that there are few writes.
struct BufferedOutput {
  /// Filled by the printers.
  var bytes: [UInt8] = []
  /// Whether a write has failed; nothing more is written then.
  private(set) var isBroken = false
  private let write: ByteWriter
  private var limit = 32 * 1024
  private var sizeOfLongWrites: (() -> Int)?
  private let writesWholeLines: Bool

  /// - Parameter sizeOfLongWrites: The number of bytes to write at a time when there is much to write. It is called once,
  ///   if ever. Nil to write whole lines only.
  init(sizeOfLongWrites: (() -> Int)?, write: @escaping ByteWriter) {
    (self.sizeOfLongWrites, self.write) = (sizeOfLongWrites, write)
    writesWholeLines = sizeOfLongWrites == nil
    bytes.reserveCapacity(limit + 4096)
  }

  /// Called after each whole line.
  @inline(__always)
  mutating func endLine() throws {
    if bytes.count >= limit { try writePart() }
  }

  private mutating func writePart() throws {
    if writesWholeLines { return try flush() }
    if let sizeOfLongWrites {
      limit = sizeOfLongWrites()
      self.sizeOfLongWrites = nil
    }
    try write(first: bytes.count / limit * limit)
  }

  mutating func flush() throws { try write(first: bytes.count) }

  private mutating func write(first count: Int) throws {
    guard count > 0, !isBroken else { return }
    do { try bytes.withUnsafeBytes { try write(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) } } catch {
      isBroken = true
      throw error
    }
    bytes.removeSubrange(..<count)
  }
}

extension [UInt8] {
  @inline(__always)
  mutating func append(_ text: String) { append(contentsOf: text.utf8) }

  @inline(__always)
  mutating func append(_ scalar: Unicode.Scalar) { append(UInt8(ascii: scalar)) }

  mutating func appendSpaces(_ count: Int) {
    if count > 0 { append(contentsOf: repeatElement(0x20, count: count)) }
  }
}
