import CExpat

/// A reader for GPX 1.0 and 1.1 (topografix.com/GPX/1/1), based on expat. It reads tracks; if there are none, routes;
/// if there are neither, waypoints.
///
/// It never loads external resources, and rejects a document that declares entities. Tracks do not need them, and
/// entities that refer to one another can expand without limit.
final class GPXReader: FormatReader {
  /// The longest tag or text that expat may buffer, in bytes.
  static let markupLimit = 1 << 20
  /// The maximum nesting depth of elements.
  static let depthLimit = 100
  /// The size of the pieces passed to expat, in bytes. Expat copies its input, so its buffer grows to the largest
  /// piece.
  private static let pieceSize = 1 << 16

  private let parser: OpaquePointer?
  private let document: UnsafeMutablePointer<GPXDocument>
  private var count = 0
  /// The first bytes, until the encoding is known.
  private var beginning: [UInt8]? = []
  private var conversion: TextConversion?

  init() {
    parser = XML_ParserCreate(nil)
    document = .allocate(capacity: 1)
    document.initialize(to: GPXDocument(parser: parser))
    XML_SetUserData(parser, document)
    XML_SetElementHandler(parser, beginElement, endElement)
    XML_SetEntityDeclHandler(parser, rejectEntity)
    XML_SetUnknownEncodingHandler(parser, describeEncoding, nil)
  }

  deinit {
    XML_ParserFree(parser)
    document.deinitialize(count: 1)
    document.deallocate()
  }

  func read(_ bytes: UnsafeRawBufferPointer, into found: inout [TrackItem]) throws(TrackError) {
    guard beginning != nil else { return try readKnown(bytes, into: &found) }
    beginning? += bytes
    try begin(isComplete: false, into: &found)
  }

  func finish(into found: inout [TrackItem]) throws(TrackError) {
    if beginning != nil { try begin(isComplete: true, into: &found) }
    if let rest = conversion?.finish() { try readText(rest, into: &found) }
    try parse(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true, into: &found)
    document.pointee.choice.finish(into: &found)
  }

  /// Determine the encoding and read the first bytes, if they suffice.
  private func begin(isComplete: Bool, into found: inout [TrackItem]) throws(TrackError) {
    guard let first = beginning,
      case .encoding(let name) = XMLDeclaration.find(in: first, isComplete: isComplete)
    else { return }
    beginning = nil
    switch XMLEncoding(declaredAs: name) {
    case .declared: break
    case .utf8: XML_SetEncoding(parser, "UTF-8")
    case .converted(let name):
      XML_SetEncoding(parser, "UTF-8")
      conversion = TextConversion(from: name)
      guard conversion != nil else {
        throw TrackError(reason: "this system cannot convert its encoding, \(name), to UTF-8", line: 1)
      }
    }
    try first.withPiece { bytes throws(TrackError) in try readKnown(bytes, into: &found) }
  }

  private func readKnown(_ bytes: UnsafeRawBufferPointer, into found: inout [TrackItem]) throws(TrackError) {
    guard let conversion else { return try readText(bytes, into: &found) }
    try readText(conversion.convert(bytes), into: &found)
  }

  private func readText(_ text: [UInt8], into found: inout [TrackItem]) throws(TrackError) {
    try text.withPiece { bytes throws(TrackError) in try readText(bytes, into: &found) }
  }

  private func readText(_ bytes: UnsafeRawBufferPointer, into found: inout [TrackItem]) throws(TrackError) {
    var rest = bytes
    while !rest.isEmpty {
      let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.pieceSize))
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Self.pieceSize))
      try parse(piece, isLast: false, into: &found)
      count += piece.count
      // Expat rescans bytes that it cannot emit yet with every piece, so their number is limited.
      if count - max(0, Int(XML_GetCurrentByteIndex(parser))) > Self.markupLimit {
        throw TrackError(reason: "a piece of markup is longer than \(Self.markupLimit) bytes", at: parser)
      }
    }
  }

  var omitted: Int { document.pointee.choice.omitted }

  private func parse(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool, into found: inout [TrackItem]
  ) throws(TrackError) {
    guard parser != nil else { throw TrackError(reason: "out of memory") }
    swap(&document.pointee.found, &found)
    defer { swap(&document.pointee.found, &found) }
    let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    guard XML_Parse(parser, start, Int32(bytes.count), isLast ? 1 : 0) != XML_STATUS_OK else { return }
    let message = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
    throw document.pointee.rejection ?? TrackError(reason: message ?? "it is not XML", at: parser)
  }
}

/// The callbacks for expat; each finds the document through its first argument.
private func beginElement(
  _ data: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?,
  _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
) {
  guard let name, let attributes else { return }
  data?.assumingMemoryBound(to: GPXDocument.self).pointee.begin(name, attributes)
}

private func endElement(_ data: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?) {
  data?.assumingMemoryBound(to: GPXDocument.self).pointee.end()
}

private func rejectEntity(
  _ data: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?, _ isParameter: Int32,
  _ value: UnsafePointer<XML_Char>?, _ count: Int32, _ base: UnsafePointer<XML_Char>?,
  _ system: UnsafePointer<XML_Char>?, _ publicName: UnsafePointer<XML_Char>?, _ notation: UnsafePointer<XML_Char>?
) {
  data?.assumingMemoryBound(to: GPXDocument.self).pointee.reject(
    "it declares an entity, which is not allowed in a track")
}

/// Describe a single-byte encoding that expat does not support. Only the ASCII range matters, which is the same in all
/// of them: numbers and element names in GPX contain only ASCII. The other bytes are read as ISO 8859-1.
private func describeEncoding(
  _ data: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?, _ encoding: UnsafeMutablePointer<XML_Encoding>?
) -> Int32 {
  guard let name, let encoding else { return 0 }
  let lowered = String(cString: name).lowercased()
  guard singleByteNames.contains(where: lowered.hasPrefix) else { return 0 }
  withUnsafeMutableBytes(of: &encoding.pointee.map) { map in
    let entries = map.bindMemory(to: Int32.self)
    for byte in entries.indices { entries[byte] = Int32(byte) }
  }
  encoding.pointee.convert = nil
  encoding.pointee.release = nil
  encoding.pointee.data = nil
  return 1
}

/// The beginnings of the names of single-byte encodings that contain ASCII.
private let singleByteNames = [
  "windows-125", "windows125", "windows-874", "cp125", "cp874", "iso-8859-", "iso8859", "iso_8859", "latin", "koi8-",
  "macintosh", "x-mac-", "tis-620",
]
