import JSON

/// Reads GeoJSON (RFC 7946): points and lines, alone, in features and in collections of both.
///
/// A document is one value, and what dates its positions may stand behind them; so it is kept whole and read at its end.
final class GeoJSONReader: FormatReader {
  /// The largest document, in bytes.
  static let limit = 64 << 20
  /// How deep collections may stand in one another.
  static let depthLimit = 32
  /// The values of `type` that a document may have.
  static let types = [
    "FeatureCollection", "Feature", "Point", "MultiPoint", "LineString", "MultiLineString", "GeometryCollection",
    "Polygon",
    "MultiPolygon",
  ]
  /// The names of its members that hold others.
  static let members = ["features", "geometry", "geometries", "coordinates"]

  private var bytes: [UInt8] = []

  func read(_ bytes: UnsafeRawBufferPointer, into found: inout [TrackItem]) throws(TrackError) {
    guard self.bytes.count + bytes.count <= Self.limit else {
      throw TrackError(reason: "it is larger than \(Self.limit >> 20) MiB, and GeoJSON can only be read whole")
    }
    self.bytes += bytes
  }

  func finish(into found: inout [TrackItem]) throws(TrackError) {
    let start = bytes.starts(with: ByteOrderMark.utf8) ? ByteOrderMark.utf8.count : 0
    // Swapped in and out, so that what was found before an error is not lost.
    var items: [TrackItem] = []
    swap(&items, &found)
    defer { swap(&items, &found) }
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(TrackError) in
        var document = GeoJSONDocument(bytes)
        defer { items += document.found }
        try document.read(from: start)
      }
    }
    bytes = []
    try result.get()
  }
}
