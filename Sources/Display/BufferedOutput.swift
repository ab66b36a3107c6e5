/// Writes all of the bytes or throws.
package typealias ByteWriter = (UnsafeRawBufferPointer) throws -> Void

/// Collects output and writes it in whole lines, about 32 KiB at a time.
struct BufferedOutput {
  /// Filled by the printers.
  var bytes: [UInt8] = []
  /// Whether a write has failed; nothing more is written then.
  private(set) var isBroken = false
  private let write: ByteWriter

  /// Half of a pipe's capacity on Linux, so that its reader works while the other half is filled. If the whole pipe is
  /// filled at once, writer and reader take turns, and a long list takes 50% longer.
  static let capacity = 32 * 1024

  init(write: @escaping ByteWriter) {
    self.write = write
    bytes.reserveCapacity(Self.capacity + 4096)
  }

  /// Called after each whole line.
  @inline(__always)
  mutating func endLine() throws {
    if bytes.count >= Self.capacity { try flush() }
  }

  mutating func flush() throws {
    guard !bytes.isEmpty, !isBroken else { return }
    do { try bytes.withUnsafeBytes(write) } catch {
      isBroken = true
      throw error
    }
    bytes.removeAll(keepingCapacity: true)
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
