import CZlib

/// A decompressor for gzip (RFC 1952) with one or more members, in pieces of bounded size.
final class GunzipStream {
  /// The first bytes of gzip data.
  static let signature: [UInt8] = [0x1f, 0x8b]
  /// The size of a decompressed piece, in bytes.
  private static let pieceSize = 1 << 16

  private let state = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 8)
  /// Whether zlib has allocated its state.
  private var hasStarted = false
  private var isAtMemberEnd = false
  /// Whether something other than a member follows the last one. Some tools pad their output.
  private var hasEnded = false
  /// The number of bytes of the next member's signature that were read so far.
  private var signatureCount = 0

  init() {
    state.initialize(to: z_stream())
    hasStarted = czlib_start_gunzip(state) == Z_OK
  }

  deinit {
    if hasStarted { inflateEnd(state) }
    state.deallocate()
    output.deallocate()
  }

  /// Call `body` with each decompressed piece.
  func read(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(TrackError) -> Void
  ) throws(TrackError) {
    guard hasStarted else { throw TrackError(reason: "out of memory") }
    var rest = bytes[...]
    while !rest.isEmpty, !hasEnded {
      if isAtMemberEnd { beginMember(&rest) } else { try inflateSome(&rest, body) }
    }
  }

  /// - Throws: An error if the data ends within a member.
  func finish() throws(TrackError) {
    if !isAtMemberEnd { throw TrackError(reason: "its gzip data is cut off") }
  }

  /// Compare the bytes after a member with the signature of another one.
  private func beginMember(_ rest: inout Slice<UnsafeRawBufferPointer>) {
    guard rest.removeFirst() == Self.signature[signatureCount] else {
      hasEnded = true
      return
    }
    signatureCount += 1
    guard signatureCount == Self.signature.count else { return }
    signatureCount = 0
    isAtMemberEnd = false
    inflateReset(state)
    // The signature may have come in another piece than the rest of the header.
    var signature = Self.signature
    signature.withUnsafeMutableBufferPointer { bytes in
      (state.pointee.next_in, state.pointee.avail_in) = (bytes.baseAddress, UInt32(bytes.count))
      // A header has no output, but zlib needs a place for it.
      state.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
      state.pointee.avail_out = UInt32(output.count)
      _ = inflate(state, Z_NO_FLUSH)
    }
  }

  private func inflateSome(
    _ rest: inout Slice<UnsafeRawBufferPointer>, _ body: (UnsafeRawBufferPointer) throws(TrackError) -> Void
  ) throws(TrackError) {
    let input = UnsafeRawBufferPointer(rebasing: rest)
    // zlib does not write to its input.
    state.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    state.pointee.avail_in = UInt32(clamping: input.count)
    let given = Int(state.pointee.avail_in)
    state.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    state.pointee.avail_out = UInt32(output.count)
    let result = inflate(state, Z_NO_FLUSH)
    rest = rest.dropFirst(given - Int(state.pointee.avail_in))
    let count = output.count - Int(state.pointee.avail_out)
    if count > 0 { try body(UnsafeRawBufferPointer(rebasing: output[..<count])) }
    switch result {
    case Z_STREAM_END: isAtMemberEnd = true
    case Z_OK: break
    case Z_BUF_ERROR where count == 0 && rest.isEmpty: break
    case Z_MEM_ERROR: throw TrackError(reason: "out of memory")
    default: throw TrackError(reason: "its gzip data is damaged")
    }
  }
}
