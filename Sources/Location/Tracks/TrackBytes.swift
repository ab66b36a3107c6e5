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
  /// Call `body` with the bytes, unless there are none.
  func withPiece(_ body: (UnsafeRawBufferPointer) throws(TrackError) -> Void) throws(TrackError) {
    guard !isEmpty else { return }
    let result = withUnsafeBytes { bytes in Result { () throws(TrackError) in try body(bytes) } }
    try result.get()
  }
}
