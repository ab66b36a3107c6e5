import Location
import Support
import Testing

/// Recordings of real receivers, compared with what other programs read from them: Python's ElementTree and pynmea2
/// 1.19 for each position of every file. The tests contain the counts and the first and last positions.
@Suite struct RecordedTrackTests {
  struct Expected: Sendable, CustomTestStringConvertible {
    var name: String
    var positions: Int
    var segments = 0
    var broken = 0
    var omitted = 0
    var error: String?
    var first: (Double, Double, Int64?, Double?) = (0, 0, nil, nil)
    var last: (Double, Double, Int64?, Double?) = (0, 0, nil, nil)
    var testDescription: String { name }
  }

  static let expected = [
    // Its first segment is empty.
    Expected(
      name: "gpxpy/korita-zbevnica.gpx", positions: 871, segments: 3, omitted: 2,
      first: (45.380600095, 14.144491442, nil, nil), last: (45.452453708, 14.018215053, 1_286_111_971_000, nil)),
    Expected(
      name: "gpxpy/route.gpx", positions: 55, segments: 1, first: (45.2787641494, 13.726695478, nil, nil),
      last: (45.2787783011, 13.7266552448, nil, nil)),
    // It has every possible field, with impossible numbers such as a dilution of 101.
    Expected(
      name: "gpxpy/gpx1.0_with_all_fields.gpx", positions: 1, segments: 2, omitted: 7,
      first: (10.1, -20.2, 1_357_041_604_000, 505), last: (10.1, -20.2, 1_357_041_604_000, 505)),
    Expected(
      name: "gpxpy/unicode_with_bom.gpx", positions: 1, segments: 1,
      first: (43.309634, 3.515386, 1_464_343_727_800, 81), last: (43.309634, 3.515386, 1_464_343_727_800, 81)),
    Expected(
      name: "togeojson/apple_watch_route.gpx", positions: 44, segments: 1,
      first: (32.064999, -81.097216, 1_576_441_195_000, 1.801682),
      last: (32.064857, -81.09652, 1_576_441_238_000, 1.06346)),
    Expected(
      name: "togeojson/multitrackgpx.gpx", positions: 117, segments: 3,
      first: (48.2805591, 8.1783223, 1_215_856_703_000, nil), last: (48.301688, 8.0555662, 1_216_019_383_000, nil)),
    Expected(
      name: "togeojson/run.gpx", positions: 206, segments: 1,
      first: (38.92747367732227, -77.02016168273985, 1_351_121_380_000, nil),
      last: (38.92482256516814, -77.02575484290719, 1_351_122_328_000, nil)),
    Expected(
      name: "togeojson/wpt.gpx", positions: 40, segments: 40, first: (51.197953, 6.679844, nil, nil),
      last: (51.195904, 6.688278, nil, nil)),
    // It contains no valid number.
    Expected(name: "togeojson/bad.gpx", positions: 0, segments: 1, broken: 2, omitted: 3),
    Expected(name: "gpsd/ais-18-27.log", positions: 0),
    Expected(
      name: "gpsd/beidou-gb.log", positions: 2,
      first: (31.247981666666668, 121.58740333333333, 1_425_274_352_438, 6),
      last: (31.248035, 121.58738, 1_425_274_353_438, 6)),
    // It starts with an RMC sentence whose GGA was not recorded.
    Expected(
      name: "gpsd/bu353-glonass.log", positions: 9,
      first: (55.686591666666665, 37.621453333333335, 1_401_092_051_000, nil),
      last: (55.68662166666667, 37.62155666666666, 1_401_092_059_000, 22.7)),
    Expected(
      name: "gpsd/eXplorist210.log", positions: 4, first: (53.22038, 6.573713333333333, 1_148_155_579_300, 13),
      last: (53.220378333333336, 6.573713333333333, 1_148_155_582_310, 12.5)),
    // Its first sentence is cut off.
    Expected(
      name: "gpsd/garmin48.log", positions: 7, broken: 1,
      first: (-45.457633333333334, 167.15275, 991_867_988_000, 10.5),
      last: (-45.457633333333334, 167.15275, 991_868_014_000, 12)),
    // Every other line ends in NUL bytes, and the receiver does not report its dilution.
    Expected(
      name: "gpsd/magellan-ec10.log", positions: 21, first: (44.0926, -121.30663333333334, 1_118_350_326_000, nil),
      last: (44.0926, -121.30663333333334, 1_118_350_366_000, nil)),
    Expected(
      name: "gpsd/nmea-fuzzy-cases.log", positions: 14,
      first: (41.574970204833335, -93.75055864083333, 1_584_538_100_600, 5),
      last: (41.5750300485, -93.75059780966667, 1_584_538_740_900, 3.5)),
    // It never had a fix, and reports positions that are not on the earth.
    Expected(
      name: "gpsd/tn200.log", positions: 0,
      error: "none of its sentences has a position, because the receiver had none"),
    // Starts in the middle of the receiver's own binary messages and ends in the middle of a sentence.
    Expected(
      name: "gpsd/ublox-8.log", positions: 72, broken: 1,
      first: (44.06889783333333, -121.31427133333334, 1_484_006_981_000, 5.05),
      last: (44.0690135, -121.31431566666667, 1_484_007_052_000, 4.9)),
    Expected(
      name: "gpsd/session.jsonl", positions: 9, first: (55.686591667, 37.621453333, 2_020_407_251_000, 48.64),
      last: (55.686621667, 37.621556667, 2_020_407_259_000, 86.26)),
  ]

