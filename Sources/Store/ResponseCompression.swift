import CZlib

/// Compresses IFTTT's responses for the cache. Most of a response also occurs in the document that was made from it, so
/// the document is the dictionary (RFC 1951; zlib's manual, `deflateSetDictionary`).
final class ResponseCompression {
  /// The maximum size of a response, in bytes. A larger recorded size means that the row is corrupt.
  private static let largest = 1 << 27

  private let deflating = CompressionStream(
    start: czlib_start_deflating, reset: deflateReset, setDictionary: deflateSetDictionary, process: deflate,
    end: deflateEnd)
  private let inflating = CompressionStream(
    start: czlib_start_inflating, reset: inflateReset, setDictionary: inflateSetDictionary, process: inflate,
    end: inflateEnd)

  /// Compresses a response, with its document as the dictionary.
  /// - Returns: The response itself if compression does not make it smaller; nil if there is not enough memory.
  func compressed(_ response: [UInt8], with document: [UInt8]) -> [UInt8]? {
    guard document.withUnsafeBytes(deflating.begin) else { return nil }
    let limit = Int(deflateBound(deflating.state, UInt(response.count)))
    let output = response.withUnsafeBytes { deflating.process($0, limit: limit) }
    return output.map { $0.count < response.count ? $0 : response }
  }

  /// Decompresses a response, with its document as the dictionary.
  /// - Parameter size: The number of bytes of the response.
  /// - Returns: nil if the bytes are not a response of this size, compressed with this document.
  func decompressed(
    _ bytes: UnsafeRawBufferPointer, size: Int, with document: UnsafeRawBufferPointer
  ) -> [UInt8]? {
    if bytes.count == size { return [UInt8](bytes) }
    guard 1...Self.largest ~= size, inflating.begin(with: document),
      let output = inflating.process(bytes, limit: size), output.count == size, inflating.state.pointee.avail_in == 0
    else { return nil }
    return output
  }
}

/// A zlib stream that compresses or decompresses. It is started on first use, and reused.
private final class CompressionStream {
  typealias Step = (z_streamp?) -> Int32

  let state = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let start: Step
  private let reset: Step
  private let setDictionary: (z_streamp?, UnsafePointer<UInt8>?, UInt32) -> Int32
  private let process: (z_streamp?, Int32) -> Int32
  private let end: Step
  private var hasStarted = false

  init(
    start: @escaping Step, reset: @escaping Step,
    setDictionary: @escaping (z_streamp?, UnsafePointer<UInt8>?, UInt32) -> Int32,
    process: @escaping (z_streamp?, Int32) -> Int32, end: @escaping Step
  ) {
    state.initialize(to: z_stream())
    (self.start, self.reset, self.setDictionary) = (start, reset, setDictionary)
    (self.process, self.end) = (process, end)
  }

  deinit {
    if hasStarted { _ = end(state) }
    state.deallocate()
  }

  /// Prepares for the next bytes.
  /// - Returns: false if there is not enough memory.
  func begin(with dictionary: UnsafeRawBufferPointer) -> Bool {
    guard (hasStarted ? reset(state) : start(state)) == Z_OK else { return false }
    hasStarted = true
    let bytes = dictionary.bindMemory(to: UInt8.self)
    return bytes.isEmpty || setDictionary(state, bytes.baseAddress, UInt32(clamping: bytes.count)) == Z_OK
  }

  /// Processes the whole input at once.
  /// - Returns: nil if the stream does not end within `limit` bytes of output.
  func process(_ input: UnsafeRawBufferPointer, limit: Int) -> [UInt8]? {
    // zlib does not write to its input.
    state.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
    state.pointee.avail_in = UInt32(clamping: input.count)
    var isComplete = false
    let output = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      state.pointee.next_out = buffer.baseAddress
      state.pointee.avail_out = UInt32(clamping: limit)
      isComplete = process(state, Z_FINISH) == Z_STREAM_END
      count = isComplete ? limit - Int(state.pointee.avail_out) : 0
    }
    (state.pointee.next_in, state.pointee.next_out) = (nil, nil)
    return isComplete ? output : nil
  }
}

/// The columns of a response, which is compressed with the document in the same row.
struct ResponseColumns {
  let size, bytes, document: SQLColumn

  init(_ statement: borrowing Statement) {
    (size, bytes) = (statement.column("size"), statement.column("bytes"))
    document = statement.column("document")
  }
}

extension Statement {
  /// The response in the current row.
  /// - Throws: ``StoreError`` with `store_damaged` if it cannot be decompressed.
  func response(_ compression: ResponseCompression) throws(StoreError) -> [UInt8] {
    try response(ResponseColumns(self), compression)
  }

  /// The response in the current row, with the columns of this statement.
  func response(_ columns: ResponseColumns, _ compression: ResponseCompression) throws(StoreError) -> [UInt8] {
    guard
      let response = compression.decompressed(
        columns.bytes.buffer, size: columns.size.value(), with: columns.document.buffer)
    else { throw unreadable("a response cannot be decompressed") }
    return response
  }
}
