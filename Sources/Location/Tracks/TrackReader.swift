/// Takes a track's bytes as they come and gives its positions as soon as each is complete.
///
/// The memory it needs does not grow with the track, but for GeoJSON, which is read whole: see ``GeoJSONReader/limit``.
package final class TrackReader {
  private let reader: any FormatReader

  package init(_ format: TrackFormat) {
    reader =
      switch format {
      case .gpx: GPXReader()
      case .geojson: GeoJSONReader()
      case .nmea: NMEAReader()
      case .jsonl: JSONLinesReader()
      }
  }

  /// Appends what these bytes complete, in the file's order; also where it throws.
  ///
  /// How the bytes are cut into pieces makes no difference.
  package func read(_ bytes: UnsafeRawBufferPointer, into found: inout [TrackItem]) throws(TrackError) {
    try reader.read(bytes, into: &found)
  }

  package func read(_ bytes: [UInt8], into found: inout [TrackItem]) throws(TrackError) {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(TrackError) in try reader.read(bytes, into: &found) }
    }
    try result.get()
  }

  /// No more bytes come: what was begun is complete, or broken.
  package func finish(into found: inout [TrackItem]) throws(TrackError) { try reader.finish(into: &found) }

  /// Places in the file that are no part of the way that was gone: a GPX file's waypoints beside a track. Known at the end.
  package var leftOut: Int { reader.leftOut }
}

/// The reader of one format.
protocol FormatReader: AnyObject {
  func read(_ bytes: UnsafeRawBufferPointer, into found: inout [TrackItem]) throws(TrackError)
  func finish(into found: inout [TrackItem]) throws(TrackError)
  var leftOut: Int { get }
}

extension FormatReader {
  var leftOut: Int { 0 }
}
