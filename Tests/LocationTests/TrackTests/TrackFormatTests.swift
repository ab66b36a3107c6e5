import Location
import Testing

@Suite struct TrackFormatTests {
  @Test(arguments: [
    ("walk.gpx", TrackFormat.gpx), ("/a.b/WALK.GPX", .gpx), ("walk.geojson", .geojson), ("walk.nmea", .nmea),
    ("walk.nma", .nmea), ("walk.jsonl", .jsonl), ("walk.ndjson", .jsonl), ("walk.gpx.gz", .gpx),
    ("WALK.NMEA.GZ", .nmea),
    ("walk.geojsonl", .geojson), ("gpx", .gpx), (".gz", nil), ("walk.gz", nil), ("walk.txt", nil), ("walk", nil),
    ("-", nil),
    ("", nil), ("/", nil), ("walk.json", nil), ("a.gpx/walk", nil),
  ])
  func detectsFormatsFromNames(name: String, expected: TrackFormat?) {
    #expect(TrackFormat.guess(name: name, beginning: []) == expected)
  }

  @Test(arguments: [
    ("<?xml version=\"1.0\"?><gpx", TrackFormat.gpx), (" \n<gpx>", .gpx), ("\u{feff}<gpx>", .gpx),
    (#"{"type":"Feature","geometry""#, .geojson), ("{ \"name\": 1,\n \"type\" : \"FeatureCollection\"", .geojson),
    (#"{"type":"LineString""#, .geojson), (#"{"type":"LineStringer""#, .jsonl),
    ("{\"lat\":1}\n{\"type\":\"Feature\"}", .jsonl), ("{\"type\":\"Feature\"}\n{\"lat\":1}", .geojson),
    (#"{"lat":1,"lon":2}"#, .jsonl), (#"{"class":"TPV"}"#, .jsonl),
    (#"{"_type":"location"}"#, .jsonl), (#"{"type":"walk","lat":1}"#, .jsonl), ("$GPRMC,120000", .nmea),
    ("# a remark\n$GNGGA,120000", .nmea), ("!AIVDM,1,1", .nmea), ("$", nil), ("$GP", nil), ("$gprmc,", nil), ("", nil),
    ("   ", nil), ("[1,2]", nil), ("hello", nil), ("[\n {\"lat\":1}", .jsonl), ("[]", .jsonl), ("[", nil),
    ("[12:00] $GPRMC,120000", .nmea), ("{\n \"lat\": 1\n}\n{\"type\":\"Feature\"}", .jsonl),
    ("\u{1e}{\"type\":\"Feature\"}", .geojson),
  ])
  func detectsFormatsFromContents(beginning: String, expected: TrackFormat?) {
    #expect(TrackFormat.guess(name: "-", beginning: Array(beginning.utf8)) == expected)
    #expect(TrackFormat.guess(name: "track.json", beginning: Array(beginning.utf8)) == expected)
  }

  /// The bytes may come through a pipe. The end of the input only decides if nothing before it does.
  @Test(arguments: [
    ("{\"lat\":1}\n", TrackFormat.jsonl), ("\n {\"lat\":1} \r\n{", .jsonl), ("{\"lat\":1}", nil), ("{\n", nil),
    ("{", nil),
    ("{\n \"name\": 1,\n \"type\": \"Feature\"", .geojson), ("{\n \"lat\": 1\n}\n", .jsonl), ("[", nil),
    ("[\n", nil), ("[{", .jsonl), ("<", .gpx), ("# a remark\n", nil), ("$GPRMC", nil),
    ("$GPRMC,", .nmea), ("", nil),
  ])
  func detectsTheFormatOfALiveTrackEarly(beginning: String, expected: TrackFormat?) {
    #expect(TrackFormat.guess(name: "-", beginning: Array(beginning.utf8), isLive: true) == expected)
  }

  @Test func emitsTheFirstLineImmediately() throws {
    let reader = TrackReader(named: "-")
    var found: [TrackItem] = []
    try reader.read(Array(#"{"lat":1,"lon":2}"#.utf8), into: &found)
    #expect(found.isEmpty)
    try reader.read(Array("\n".utf8), into: &found)
    let expected = try seen(1, 2)
    #expect(found == [.position(expected)])
  }

  @Test func aNameDecidesWithoutContents() {
    let sentence = "it contains no NMEA 0183 sentence"
    #expect(TrackOutcome(TrackReader(named: "walk.nmea"), Array("{}".utf8)).error?.reason == sentence)
    #expect(TrackOutcome(TrackReader(named: "walk.gpx"), []).error?.reason == "no element found")
    #expect(TrackOutcome(TrackReader(named: "-"), []) == TrackOutcome(.jsonl, ""))
  }

  @Test(arguments: [10, 4096, 10_000]) func reportsAnUnknownFormat(count: Int) {
    let outcome = TrackOutcome(TrackReader(named: "-"), [UInt8](repeating: UInt8(ascii: "a"), count: count), [1000])
    #expect(outcome.error == TrackError(reason: "its format is not recognized"))
  }

  @Test func ignoresBinaryMessagesBeforeTheFirstSentence() {
    let bytes: [UInt8] = [0xb5, 0x62, 0x01, 0x24, 0xff] + Array("$GNRMC,000941.00,A".utf8)
    #expect(TrackFormat.guess(name: "device.log", beginning: bytes) == .nmea)
  }
}
