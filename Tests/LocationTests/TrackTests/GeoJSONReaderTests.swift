import Location
import Testing
import World

@Suite struct GeoJSONReaderTests {
  private static func read(_ text: String) -> TrackOutcome { TrackOutcome(.geojson, text) }
  private static func feature(_ geometry: String, _ properties: String) -> TrackOutcome {
    read(#"{"type":"Feature","properties":\#(properties),"geometry":\#(geometry)}"#)
  }
  private static let line = #"{"type":"LineString","coordinates":[[2,1],[4,3,99],[6,5]]}"#
  private static let times = #"["1970-01-01T00:00:01Z",2,null]"#

  @Test func readsLongitudeFirst() throws {
    let positions = [try seen(1, 2), try seen(3, 4), try seen(5, 6)].map(TrackItem.position)
    #expect(Self.read(Self.line).items == [.segment] + positions)
    #expect(Self.read(#" {"coordinates":[2,1] ,"type":"Point"} "#).items == [.segment, positions[0]])
    #expect(
      Self.read(#"{"type":"MultiPoint","coordinates":[[2,1],[4,3]]}"#).items == [.segment, positions[0], positions[1]])
    #expect(
      Self.read(#"{"type":"MultiLineString","coordinates":[[[2,1]],[],[[4,3]]]}"#).items
        == [.segment, positions[0], .segment, .segment, positions[1]])
    #expect(
      Self.read(#"{"type":"GeometryCollection","geometries":[\#(Self.line),{"type":"Point","coordinates":[2,1]}]}"#)
        .items
        == [.segment] + positions + [.segment, positions[0]])
  }

  /// Points often have a time each, so consecutive points are assumed to form a track.
  @Test func consecutivePointsAreOneSegment() {
    let point = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[2,1]},"properties":null}"#
    let line = #"{"type":"Feature","geometry":\#(Self.line),"properties":{}}"#
    let nowhere = #"{"type":"Feature","geometry":null,"properties":{}}"#
    let outcome = Self.read(
      #"{"type":"FeatureCollection","features":[\#([point, nowhere, point, line, point].joined(separator: ","))]}"#)
    #expect(outcome.segments == 3)
    #expect(outcome.positions.count == 6)
  }

  @Test(arguments: [
    #"{"coordTimes":TIMES}"#, #"{"times":TIMES}"#, #"{"coordinateProperties":{"heart":[1],"times":TIMES}}"#,
    #"{"name":"a","coordTimes":null,"times":TIMES,"time":"never"}"#, #"{"linestringTimestamps":TIMES}"#,
    #"{"time":TIMES}"#, #"{"timestamp":TIMES}"#,
  ])
  func readsTimesFromProperties(properties: String) {
    let outcome = Self.feature(Self.line, properties.replacing("TIMES", with: Self.times))
    #expect(outcome.positions.map(\.time?.milliseconds) == [1000, 2000, nil])
    let parts = Self.feature(
      #"{"type":"MultiLineString","coordinates":[[[2,1],[4,3]],[[2,1]],[[2,1]]]}"#,
      properties.replacing("TIMES", with: #"[["1970-01-01T00:00:01Z"],[3000,4]]"#))
    #expect(parts.positions.map(\.time?.milliseconds) == [1000, nil, 3_000_000, nil])
    let flat = Self.feature(
      #"{"type":"MultiLineString","coordinates":[[[2,1],[4,3]],[],[[2,1]],[[2,1]]]}"#,
      properties.replacing("TIMES", with: Self.times))
    #expect(flat.positions.map(\.time?.milliseconds) == [1000, 2000, nil, nil])
  }

  @Test func readsEscapedNames() throws {
    let outcome = Self.read(#"{"\u0074ype":"\u0050oint","coordin\u0061tes":[2,1]}"#)
    #expect(outcome.items == [.segment, .position(try seen(1, 2))])
  }

  /// Each line's times are found where those of the previous line end, without scanning from the start again.
  @Test func readsManyLinesInLinearTime() {
    let count = 100_000
    let coordinates = repeatElement("[[2,1]]", count: count).joined(separator: ",")
    let times = repeatElement("[1]", count: count).joined(separator: ",")
    let outcome = Self.feature(
      #"{"type":"MultiLineString","coordinates":[\#(coordinates)]}"#, #"{"times":[\#(times)]}"#)
    #expect(outcome.positions.count == count)
    #expect(outcome.positions.allSatisfy { $0.time?.milliseconds == 1000 })
  }

  @Test(
    arguments: [
      (#"{"time":"1970-01-01T00:00:01Z"}"#, 1000), (#"{"timestamp":1769860800000}"#, 1_769_860_800_000),
      (#"{"when":"1970-01-01T01:00:01+01:00"}"#, 1000), (#"{"time":null,"timestamp":1}"#, 1000), (#"{"time":""}"#, nil),
      (#"{"datetime":1}"#, 1000), (#"{"ts":1}"#, 1000), (#"{"times":["1970-01-01T00:00:01Z"]}"#, 1000),
      (#"{"times":[]}"#, nil), (#"{"time":null,"coordTimes":[1]}"#, 1000),
      ("{}", nil), ("null", nil), (#"{"date":"1970-01-01T00:00:01Z"}"#, nil),
    ] as [(String, Int64?)])
  func readsTheTimeOfAPoint(properties: String, expected: Int64?) {
    let outcome = Self.feature(#"{"type":"Point","coordinates":[2,1]}"#, properties)
    #expect(outcome.positions.map(\.time?.milliseconds) == [expected])
  }

  @Test func readsTheAccuracyOfAPoint() {
    let outcome = Self.feature(#"{"type":"Point","coordinates":[2,1]}"#, #"{"accuracy":4.5}"#)
    #expect(outcome.positions.map(\.accuracy) == [4.5])
  }

  @Test(arguments: [
    ("[2]", "a position has fewer than two numbers"), ("[]", "a position has fewer than two numbers"),
    ("[2,null]", "a position contains values that are not numbers"),
    (#"["2","1"]"#, "a position contains values that are not numbers"),
    ("2", "a position is not an array"), ("null", "a position is not an array"),
    ("[2,91]", "its position is not on the earth"),
    ("[181,1]", "its position is not on the earth"),
    ("[[2,1],[2,1]]", "a position contains values that are not numbers"),
  ])
  func reportsAndSkipsInvalidPositions(position: String, reason: String) throws {
    let outcome = Self.read("{\"type\":\"LineString\",\n\"coordinates\":[[4,3],\n\(position),[2,1]]}")
    #expect(outcome.broken == ["3: \(reason)"])
    #expect(outcome.positions == [try seen(3, 4), try seen(1, 2)])
  }

  @Test func reportsPolygons() {
    let outcome = Self.read(
      #"{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}"#)
    #expect(outcome.broken == ["1: a Polygon is not a track"])
    #expect(
      Self.feature(Self.line, #"{"times":["noon","1970-01-01T00:00:01Z"]}"#).broken == ["1: its time is invalid"])
  }

  @Test(arguments: [
    ("", "it is not an object"), ("[]", "it is not an object"), ("{", "unterminated object or array"),
    ("{}", "its type '' is not a GeoJSON type"),
    (#"{"type":"Topology"}"#, "its type 'Topology' is not a GeoJSON type"),
    (#"{"type":"Point","coordinates":[1,2]} x"#, "unexpected text follows it"),
    (#"{"type":"LineString","coordinates":7}"#, "expected an array"),
    (#"{"type":"Feature","geometry":7}"#, "expected an object"),
    (#"{"type":"LineString","coordinates":[[1,2"#, "unterminated object or array"),
    (#"{"type":"LineString","coordinates":[[1,2];[3,4]]}"#, "expected a comma or a closing bracket"),
  ])
  func rejectsOtherJSON(text: String, reason: String) {
    let outcome = Self.read(text)
    #expect(outcome.error?.reason == reason)
    #expect(outcome.error?.line == 1)
  }

  @Test func reportsWhereAFileIsTruncated() {
    let outcome = Self.read("{\"type\":\"Point\",\n \"coordinates\": ?}")
    #expect(outcome.error == nil && outcome.broken == ["1: a position is not an array"] || outcome.error?.line == 2)
  }

  @Test func rejectsDeepNesting() {
    let open = String(repeating: #"{"type":"GeometryCollection","geometries":["#, count: 32)
    let close = String(repeating: "]}", count: 32)
    let outcome = Self.read("\(open)\(Self.line)\(close)")
    #expect(outcome.error?.reason == "collections are nested more than 32 levels deep")
  }

  @Test func rejectsALargeDocument() {
    let reader = TrackReader(.geojson)
    var found: [TrackItem] = []
    let piece = [UInt8](repeating: 0x20, count: 1 << 20)
    #expect(throws: TrackError(reason: "it is larger than 64 MiB, the limit for GeoJSON")) {
      for _ in 0...64 { try reader.read(piece, into: &found) }
    }
  }
}
