import CZlib

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
