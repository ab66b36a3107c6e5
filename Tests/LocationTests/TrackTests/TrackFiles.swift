import Foundation
import Location
import Testing
import World

/// The recorded tracks next to the tests.
enum TrackFiles {
  static func bytes(_ name: String) throws -> [UInt8] {
    let url = try #require(Bundle.module.resourceURL).appendingPathComponent("Tracks/\(name)")
    return Array(try Data(contentsOf: url))
  }

  static func format(_ name: String) -> TrackFormat {
    switch name.split(separator: ".").last {
    case "gpx": .gpx
    case "geojson": .geojson
    case "log": .nmea
    default: .jsonl
    }
  }

  /// All readable tracks, except the session with `gpsd`.
  static let all = [
    "gpxpy/korita-zbevnica.gpx", "gpxpy/route.gpx", "gpxpy/gpx1.0_with_all_fields.gpx", "gpxpy/unicode_with_bom.gpx",
    "togeojson/Friday-Evening-Run.gpx", "togeojson/apple_watch_route.gpx", "togeojson/bad.gpx",
    "togeojson/multitrackgpx.gpx", "togeojson/run.gpx", "togeojson/wpt.gpx", "togeojson/Friday-Evening-Run.geojson",
    "togeojson/apple_watch_route.geojson", "togeojson/multitrackgpx.geojson", "togeojson/run.geojson",
    "togeojson/wpt.geojson", "gpsd/ais-18-27.log", "gpsd/beidou-gb.log", "gpsd/bu353-glonass.log",
    "gpsd/eXplorist210.log", "gpsd/garmin48.log", "gpsd/magellan-ec10.log", "gpsd/nmea-fuzzy-cases.log",
    "gpsd/tn200.log", "gpsd/ublox-8.log", "gpsd/session.jsonl",
  ]
}

/// The result of reading a track.
struct TrackOutcome: Equatable {
  var items: [TrackItem] = []
  var error: TrackError?
  var omitted = 0

  /// - Parameter sizes: The sizes of the pieces in which the bytes arrive, repeated cyclically.
  init(_ format: TrackFormat, _ bytes: [UInt8], sizes: [Int] = [.max]) { self.init(TrackReader(format), bytes, sizes) }

  init(_ reader: TrackReader, _ bytes: [UInt8], _ sizes: [Int] = [.max]) {
    do throws(TrackError) {
      var (rest, turn) = (bytes[...], 0)
      while !rest.isEmpty {
        try reader.read(Array(rest.prefix(sizes[turn % sizes.count])), into: &items)
        rest = rest.dropFirst(sizes[turn % sizes.count])
        turn += 1
      }
      try reader.finish(into: &items)
    } catch {
      self.error = error
    }
    while reader.nextBuffered(into: &items) {}
    omitted = reader.omitted
  }

  init(_ format: TrackFormat, _ text: String) { self.init(format, Array(text.utf8)) }

  var positions: [Position] {
    items.compactMap { if case .position(let position) = $0 { position } else { nil } }
  }

  var segments: Int { items.count { $0 == .segment } }

  /// The invalid items as `line: reason`.
  var broken: [String] {
    items.compactMap { if case .broken(let reason, let line) = $0 { "\(line): \(reason)" } else { nil } }
  }
}

/// Create a position from coordinates that are known to be valid.
func seen(
  _ latitude: Double, _ longitude: Double, at time: Int64? = nil, accuracy: Double? = nil
) throws -> Position {
  let coordinate = try #require(Coordinate(latitude: latitude, longitude: longitude))
  return Position(coordinate, at: time.map(Timestamp.init(milliseconds:)), accuracy: accuracy)
}

extension Position {
  /// Whether all numbers are equal except for the last bits, which depend on the order of operations.
  func isNearly(_ other: Position) -> Bool {
    abs(coordinate.latitude - other.coordinate.latitude) < 1e-11
      && abs(coordinate.longitude - other.coordinate.longitude) < 1e-11 && time == other.time
      && abs((accuracy ?? -1) - (other.accuracy ?? -1)) < 1e-9
  }
}
