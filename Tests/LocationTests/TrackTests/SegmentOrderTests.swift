import Location
import Testing
import World

/// The order of a file's segments, and the times of positions before the first one.
@Suite struct SegmentOrderTests {
  /// Reads a file as a whole, or in pieces.
  private static func read(_ text: String, as format: TrackFormat = .gpx, pieces: Int = .max) -> TrackOutcome {
    TrackOutcome(TrackReader(format, isLive: false), Array(text.utf8), [pieces])
  }

  /// A track with a segment for each list of seconds; nil stands for a position without a time.
  private static func gpx(_ segments: [[Int64?]]) -> String {
    let body = segments.map { seconds in
      let points = seconds.map { second in
        let time = second.map { "<time>\(Timestamp(milliseconds: $0 * 1000).rfc3339)</time>" } ?? ""
        return #"<trkpt lat="\#((second ?? 0) % 90)" lon="1">\#(time)</trkpt>"#
      }
      return "<trkseg>\(points.joined())</trkseg>"
    }
    return "<gpx><trk>\(body.joined())</trk></gpx>"
  }

  private static func seconds(_ outcome: TrackOutcome) -> [Int64?] {
    outcome.positions.map { ($0.time?.milliseconds).map { $0 / 1000 } }
  }

  @Test func segmentsAreInTheOrderOfTheirFirstTimes() {
    let outcome = Self.read(Self.gpx([[30, 31], [], [10, 11], [20, 5]]))
    #expect(Self.seconds(outcome) == [10, 11, 20, 5, 30, 31], "the order within a segment is kept")
    #expect(outcome.segments == 3)
  }

  /// Overlapping recordings are each complete.
  @Test func overlappingSegmentsAreNotMerged() {
    #expect(Self.seconds(Self.read(Self.gpx([[15, 25], [10, 20]]))) == [10, 20, 15, 25])
  }

  @Test func aSegmentWithoutTimesStaysAfterItsPredecessor() {
    let outcome = Self.read(Self.gpx([[30], [nil], [10], [nil, nil]]))
    #expect(Self.seconds(outcome) == [10, nil, nil, 30, nil])
  }

  @Test func positionsBeforeTheFirstTimeGetIt() {
    let outcome = Self.read(Self.gpx([[nil, nil], [nil, 20, nil], [10]]))
    #expect(Self.seconds(outcome) == [10, 10, 10, nil, 20, nil])
    #expect(outcome.positions.map(\.isTimeBorrowed) == [true, true, false, false, false, false])
  }

  @Test func withoutTimesNothingChanges() {
    let outcome = Self.read(Self.gpx([[nil, nil], [nil]]))
    #expect(Self.seconds(outcome) == [nil, nil, nil] && outcome.segments == 2)
  }

  @Test func aRepeatedSegmentIsSkipped() {
    let reader = TrackReader(.gpx, isLive: false)
    let outcome = TrackOutcome(reader, Array(Self.gpx([[10, 11], [20], [10, 11], [10, 12]]).utf8))
    #expect(Self.seconds(outcome) == [10, 11, 10, 12, 20] && reader.repeated == 2)
  }

  @Test func aLiveTrackKeepsItsOrder() {
    #expect(Self.seconds(TrackOutcome(.gpx, Self.gpx([[30], [nil, 10]]))) == [30, nil, 10])
  }

  @Test func linesBeforeTheFirstTimeWaitForIt() {
    let lines = (0..<3).map { #"{"lat":\#($0),"lon":1\#($0 < 2 ? "" : #","time":9"#)}"# }.joined(separator: "\n")
    for pieces in [1, 7, Int.max] {
      let outcome = Self.read(lines + "\n{\"lat\":1,\"lon\":1}", as: .jsonl, pieces: pieces)
      #expect(Self.seconds(outcome) == [9, 9, 9, nil])
    }
  }

  @Test func geojsonLinesAreSorted() {
    func line(_ second: Int) -> String {
      #"{"type":"Feature","properties":{"times":[\#(second),\#(second + 1)]},"#
        + #""geometry":{"type":"LineString","coordinates":[[1,1],[2,2]]}}"#
    }
    let outcome = Self.read(
      #"{"type":"FeatureCollection","features":[\#(line(50)),\#(line(20))]}"#, as: .geojson)
    #expect(Self.seconds(outcome) == [20, 21, 50, 51])
  }

  /// What was read before an error is used.
  @Test func aCutFileIsSorted() {
    let outcome = Self.read(String(Self.gpx([[30], [10, 11]]).dropLast(30)))
    #expect(outcome.error != nil && Self.seconds(outcome) == [10, 30])
  }

  /// Far more positions than a batch, in pieces.
  @Test func longTracksAreComplete() {
    let segments = [20_000, 0, 10_000].map { (start: Int64) in (0..<10_000).map { Optional(start + $0) } }
    for pieces in [1 << 16, .max] {
      #expect(Self.seconds(Self.read(Self.gpx(segments), pieces: pieces)) == (0..<30_000).map { Optional($0) })
    }
  }

  /// The times of waypoints and routes usually are those of their creation.
  @Test(
    arguments: [
      ([10, 20, 30], true), ([10, 10, 20], true), ([nil, 10, 20], true), ([10], true), ([20, 10, 30], false),
      ([10, 10], false), ([nil, 30, 20], false),
    ] as [([Int64?], Bool)])
  func timesOfWaypointsCountIfTheyAscend(seconds: [Int64?], count: Bool) {
    for (name, container) in [("wpt", ""), ("rtept", "rte")] {
      let points = seconds.map { second in
        let time = second.map { "<time>\(Timestamp(milliseconds: $0 * 1000).rfc3339)</time>" } ?? ""
        return #"<\#(name) lat="1" lon="\#(second ?? 0)">\#(time)</\#(name)>"#
      }.joined()
      let body = container.isEmpty ? points : "<\(container)>\(points)</\(container)>"
      let outcome = TrackOutcome(.gpx, "<gpx>\(body)</gpx>")
      #expect(Self.seconds(outcome) == (count ? seconds : seconds.map { _ in nil }), "\(name)")
    }
  }

  /// Each route is in order, but the second was created before the first.
  @Test func timesOfAllRoutesMustAscend() {
    func route(_ second: Int64) -> String {
      let points = [second, second + 1].map {
        #"<rtept lat="1" lon="2"><time>\#(Timestamp(milliseconds: $0 * 1000).rfc3339)</time></rtept>"#
      }
      return "<rte>\(points.joined())</rte>"
    }
    #expect(Self.seconds(Self.read("<gpx>\(route(10))\(route(20))</gpx>")) == [10, 11, 20, 21])
    #expect(Self.seconds(Self.read("<gpx>\(route(20))\(route(10))</gpx>")) == [nil, nil, nil, nil])
  }
}
