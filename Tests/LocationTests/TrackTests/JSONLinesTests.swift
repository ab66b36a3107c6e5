import Location
import Testing

@Suite struct JSONLinesTests {
  private static func read(_ text: String) -> TrackOutcome { TrackOutcome(.jsonl, text) }

  @Test(arguments: ["lat", "latitude"], ["lng", "lon", "long", "longitude"])
  func readsPlacesUnderManyNames(latitude: String, longitude: String) throws {
    let expected = [try seen(52.5, -13.25)]
    #expect(Self.read(#"{"\#(latitude)":52.5,"\#(longitude)":-13.25}"#).positions == expected)
    #expect(Self.read(#"{"\#(longitude)":"-13.25","\#(latitude)":" 52.5 "}"#).positions == expected)
  }

  @Test(
    arguments: ["time", "timestamp", "datetime", "when", "at", "occurred_at", "tst", "ts"],
    [
      (#""2026-01-31T13:00:00+01:00""#, 1_769_860_800_000), (#""2026-01-31T12:00:00""#, 1_769_860_800_000),
      ("1769860800", 1_769_860_800_000), ("1769860800.125", 1_769_860_800_125), ("1769860800000", 1_769_860_800_000),
      (#""1769860800""#, 1_769_860_800_000), ("-1", -1000), ("0", 0), ("99999999999", 99_999_999_999_000),
      ("100000000000", 100_000_000_000), ("1.7698608e9", 1_769_860_800_000), ("null", nil), (#""""#, nil),
    ] as [(String, Int64?)])
  func readsTimesAsTextOrNumbers(key: String, value: (String, Int64?)) throws {
    let outcome = Self.read(#"{"lat":1,"lon":2,"\#(key)":\#(value.0)}"#)
    #expect(outcome.items == [.position(try seen(1, 2, at: value.1))])
  }

  @Test(
    arguments: [
      (#""accuracy":4.5"#, 4.5), (#""acc":"4.5""#, 4.5), (#""horizontal_accuracy":0"#, 0), (#""accuracy":-1"#, -1),
      (#""accuracy":null,"acc":7"#, 7), (#""accuracy":"good""#, nil), (#""acc":1e999"#, nil), (#""vacc":3"#, nil),
    ] as [(String, Double?)])
  func readsAccuraciesInMeters(member: String, expected: Double?) throws {
    #expect(Self.read(#"{"lat":1,"lon":2,\#(member)}"#).items == [.position(try seen(1, 2, accuracy: expected))])
  }

  @Test(arguments: [
    ("{", "it is not JSON: expected a string as a key at byte 1"),
    ("hello", "it is not JSON: expected a value at byte 0"),
    ("[1,2]", "it is not a JSON object"), ("null", "it is not a JSON object"), ("{}", "it has no latitude"),
    (#"{"lat":1}"#, "it has no longitude"), (#"{"lat":true,"lon":2}"#, "its latitude is not a number"),
    (#"{"lat":1,"lon":"east"}"#, "its longitude is not a number"),
    (#"{"lat":1,"lon":180.1}"#, "its position is not on the earth"),
    (#"{"lat":"nan","lon":2}"#, "its latitude is not a number"),
    (#"{"lat":1,"lon":2,"time":"noon"}"#, "its time is invalid"),
    (#"{"lat":1,"lon":2,"time":1e15}"#, "its time is invalid"),
    (#"{"lat":1,"lon":2,"time":true}"#, "its time is invalid"),
    (#"{"lat":1,"lon":2,"time":{}}"#, "its time is invalid"),
  ])
  func reportsAndSkipsInvalidLines(line: String, reason: String) {
    let outcome = Self.read("\n{\"lat\":1,\"lon\":2}\r\n\(line)\n{\"lat\":1,\"lon\":2}")
    #expect(outcome.broken == ["3: \(reason)"])
    #expect(outcome.positions.count == 2)
    #expect(outcome.error == nil)
  }

  @Test func reportsInvalidUTF8() {
    let outcome = TrackOutcome(.jsonl, Array(#"{"lat":1,"lon":2,"a":""#.utf8) + [0xff] + Array("\"}\n".utf8))
    #expect(outcome.broken.count == 1)
  }

  @Test func reportsLongLines() {
    let long = #"{"lat":1,"lon":2,"a":"\#(String(repeating: "a", count: 1 << 20))"}"#
    for sizes in [[Int.max], [1 << 15], [1 << 20]] {
      let text = "{\"lat\":1,\"lon\":2}\n\(long)\n{\"lat\":3,\"lon\":4}\n\(long)"
      let outcome = TrackOutcome(.jsonl, Array(text.utf8), sizes: sizes)
      #expect(
        outcome.broken == ["2: it is longer than 1048576 bytes", "4: it is longer than 1048576 bytes"], "\(sizes)")
      #expect(outcome.positions.count == 2)
    }
  }

  /// Endless input such as /dev/zero.
  @Test func rejectsAnEndlessLine() throws {
    let reader = TrackReader(.jsonl)
    var found: [TrackItem] = []
    try reader.read(Array("{\"lat\":1,\"lon\":2}\n".utf8), into: &found)
    let piece = [UInt8](repeating: 0, count: 1 << 20)
    #expect(throws: TrackError(reason: "a line is longer than 64 MiB", line: 2)) {
      for _ in 0...64 { try reader.read(piece, into: &found) }
    }
    #expect(found.count == 1)
  }

  @Test func ignoresAByteOrderMark() {
    #expect(Self.read("\u{feff}{\"lat\":1,\"lon\":2}").positions.count == 1)
    #expect(Self.read("").items.isEmpty)
    #expect(Self.read(" \n\n\t\n").items.isEmpty)
  }

  @Test func emitsPositionsAtTheEndOfTheirLine() throws {
    let reader = TrackReader(.jsonl)
    var found: [TrackItem] = []
    try reader.read(Array(#"{"lat":1,"lon":2}"#.utf8), into: &found)
    #expect(found.isEmpty)
    try reader.read(Array("\n".utf8), into: &found)
    #expect(found.count == 1)
  }

  @Test func readsOwnTracks() throws {
    let outcome = Self.read(
      """
      {"_type":"location","acc":13,"alt":161,"batt":67,"lat":52.5,"lon":13.25,"tid":"me","tst":1769860800,"vel":0}
      {"_type":"transition","event":"enter","lat":52.5,"lon":13.25,"tst":1769860800}
      {"_type":"lwt","tst":1769860800}
      """)
    #expect(outcome.items == [.position(try seen(52.5, 13.25, at: 1_769_860_800_000, accuracy: 13))])
  }

  @Test(arguments: [
    #""mode":1,"lat":1,"lon":2"#, #""mode":"3","lat":1,"lon":2"#, #""lat":1,"lon":2"#, #""mode":3"#,
    #""mode":3,"lat":1"#,
    #""mode":3,"lat":null,"lon":null"#,
  ])
  func ignoresReportsWithoutAPlace(members: String) {
    #expect(Self.read(#"{"class":"TPV",\#(members)}"#).items == [])
  }

  @Test(
    arguments: [
      (#""mode":3,"lat":1,"lon":2,"eph":4.5"#, 4.5), (#""mode":2,"lat":1,"lon":2,"epx":4.5,"epy":6"#, 6),
      (#""mode":2,"lat":1,"lon":2,"epx":4.5"#, nil), (#""mode":2,"lat":1,"lon":2"#, nil),
    ] as [(String, Double?)])
  func readsReportsFromGPSD(members: String, accuracy: Double?) throws {
    let outcome = Self.read(#"{"class":"TPV",\#(members),"time":"2026-01-31T12:00:00.000Z"}"#)
    #expect(outcome.items == [.position(try seen(1, 2, at: 1_769_860_800_000, accuracy: accuracy))])
  }

  @Test(arguments: [
    #""class":"TPV","mode":1,"lat":1,"lon":2"#, #""class":"TPV","mode":3"#, #""class":"TPV""#,
    #""class":"SKY","lat":1"#,
    #""class":"VERSION","proto_major":3"#, #""class":"TPV","mode":0,"time":"never""#,
  ])
  func ignoresOtherMessagesFromGPSD(members: String) { #expect(Self.read("{\(members)}").items.isEmpty) }
}
