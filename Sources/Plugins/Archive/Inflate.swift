import CZlib

/// Decompresses with zlib, and stops as soon as the output exceeds its limit, whatever size the archive claims.
struct Inflate {
  /// The start of a stream without a header and a checksum (RFC 1951).
  static let deflate = Inflate(start: czlib_start_inflating)
  /// The start of one member of a gzip file, whose checksum and size are checked (RFC 1952).
  static let gzipMember = Inflate(start: czlib_start_gunzip)

  fileprivate let start: @Sendable (UnsafeMutablePointer<z_stream>) -> Int32

  /// Decompresses the bytes.
  /// - Parameter limit: the largest output, in bytes.
  /// - Returns: the output, and the position of the first byte after the compressed data.
  /// - Throws: ``PluginContentsError`` for damaged data, and for output larger than `limit`.
  func decompress(_ input: ArraySlice<UInt8>, limit: Int) throws(PluginContentsError) -> (output: [UInt8], end: Int) {
    // zlib checks that a stream stays at its address.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    guard start(stream) == Z_OK else { throw PluginContentsError("there is not enough memory for the archive") }
    defer { inflateEnd(stream) }
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var status = Z_OK
    // The stream points into the input, so all of it is read within this closure.
    let unread = input.withUnsafeBufferPointer { bytes in
      // zlib does not write to its input.
      stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
      stream.pointee.avail_in = UInt32(clamping: bytes.count)
      // One byte more than allowed shows that there is more.
      while status == Z_OK, output.count <= limit {
        chunk.withUnsafeMutableBufferPointer { chunk in
          let size = min(chunk.count, limit - output.count + 1)
          (stream.pointee.next_out, stream.pointee.avail_out) = (chunk.baseAddress, UInt32(size))
          status = inflate(stream, Z_NO_FLUSH)
          output += chunk[..<(size - Int(stream.pointee.avail_out))]
        }
      }
      return Int(stream.pointee.avail_in)
    }
    guard output.count <= limit else { throw .largeArchive }
    switch status {
    case Z_STREAM_END: return (output, input.endIndex - unread)
    // zlib can continue only with more input.
    case Z_BUF_ERROR: throw .shortArchive
    default: throw .damagedArchive
    }
  }
}
