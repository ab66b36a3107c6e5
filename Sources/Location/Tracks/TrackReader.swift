/// A reader that parses a track as its bytes arrive.
///
/// A live track's positions are emitted as soon as they are complete. Those of a file may be held until a later part of
/// the file gives them a date or a place in the order: see ``SegmentOrder`` and ``NMEAReader``.
///
/// Memory use is bounded: see ``SegmentOrder/limit`` and ``GeoJSONReader/limit``.
package final class TrackReader {
  private let bytes = TrackBytes()
  private var reader: (any FormatReader)?
  private let isLive: Bool
  /// The name and first bytes of a track whose format is not known yet.
  private var (name, beginning): (String, [UInt8]) = ("", [])
  private var order: SegmentOrder?

  /// - Parameter isLive: Whether positions are needed as they happen.
  package init(_ format: TrackFormat, isLive: Bool = true) {
    self.isLive = isLive
    begin(format)
  }

  /// Create a reader that detects the format from the file name or else from the contents, buffering as much as it
  /// needs.
  package init(named name: String, isLive: Bool = true) {
    (self.name, self.isLive) = (name, isLive)
    if let format = TrackFormat.guess(name: name, beginning: []) { begin(format) }
  }

  /// Append the items that these bytes complete, even if it throws. Without ``isLive``, further items may be held: see
  /// ``nextHeld(into:)``.
  ///
  /// The result does not depend on how the bytes are split into pieces.
  package func read(_ bytes: UnsafeRawBufferPointer, into found: inout [TrackItem]) throws(TrackError) {
    try arranged(into: &found) { found throws(TrackError) in
      try self.bytes.read(bytes) { text throws(TrackError) in try readText(text, into: &found) }
    }
  }

  package func read(_ bytes: [UInt8], into found: inout [TrackItem]) throws(TrackError) {
    try bytes.withPiece { bytes throws(TrackError) in try read(bytes, into: &found) }
  }

  /// Finish the input: the last item is complete or invalid.
  package func finish(into found: inout [TrackItem]) throws(TrackError) {
    defer { order?.finish() }
    try arranged(into: &found) { found throws(TrackError) in
      try bytes.finish { text throws(TrackError) in try readText(text, into: &found) }
      if reader == nil, !beginning.isEmpty {
        guard let format = TrackFormat.guess(name: name, beginning: beginning) else { throw Self.unknown }
        try beginText(format, into: &found)
      }
      try reader?.finish(into: &found)
    }
  }

  /// Append some of the items that were held, in order. Call it until it returns false, after the end of the input or an
  /// error.
  package func nextHeld(into found: inout [TrackItem]) -> Bool { order?.next(into: &found) ?? false }

  /// Call `body` with an array for the items that it finds, and append those that need not be held.
  private func arranged(
    into found: inout [TrackItem], _ body: (inout [TrackItem]) throws(TrackError) -> Void
  ) throws(TrackError) {
    guard !isLive else { return try body(&found) }
    var items: [TrackItem] = []
    let result = Result { () throws(TrackError) in try body(&items) }
    order?.add(items, into: &found)
    if case .failure = result { order?.finish() }
    try result.get()
  }

  private func readText(_ text: UnsafeRawBufferPointer, into found: inout [TrackItem]) throws(TrackError) {
    if let reader { return try reader.read(text, into: &found) }
    beginning += text
    if let format = TrackFormat.guess(name: name, beginning: beginning, isLive: true) {
      try beginText(format, into: &found)
    } else if beginning.count >= TrackFormat.tellingCount {
      throw Self.unknown
    }
  }

  private func begin(_ format: TrackFormat) {
    reader = format.reader(isLive: isLive)
    if !isLive { order = SegmentOrder(sortsSegments: format.hasSegments) }
  }

  private func beginText(_ format: TrackFormat, into found: inout [TrackItem]) throws(TrackError) {
    begin(format)
    let text = beginning
    beginning = []
    try text.withPiece { text throws(TrackError) in try readText(text, into: &found) }
  }

  private static let unknown = TrackError(reason: "its format is not recognized")

  /// The number of positions that are not part of the track, such as a GPX file's waypoints next to a track. Final at
  /// the end.
  package var leftOut: Int { reader?.leftOut ?? 0 }
  /// The number of positions in segments that the file repeats. Final at the end.
  package var repeated: Int { order?.repeated ?? 0 }
}

extension TrackFormat {
  /// Whether a track of this format can consist of several recordings.
  fileprivate var hasSegments: Bool {
    switch self {
    case .gpx, .geojson: true
    case .nmea, .jsonl: false
    }
  }

  fileprivate func reader(isLive: Bool) -> any FormatReader {
    switch self {
    case .gpx: GPXReader()
    case .geojson: GeoJSONReader()
    case .nmea: NMEAReader(isLive: isLive)
    case .jsonl: JSONLinesReader()
    }
  }
}
