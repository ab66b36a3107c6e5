import CZlib

/// Decompresses with zlib, and stops as soon as the output exceeds its limit, regardless of the size that the archive
/// specifies.
struct Inflate {
  /// The start of a stream without a header and a checksum (RFC 1951).
  static let deflate = Inflate(start: czlib_start_inflating)
  /// The start of one member of a gzip file, whose checksum and size are checked (RFC 1952).
  static let gzipMember = Inflate(start: czlib_start_gunzip)

  fileprivate let start: @Sendable (UnsafeMutablePointer<z_stream>) -> Int32

  /// Decompresses the bytes.
  /// - Parameter limit: The maximum size of the output, in bytes.
  /// - Returns: The output, and the position of the first byte after the compressed data.
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
      // One byte beyond the limit reveals that the output is too large.
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

/// Decompresses gzip (RFC 1952) with one or more members.
enum GzipReader {
  /// Decompresses the bytes.
  /// - Parameter limit: The maximum size of the output, in bytes.
  /// - Throws: ``PluginContentsError`` if the data is not gzip, is damaged, or expands beyond `limit`.
  static func decompress(_ bytes: [UInt8], limit: Int) throws(PluginContentsError) -> [UInt8] {
    var output: [UInt8] = []
    var rest = bytes[...]
    repeat {
      let member = try Inflate.gzipMember.decompress(rest, limit: limit - output.count)
      output += member.output
      rest = rest[member.end...]
      // Some tools pad their output with zeros.
    } while rest.contains { $0 != 0 }
    return output
  }
}

extension [UInt8] {
  /// A little-endian number of at most four bytes. The caller must check that they are in range.
  func littleEndian(_ count: Int, at offset: Int) -> Int {
    self[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

/// Compresses to gzip (RFC 1952), without a file name and a time, so that equal bytes give equal results.
package enum GzipWriter {
  /// - Returns: nil if there is not enough memory.
  package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    guard czlib_start_gzip(&stream) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    let limit = Int(deflateBound(&stream, UInt(bytes.count)))
    var isComplete = false
    let output = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      bytes.withUnsafeBufferPointer { input in
        // zlib does not write to its input.
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(clamping: input.count)
        stream.next_out = buffer.baseAddress
        stream.avail_out = UInt32(clamping: limit)
        isComplete = deflate(&stream, Z_FINISH) == Z_STREAM_END
        count = isComplete ? limit - Int(stream.avail_out) : 0
      }
    }
    return isComplete ? output : nil
  }
}
