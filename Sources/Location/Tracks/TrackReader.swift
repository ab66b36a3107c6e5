/// Takes a track's bytes as they come and gives its positions as soon as each is complete.
///
/// The memory it needs does not grow with the track, but for GeoJSON, which is read whole: see ``GeoJSONReader/limit``.
package final class TrackReader {
  private var reader: (any FormatReader)?
  /// Of a track whose format is not known yet.
  private var (name, beginning): (String, [UInt8]) = ("", [])

  package init(_ format: TrackFormat) { reader = format.reader }

  /// Finds out the format, from the name of the file or else from what comes, of which it waits for as much as it takes.
  package init(named name: String) {
    self.name = name
    reader = TrackFormat.guess(name: name, beginning: [])?.reader
  }

  /// Appends what these bytes complete, in the file's order; also where it throws.
  ///
  /// How the bytes are cut into pieces makes no difference.
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

  /// No more bytes come: what was begun is complete, or broken.
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

  private static let unknown = TrackError(reason: "its beginning tells no format")

  /// Places in the file that are no part of the way that was gone: a GPX file's waypoints beside a track. Known at the end.
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


extension FormatReader {
  var leftOut: Int { 0 }
}
