import CZlib

/// Compresses IFTTT's responses for the cache. Most of a response also occurs in the document that was made from it, so
/// the document is the dictionary (RFC 1951; zlib's manual, `deflateSetDictionary`).
final class ResponseCompression {
  /// More than any response has, in bytes. A larger size can only be damage.
  private static let largest = 1 << 27

  private let deflating = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let inflating = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var hasStarted = (deflating: false, inflating: false)

  init() {
    deflating.initialize(to: z_stream())
    inflating.initialize(to: z_stream())
  }

  deinit {
    if hasStarted.deflating { deflateEnd(deflating) }
    if hasStarted.inflating { inflateEnd(inflating) }
    deflating.deallocate()
    inflating.deallocate()
  }

  /// - Returns: The response itself if compression does not make it smaller; nil if there is not enough memory.
  func compressed(_ response: [UInt8], with document: [UInt8]) -> [UInt8]? {
    if !hasStarted.deflating {
      guard czlib_start_deflating(deflating) == Z_OK else { return nil }
      hasStarted.deflating = true
    } else if deflateReset(deflating) != Z_OK {
      return nil
    }
    if !document.isEmpty {
      let result = document.withUnsafeBufferPointer {
        deflateSetDictionary(deflating, $0.baseAddress, UInt32(clamping: $0.count))
      }
      guard result == Z_OK else { return nil }
    }
    let limit = Int(deflateBound(deflating, UInt(response.count)))
    return response.withUnsafeBytes { input -> [UInt8]? in
      var isComplete = false
      let output = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
        isComplete = Self.run(deflating, from: input, to: UnsafeMutableRawBufferPointer(buffer), deflate)
        count = isComplete ? limit - Int(deflating.pointee.avail_out) : 0
      }
      return isComplete ? output.count < response.count ? output : response : nil
    }
  }

  /// - Parameter size: the number of bytes of the response.
  /// - Returns: nil if the bytes are not a response of this size, compressed with this document.
  func decompressed(
    _ bytes: UnsafeRawBufferPointer, size: Int, with document: UnsafeRawBufferPointer
  ) -> [UInt8]? {
    if bytes.count == size { return [UInt8](bytes) }
    guard 1...Self.largest ~= size else { return nil }
    if !hasStarted.inflating {
      guard czlib_start_inflating(inflating) == Z_OK else { return nil }
      hasStarted.inflating = true
    } else if inflateReset(inflating) != Z_OK {
      return nil
    }
    if !document.isEmpty {
      let dictionary = document.bindMemory(to: UInt8.self)
      guard inflateSetDictionary(inflating, dictionary.baseAddress, UInt32(clamping: dictionary.count)) == Z_OK else {
        return nil
      }
    }
    var isComplete = false
    let output = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      isComplete = Self.run(inflating, from: bytes, to: UnsafeMutableRawBufferPointer(buffer), inflate)
      count = isComplete ? size : 0
    }
    return isComplete && inflating.pointee.avail_out == 0 && inflating.pointee.avail_in == 0 ? output : nil
  }

  /// Processes the whole input at once.
  /// - Returns: Whether the stream ended within the output.
  private static func run(
    _ stream: UnsafeMutablePointer<z_stream>, from input: UnsafeRawBufferPointer,
    to output: UnsafeMutableRawBufferPointer, _ step: (z_streamp?, Int32) -> Int32
  ) -> Bool {
    // zlib does not write to its input.
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(clamping: input.count)
    stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_out = UInt32(clamping: output.count)
    defer { (stream.pointee.next_in, stream.pointee.next_out) = (nil, nil) }
    return step(stream, Z_FINISH) == Z_STREAM_END
  }
}

extension Statement {
  /// The response in the current row, which is compressed with the document in the same row.
  /// - Throws: ``StoreError`` with `store_damaged` if it cannot be decompressed.
  func response(
    size: Int32, bytes: Int32, document: Int32, _ compression: ResponseCompression
  ) throws(StoreError) -> [UInt8] {
    guard
      let response = compression.decompressed(
        buffer(bytes), size: Int(truncatingIfNeeded: integer(size)), with: buffer(document))
    else { throw unreadable("a response cannot be decompressed") }
    return response
  }
}