  @Test(arguments: expected) func readsTheSameAsOtherPrograms(_ expected: Expected) throws {
    let outcome = TrackOutcome(TrackFiles.format(expected.name), try TrackFiles.bytes(expected.name))
    #expect(outcome.error?.reason == expected.error)
    #expect(outcome.positions.count == expected.positions)
    #expect(outcome.segments == expected.segments)
    #expect(outcome.broken.count == expected.broken, "\(outcome.broken)")
    #expect(outcome.omitted == expected.omitted)
    guard let first = outcome.positions.first, let last = outcome.positions.last else { return }
    let ends = (expected.first, expected.last)
    #expect(first.isNearly(try seen(ends.0.0, ends.0.1, at: ends.0.2, accuracy: ends.0.3)), "\(first)")
    #expect(last.isNearly(try seen(ends.1.0, ends.1.1, at: ends.1.2, accuracy: ends.1.3)), "\(last)")
  }

  /// toGeoJSON's conversion of a GPX file contains the same track.
  @Test(arguments: ["Friday-Evening-Run", "apple_watch_route", "multitrackgpx", "run"])
  func gpxAndGeoJSONContainTheSameTrack(name: String) throws {
    let gpx = TrackOutcome(.gpx, try TrackFiles.bytes("togeojson/\(name).gpx"))
    let geojson = TrackOutcome(.geojson, try TrackFiles.bytes("togeojson/\(name).geojson"))
    // GeoJSON has no accuracy for individual positions.
    let items = gpx.items.map { item in
      guard case .position(var position) = item else { return item }
      position.accuracy = nil
      return .position(position)
    }
    #expect(items == geojson.items)
    #expect(!gpx.positions.isEmpty && gpx.positions.allSatisfy { $0.time != nil })
  }

  @Test(arguments: TrackFiles.all) func detectsTheFormatFromNameAndContents(name: String) throws {
    let beginning = Array(try TrackFiles.bytes(name).prefix(4096))
    #expect(TrackFormat.guess(name: "-", beginning: beginning) == TrackFiles.format(name))
    #expect(TrackFormat.guess(name: name, beginning: beginning) == TrackFiles.format(name))
  }

  @Test(arguments: TrackFiles.all, [1, 100, .max]) func theReaderDetectsTheFormat(name: String, size: Int) throws {
    let bytes = try TrackFiles.bytes(name)
    let outcome = TrackOutcome(TrackReader(named: "-"), bytes, [size])
    #expect(outcome == TrackOutcome(TrackFiles.format(name), bytes))
  }

  @Test(arguments: TrackFiles.all) func readsSingleBytesTheSame(name: String) throws {
    let bytes = try TrackFiles.bytes(name)
    let format = TrackFiles.format(name)
    #expect(TrackOutcome(format, bytes, sizes: [1]) == TrackOutcome(format, bytes))
  }

  @Test(arguments: TrackFiles.all) func readsAnyPiecesTheSame(name: String) throws {
    let bytes = try TrackFiles.bytes(name)
    let format = TrackFiles.format(name)
    let whole = TrackOutcome(format, bytes)
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<10 {
      let sizes = (0..<7).map { _ in Int.random(in: 1...2000, using: &generator) }
      #expect(TrackOutcome(format, bytes, sizes: sizes) == whole, "seed \(seed), pieces \(sizes)")
    }
  }
}
