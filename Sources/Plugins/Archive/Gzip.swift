import CZlib

/// Decompresses gzip (RFC 1952) with one or more members.
enum GzipReader {
  /// Decompresses the bytes.
  /// - Parameter limit: the largest output, in bytes.
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
