import Location
import Support
import Testing
import World

/// Generated tracks, written in each format and read back.
@Suite struct TrackRoundTripTests {
  private let seed = UInt64.random(in: 0...UInt64.max)

  /// Coordinates have seven decimal places, as most devices write them, and times are whole seconds.
  private func way() -> [Position] {
    var generator = SeededGenerator(seed: seed)
    return (0..<300).compactMap { (second: Int64) in
      let latitude = Double(Int.random(in: -900_000_000...900_000_000, using: &generator)) / 10_000_000
      let longitude = Double(Int.random(in: -1_800_000_000...1_800_000_000, using: &generator)) / 10_000_000
      let time = Timestamp(milliseconds: 1_769_900_000_000 + second * 97_000)
      return Coordinate(latitude: latitude, longitude: longitude).map { Position($0, at: time) }
    }
  }

  private func check(_ outcome: TrackOutcome) {
    #expect(outcome.positions == way(), "seed \(seed)")
    #expect(outcome.error == nil && outcome.broken.isEmpty)
  }

  private func lines(_ body: (String, String, String) -> String) -> [String] {
    way().map { position in
      body("\(position.coordinate.latitude)", "\(position.coordinate.longitude)", position.time?.rfc3339 ?? "")
    }
  }

  @Test func gpxRoundTrips() {
    let points = lines { #"<trkpt lat="\#($0)" lon="\#($1)"><time>\#($2)</time></trkpt>"# }
    check(TrackOutcome(.gpx, "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"))
  }

  @Test func geojsonRoundTrips() {
    let (coordinates, times) = (
      lines { latitude, longitude, _ in "[\(longitude),\(latitude)]" }, lines { _, _, time in "\"\(time)\"" }
    )
    check(
      TrackOutcome(
        .geojson,
        """
        {"type":"Feature","properties":{"times":[\(times.joined(separator: ","))]},
        "geometry":{"type":"LineString","coordinates":[\(coordinates.joined(separator: ","))]}}
        """))
  }

  @Test func jsonLinesRoundTrips() {
    check(TrackOutcome(.jsonl, lines { #"{"lat":\#($0),"lon":\#($1),"time":"\#($2)"}"# }.joined(separator: "\n")))
  }

  /// Degrees and minutes are not exact, so the last bits may differ.
  @Test func nmeaRoundTrips() {
    let text = way().map { position in
      let coordinate = position.coordinate
      let body = [
        "GNRMC", Self.digits(position.time, 11..<19), "A", Self.minutes(coordinate.latitude, width: 2),
        coordinate.latitude < 0 ? "S" : "N", Self.minutes(coordinate.longitude, width: 3),
        coordinate.longitude < 0 ? "W" : "E", "",
        "",
        Self.date(position.time), "", "", "A",
      ].joined(separator: ",")
      let sum = body.utf8.reduce(0) { $0 ^ $1 }
      return "$\(body)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16))\r\n"
    }
    let outcome = TrackOutcome(.nmea, text.joined())
    #expect(outcome.broken.isEmpty && outcome.positions.count == 300, "seed \(seed)")
    for (read, written) in zip(outcome.positions, way()) { #expect(read.isNearly(written), "seed \(seed)") }
  }

  private static func digits(_ time: Timestamp?, _ range: Range<Int>) -> String {
    String((time?.rfc3339 ?? "").dropFirst(range.lowerBound).prefix(range.count).filter { $0 != ":" })
  }

  private static func date(_ time: Timestamp?) -> String {
    let text = Array(time?.rfc3339 ?? "")
    return String(text[8..<10] + text[5..<7] + text[2..<4])
  }

  /// `dddmm.mmmmm…`, from a number with seven decimal places: a ten-millionth of a degree is six millionths of a
  /// minute.
  private static func minutes(_ degrees: Double, width: Int) -> String {
    let units = Int((abs(degrees) * 10_000_000).rounded())
    let (whole, rest) = (String(units / 10_000_000), units % 10_000_000 * 6)
    let (minutes, fraction) = (String(rest / 1_000_000), String(rest % 1_000_000))
    return String(repeating: "0", count: width - whole.count) + whole + String(repeating: "0", count: 2 - minutes.count)
      + minutes + "." + String(repeating: "0", count: 6 - fraction.count) + fraction
  }
}
