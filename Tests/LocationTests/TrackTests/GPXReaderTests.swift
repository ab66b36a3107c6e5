import Location
import Testing
import World

@Suite struct GPXReaderTests {
  private static func gpx(_ body: String) -> TrackOutcome {
    TrackOutcome(.gpx, "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\">\(body)</gpx>")
  }

  private static func track(_ points: String) -> TrackOutcome { gpx("<trk><trkseg>\(points)</trkseg></trk>") }

  @Test func readsCoordinateTimeAndAccuracy() throws {
    let outcome = Self.track(
      """
      <trkpt lat="52.5" lon="13.25"><ele>34</ele><time>2026-03-04T18:42:09.25+01:00</time><hdop>1.5</hdop></trkpt>
      <trkpt lon=" 13.5 " lat="+52.75"/>
      """)
    #expect(
      outcome.positions == [
        try seen(52.5, 13.25, at: 1_772_646_129_250, accuracy: 7.5), try seen(52.75, 13.5),
      ])
    #expect(outcome.items.first == .segment)
  }

  @Test func eachSegmentAndRouteIsASegment() throws {
    let point = #"<trkpt lat="1" lon="2"/>"#
    let outcome = Self.gpx("<trk><trkseg>\(point)</trkseg><trkseg>\(point)</trkseg></trk><trk><trkseg/></trk>")
    let position = TrackItem.position(try seen(1, 2))
    #expect(outcome.items == [.segment, position, .segment, position, .segment])
    let routes = Self.gpx(#"<rte><rtept lat="1" lon="2"/></rte><rte><rtept lat="1" lon="2"/></rte>"#)
    #expect(routes.items == [.segment, position, .segment, position])
  }

  @Test func waypointsAloneAreATrack() throws {
    let outcome = Self.gpx(#"<wpt lat="1" lon="2"><time>2026-01-01T00:00:00Z</time></wpt><wpt lat="3" lon="4"/>"#)
    #expect(
      outcome.items == [
        .segment, .position(try seen(1, 2, at: 1_767_225_600_000)), .segment, .position(try seen(3, 4)),
      ])
  }

  @Test func routesAndWaypointsNextToATrackAreSkippedAndCounted() throws {
    let (way, route, track) = (
      #"<wpt lat="1" lon="2"/>"#, #"<rte><rtept lat="3" lon="4"/><rtept lat="5" lon="6"/></rte>"#,
      #"<trk><trkseg><trkpt lat="7" lon="8"/></trkseg></trk>"#
    )
    let all = Self.gpx(way + way + route + track + way)
    #expect(all.positions == [try seen(7, 8)])
    #expect(all.omitted == 5)
    let routes = Self.gpx(way + route)
    #expect(routes.positions == [try seen(3, 4), try seen(5, 6)])
    #expect(routes.omitted == 1)
    #expect(Self.gpx("<metadata/>").items.isEmpty)
  }

  /// Some programs write an empty track into every file.
  @Test(arguments: ["<trk/>", "<rte/>", "<trk><name>n</name><trkseg/></trk>", "<rte><name>n</name></rte><trk/>"])
  func anEmptyTrackDoesNotReplaceWaypoints(empty: String) throws {
    let way = #"<wpt lat="1" lon="2"/>"#
    for body in [way + empty, empty + way] {
      #expect(Self.gpx(body).items == [.segment, .position(try seen(1, 2))])
      #expect(Self.gpx(body).omitted == 0)
    }
  }

  /// The route is out of the order that the standard requires.
  @Test func aRouteAfterATrackIsCounted() throws {
    let route = #"<rte><name>n</name><rtept lat="3" lon="4"><ele>1</ele></rtept><rtept lat="5" lon="6"/></rte>"#
    let outcome = Self.gpx(#"<trk><trkseg><trkpt lat="7" lon="8"/></trkseg></trk>"# + route + route)
    #expect(outcome.positions == [try seen(7, 8)])
    #expect(outcome.omitted == 4)
  }

  /// So many waypoints are not buffered.
  @Test func manyWaypointsAreEmittedImmediately() {
    let many = String(repeating: #"<wpt lat="1" lon="2"/>"#, count: 6000)
    let reader = TrackReader(.gpx)
    var found: [TrackItem] = []
    #expect(throws: Never.self) {
      try reader.read(Array("<gpx>\(many)".utf8), into: &found)
      #expect(found.count == 12_000)
      try reader.read(Array(#"<trk><trkseg><trkpt lat="7" lon="8"/></trkseg></trk></gpx>"#.utf8), into: &found)
      try reader.finish(into: &found)
    }
    #expect(found.count == 12_002)
    #expect(reader.omitted == 0)
  }

  @Test(
    arguments: [
      ("<hdop>2</hdop>", 10), ("<hdop>0</hdop>", nil), ("<hdop>x</hdop>", nil), ("<hdop>-1</hdop>", nil),
      ("<extensions><hAcc>4.5</hAcc></extensions>", 4.5),
      ("<hdop>2</hdop><extensions><a:b><a:accuracy> 4.5 </a:accuracy></a:b></extensions>", 4.5),
      ("<extensions><hAcc>4.5</hAcc></extensions><hdop>2</hdop>", 4.5),
      ("<extensions><hAcc>-1</hAcc></extensions>", -1), ("<extensions><vAcc>4.5</vAcc></extensions>", nil),
      ("<extensions><time>2026-01-01T00:00:00Z</time><hdop>3</hdop></extensions>", nil), ("<x:hdop>2</x:hdop>", nil),
    ] as [(String, Double?)])
  func readsAccuracyFromDilutionOrExtensions(children: String, expected: Double?) throws {
    let outcome = Self.track(#"<trkpt lat="1" lon="2">\#(children)</trkpt>"#)
    #expect(outcome.items == [.segment, .position(try seen(1, 2, accuracy: expected))])
  }

  @Test func acceptsNamespacePrefixes() throws {
    let outcome = TrackOutcome(
      .gpx,
      """
      <?xml version="1.0"?>
      <g:gpx xmlns:g="http://www.topografix.com/GPX/1/1" xmlns:o="urn:other"><g:trk><g:trkseg>
      <g:trkpt lat="1" lon="2"><o:time>never</o:time><time>never</time><g:time>1970-01-01T00:00:01Z</g:time></g:trkpt>
      <trkpt lat="3" lon="4"/><o:trkpt lat="3" lon="4"/></g:trkseg></g:trk></g:gpx>
      """)
    #expect(outcome.items == [.segment, .position(try seen(1, 2, at: 1000))])
    #expect(outcome.error == nil)
  }

  @Test func ignoresPointsInOtherElements() throws {
    let outcome = Self.gpx(
      """
      <metadata><time>never</time><bounds/><extensions><wpt lat="9" lon="9"/></extensions></metadata>
      <trk><name>trkpt</name><trkpt lat="9" lon="9"/><extensions><trkseg><trkpt lat="9" lon="9"/></trkseg></extensions>
      <trkseg><link><trkpt lat="9" lon="9"/></link><trkpt lat="1" lon="2"><link><time>never</time></link>
      <extensions><trkpt lat="9" lon="9"><time>never</time></trkpt></extensions></trkpt></trkseg></trk>
      """)
    #expect(outcome.items == [.segment, .position(try seen(1, 2))])
  }

  @Test(arguments: [
    (#"lat="1""#, "a point without a longitude"), (#"lon="1""#, "a point without a latitude"),
    ("", "a point without a latitude"), (#"lat="" lon="1""#, "a latitude that is not a number"),
    (#"lat="1" lon="1,5""#, "a longitude that is not a number"),
    (#"lat="91" lon="1""#, "a position that is not on the earth"),
    (#"lat="1" lon="-180.5""#, "a position that is not on the earth"),
    (#"lat="NaN" lon="1""#, "a latitude that is not a number"),
  ])
  func reportsAndSkipsInvalidCoordinates(attributes: String, reason: String) throws {
    let outcome = Self.track(
      "\n<trkpt \(attributes)><time>2026-01-01T00:00:00Z</time></trkpt><trkpt lat=\"1\" lon=\"2\"/>")
    #expect(outcome.broken == ["2: \(reason)"])
    #expect(outcome.positions == [try seen(1, 2)])
  }

  @Test(arguments: [
    "yesterday", "2026-01-01", "2026-01-01T00:00:00Z0", "<b>2026-01-01T00:00:00Z</b>x", "1767225600",
    String(repeating: "2026", count: 100),
  ])
  func skipsPositionsWithInvalidTimes(time: String) {
    #expect(
      Self.track("<trkpt lat=\"1\" lon=\"2\">\n<time>\(time)</time></trkpt>").broken == [
        "2: an invalid time"
      ])
  }

  @Test(
    arguments: [
      ("<time/>", nil), ("<time> \n </time>", nil), ("<time>\n  1970-01-01T00:00:01  </time>", 1000),
      ("<time>1970-01-01T00:00:0&#49;Z</time>", 1000), ("<time><![CDATA[1970-01-01T00:00:01Z]]></time>", 1000),
      ("<time>1970-01-01T00:00:01<!-- a second -->Z</time>", 1000), ("<time>1970-01-01T01:00:01+01:00</time>", 1000),
      (
        "<time>\(String(repeating: " ", count: 500))1970-01-01T00:00:01Z\(String(repeating: " ", count: 500))</time>",
        1000
      ),
    ] as [(String, Int64?)])
  func readsTimesInManyFormats(element: String, expected: Int64?) {
    #expect(
      Self.track(#"<trkpt lat="1" lon="2">\#(element)</trkpt>"#).positions.map(\.time?.milliseconds) == [expected])
  }
}
