import JSON

/// A reader for GeoJSON (RFC 7946): points and lines, bare, in features and in collections. Several documents may follow
/// one another, in a text sequence (RFC 8142) or without separators.
///
/// The times of a document may follow its positions, so the input is buffered and read at its end.
final class GeoJSONReader: FormatReader {
  /// The maximum document size, in bytes.
  static let limit = 64 << 20
  /// The maximum nesting depth of collections.
  static let depthLimit = 32
  /// The valid values of `type` in a document.
  static let types = [
    "FeatureCollection", "Feature", "Point", "MultiPoint", "LineString", "MultiLineString", "GeometryCollection",
    "Polygon",
    "MultiPolygon",
  ]
  /// The names of members that contain other objects.
  static let members = ["features", "geometry", "geometries", "coordinates"]

  private var bytes: [UInt8] = []

  func read(_ bytes: UnsafeRawBufferPointer, into found: inout [TrackItem]) throws(TrackError) {
    guard self.bytes.count + bytes.count <= Self.limit else {
      throw TrackError(reason: "it is larger than \(Self.limit >> 20) MiB, the limit for GeoJSON")
    }
    self.bytes += bytes
  }

  func finish(into found: inout [TrackItem]) throws(TrackError) {
    // Swap the items in and out, so that those found before an error are not lost.
    var items: [TrackItem] = []
    swap(&items, &found)
    defer { swap(&items, &found) }
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(TrackError) in
        var document = GeoJSONDocument(bytes)
        defer { items += document.found }
        try document.read()
      }
    }
    bytes = []
    try result.get()
  }
}
