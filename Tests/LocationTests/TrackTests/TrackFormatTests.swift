import Location
import Testing

@Suite struct TrackFormatTests {
  @Test(arguments: [
    ("walk.gpx", TrackFormat.gpx), ("/a.b/WALK.GPX", .gpx), ("walk.geojson", .geojson), ("walk.nmea", .nmea),
    ("walk.nma", .nmea), ("walk.jsonl", .jsonl), ("walk.ndjson", .jsonl), ("walk.txt", nil), ("walk", nil), ("-", nil),
    ("", nil), ("/", nil), ("walk.json", nil), ("a.gpx/walk", nil),
  ])
  func namesTell(name: String, expected: TrackFormat?) {
    #expect(TrackFormat.guess(name: name, beginning: []) == expected)
  }

  @Test(arguments: [
    ("<?xml version=\"1.0\"?><gpx", TrackFormat.gpx), (" \n<gpx>", .gpx), ("\u{feff}<gpx>", .gpx),
    (#"{"type":"Feature","geometry""#, .geojson), ("{ \"name\": 1,\n \"type\" : \"FeatureCollection\"", .geojson),
    (#"{"type":"LineString""#, .geojson), (#"{"lat":1,"lon":2}"#, .jsonl), (#"{"class":"TPV"}"#, .jsonl),
    (#"{"_type":"location"}"#, .jsonl), (#"{"type":"walk","lat":1}"#, .jsonl), ("$GPRMC,120000", .nmea),
    ("# a remark\n$GNGGA,120000", .nmea), ("!AIVDM,1,1", .nmea), ("$", nil), ("$GP", nil), ("$gprmc,", nil), ("", nil),
    ("   ", nil), ("[1,2]", nil), ("hello", nil),
  ])
  func contentTells(beginning: String, expected: TrackFormat?) {
    #expect(TrackFormat.guess(name: "-", beginning: Array(beginning.utf8)) == expected)
    #expect(TrackFormat.guess(name: "track.json", beginning: Array(beginning.utf8)) == expected)
  }

  @Test func binaryMessagesBeforeTheFirstSentenceDoNotMatter() {
    let bytes: [UInt8] = [0xb5, 0x62, 0x01, 0x24, 0xff] + Array("$GNRMC,000941.00,A".utf8)
    #expect(TrackFormat.guess(name: "device.log", beginning: bytes) == .nmea)
  }
}
