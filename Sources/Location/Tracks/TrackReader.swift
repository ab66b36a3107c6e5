/// A reader that parses a track as its bytes arrive, and emits each position as soon as it is complete.
///
/// Memory use does not grow with the track, except for GeoJSON, which is read as a whole: see
/// ``GeoJSONReader/limit``.
package final class TrackReader {
  private var reader: (any FormatReader)?
  /// The name and first bytes of a track whose format is not known yet.
  private var (name, beginning): (String, [UInt8]) = ("", [])

  package init(_ format: TrackFormat) { reader = format.reader }

  /// Create a reader that detects the format from the file name or else from the contents, buffering as much as it
  /// needs.
  package init(named name: String) {
    self.name = name
    reader = TrackFormat.guess(name: name, beginning: [])?.reader
  }

  /// Append the items that these bytes complete, in the file's order, even if it throws.
  ///
  /// The result does not depend on how the bytes are split into pieces.
  package func read(_ bytes: UnsafeRawBufferPointer, into found: inout [TrackItem]) throws(TrackError) {
    if let reader { return try reader.read(bytes, into: &found) }
    beginning += bytes
    if let format = TrackFormat.guess(name: name, beginning: beginning, isLive: true) {
      try begin(format, into: &found)
    } else if beginning.count >= TrackFormat.tellingCount {
      throw Self.unknown
    }
  }

  package func read(_ bytes: [UInt8], into found: inout [TrackItem]) throws(TrackError) {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(TrackError) in try read(bytes, into: &found) }
    }
    try result.get()
  }

  /// Finish the input: the last item is complete or invalid.
  package func finish(into found: inout [TrackItem]) throws(TrackError) {
    if reader == nil, !beginning.isEmpty {
      guard let format = TrackFormat.guess(name: name, beginning: beginning) else { throw Self.unknown }
      try begin(format, into: &found)
    }
    try reader?.finish(into: &found)
  }

  private func begin(_ format: TrackFormat, into found: inout [TrackItem]) throws(TrackError) {
    reader = format.reader
    let bytes = beginning
    beginning = []
    try read(bytes, into: &found)
  }

  private static let unknown = TrackError(reason: "its format is not recognized")

  /// The number of positions that are not part of the track, such as a GPX file's waypoints next to a track. Final at
  /// the end.
  package var leftOut: Int { reader?.leftOut ?? 0 }
}

extension TrackFormat {
  fileprivate var reader: any FormatReader {
    switch self {
    case .gpx: GPXReader()
    case .geojson: GeoJSONReader()
    case .nmea: NMEAReader()
    case .jsonl: JSONLinesReader()
    }
  }
}
