import CZlib

/// The bytes of a track in the form in which the format readers expect them: gzip is decompressed, UTF-16 becomes
/// UTF-8, and a byte order mark is removed.
///
/// The result does not depend on how the bytes are split into pieces.
final class TrackBytes {
  /// The largest decompressed size, in bytes. A track of ten million points is smaller.
  static let decompressedLimit = 4 << 30

  /// The first bytes, as long as they do not identify the form.
  private var beginning: [UInt8]? = []
  private var gzip: GunzipStream?
  private var text = TextInput()
  private var decompressedCount = 0

  /// Call `body` with each piece of the text.
  func read(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(TrackError) -> Void
  ) throws(TrackError) {
    guard var first = beginning else { return try readKnown(bytes, body) }
    first += bytes
    beginning = first
    guard first.count >= GunzipStream.signature.count else { return }
    try begin(body)
  }

  /// Finish the input: call `body` with the rest of the text.
  func finish(_ body: (UnsafeRawBufferPointer) throws(TrackError) -> Void) throws(TrackError) {
    if beginning != nil { try begin(body) }
    try text.finish(body)
    try gzip?.finish()
  }

  private func begin(_ body: (UnsafeRawBufferPointer) throws(TrackError) -> Void) throws(TrackError) {
    let first = beginning ?? []
    beginning = nil
    if first.starts(with: GunzipStream.signature) { gzip = GunzipStream() }
    try first.withPiece { bytes throws(TrackError) in try readKnown(bytes, body) }
  }

  private func readKnown(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(TrackError) -> Void
  ) throws(TrackError) {
    guard let gzip else { return try text.read(bytes, body) }
    try gzip.read(bytes) { piece throws(TrackError) in
      decompressedCount += piece.count
      guard decompressedCount <= Self.decompressedLimit else {
        throw TrackError(reason: "it is larger than \(Self.decompressedLimit >> 30) GiB when decompressed")
      }
      try text.read(piece, body)
    }
  }
}

/// Text without a byte order mark, as UTF-8 if it is UTF-16.
private struct TextInput {
  private enum Form {
    /// The first bytes, as long as they do not identify the form.
    case unknown([UInt8])
    case bytes
    case utf16(UTF16Decoder)
  }

  private var form = Form.unknown([])

  mutating func read(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(TrackError) -> Void
  ) throws(TrackError) {
    switch form {
    case .unknown(let beginning):
      let first = beginning + bytes
      form = .unknown(first)
      if first.count >= ByteOrderMark.decisiveCount { try begin(first, body) }
    case .bytes: try body(bytes)
    case .utf16(var decoder):
      let text = decoder.decode(bytes)
      form = .utf16(decoder)
      try text.withPiece(body)
    }
  }

  mutating func finish(_ body: (UnsafeRawBufferPointer) throws(TrackError) -> Void) throws(TrackError) {
    if case .unknown(let first) = form { try begin(first, body) }
    guard case .utf16(var decoder) = form else { return }
    let text = decoder.finish()
    form = .bytes
    try text.withPiece(body)
  }

  private mutating func begin(
    _ first: [UInt8], _ body: (UnsafeRawBufferPointer) throws(TrackError) -> Void
  ) throws(TrackError) {
    let mark = ByteOrderMark.find(in: first)
    form = mark.isBigEndian.map { .utf16(UTF16Decoder(isBigEndian: $0)) } ?? .bytes
    let rest = Array(first.dropFirst(mark.count))
    try rest.withPiece { bytes throws(TrackError) in try read(bytes, body) }
  }
}

/// The byte order mark that some editors write at the start of a text.
enum ByteOrderMark {
  static let utf8: [UInt8] = [0xef, 0xbb, 0xbf]
  /// The number of bytes that suffice for ``find(in:)``.
  static let decisiveCount = 4

  /// The length of the mark, and the byte order if the text is UTF-16, which is recognized without a mark as well:
  /// every track starts with ASCII characters.
  static func find(in bytes: [UInt8]) -> (count: Int, isBigEndian: Bool?) {
    if bytes.starts(with: utf8) { return (utf8.count, nil) }
    if bytes.starts(with: [0xff, 0xfe]) { return (2, false) }
    if bytes.starts(with: [0xfe, 0xff]) { return (2, true) }
    guard bytes.count >= decisiveCount else { return (0, nil) }
    let isText = bytes.prefix(decisiveCount).map { 0x09...0x0d ~= $0 || 0x20...0x7e ~= $0 }
    let isZero = bytes.prefix(decisiveCount).map { $0 == 0 }
    if isText[0], isZero[1], isText[2], isZero[3] { return (0, false) }
    if isZero[0], isText[1], isZero[2], isText[3] { return (0, true) }
    return (0, nil)
  }
}

extension [UInt8] {
  /// Call `body` with the bytes if there are any.
  func withPiece(_ body: (UnsafeRawBufferPointer) throws(TrackError) -> Void) throws(TrackError) {
    guard !isEmpty else { return }
    let result = withUnsafeBytes { bytes in Result { () throws(TrackError) in try body(bytes) } }
    try result.get()
  }
}

/// A converter from UTF-16 to UTF-8 for bytes that arrive in pieces. An unpaired surrogate becomes U+FFFD.
struct UTF16Decoder {
  private let isBigEndian: Bool
  /// The first byte of a code unit whose second byte has not arrived.
  private var half: UInt8?
  /// A high surrogate whose other half has not arrived.
  private var high: UInt16?

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  mutating func decode(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    for byte in bytes {
      guard let first = half else {
        half = byte
        continue
      }
      half = nil
      let unit = isBigEndian ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first)
      append(unit, to: &text)
    }
    return text
  }

  /// The text of an incomplete character at the end of the input.
  mutating func finish() -> [UInt8] {
    defer { (half, high) = (nil, nil) }
    return high == nil && half == nil ? [] : Self.replacement
  }

  private mutating func append(_ unit: UInt16, to text: inout [UInt8]) {
    if let high {
      self.high = nil
      if 0xdc00...0xdfff ~= unit {
        let value = 0x10000 + (UInt32(high) & 0x3ff) << 10 + UInt32(unit) & 0x3ff
        return Self.append(value, to: &text)
      }
      text += Self.replacement
    }
    switch unit {
    case 0xd800...0xdbff: high = unit
    case 0xdc00...0xdfff: text += Self.replacement
    default: Self.append(UInt32(unit), to: &text)
    }
  }

  private static func append(_ value: UInt32, to text: inout [UInt8]) {
    if value < 0x80 { return text.append(UInt8(value)) }
    guard let scalar = Unicode.Scalar(value), let encoded = Unicode.UTF8.encode(scalar) else { return }
    text += encoded
  }

  private static let replacement: [UInt8] = [0xef, 0xbf, 0xbd]
}

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
    // The signature may have arrived in a different piece than the rest of the header.
    var signature = Self.signature
    signature.withUnsafeMutableBufferPointer { bytes in
      (state.pointee.next_in, state.pointee.avail_in) = (bytes.baseAddress, UInt32(bytes.count))
      // A header has no output, but zlib needs a buffer for it.
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
    let inputCount = Int(state.pointee.avail_in)
    state.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    state.pointee.avail_out = UInt32(output.count)
    let result = inflate(state, Z_NO_FLUSH)
    rest = rest.dropFirst(inputCount - Int(state.pointee.avail_in))
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
