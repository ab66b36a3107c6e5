import Location
import Testing

@Suite struct JSONLinesTests {
  private static func read(_ text: String) -> TrackOutcome { TrackOutcome(.jsonl, text) }

  @Test(arguments: ["lat", "latitude"], ["lng", "lon", "long", "longitude"])
  func readsCoordinatesUnderManyNames(latitude: String, longitude: String) throws {
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
  func ignoresReportsWithoutAPosition(members: String) {
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

/// JSON objects in other layouts than one per line.
@Suite struct JSONLayoutTests {
  private static func read(_ text: String, pieces: Int = .max) -> TrackOutcome {
    TrackOutcome(TrackReader(named: "-"), Array(text.utf8), [pieces])
  }

  private static func indented(_ latitude: Int, _ end: String = "}") -> String {
    "{\n  \"lat\": \(latitude),\n  \"lon\": 2,\n  \"tags\": {\n    \"a\": \"}{\"\n  }\n\(end)"
  }

  @Test(arguments: [1, 7, Int.max]) func readsIndentedObjects(pieces: Int) throws {
    let expected = [try seen(1, 2), try seen(3, 2)]
    for separator in ["\n", "", " ", "\n\n", "\n\u{1e}", "\r\n"] {
      let text = Self.indented(1) + separator + Self.indented(3)
      #expect(Self.read(text, pieces: pieces).positions == expected, "\(separator.debugDescription)")
      #expect(Self.read(text, pieces: pieces).broken.isEmpty)
    }
  }

  @Test(arguments: [1, 7, Int.max]) func readsSeveralObjectsPerLine(pieces: Int) throws {
    let one = #"{"lat":1,"lon":2}"#
    #expect(Self.read("\(one)\(one) \(one)\n\(one)", pieces: pieces).positions.count == 4)
    #expect(Self.read("\u{1e}\(one)\n\u{1e}\(one)\n", pieces: pieces).positions.count == 2)
  }

  /// An object without an end does not hide those after it.
  @Test func reportsAnObjectWithoutAnEnd() throws {
    let outcome = Self.read(Self.indented(1, "") + Self.indented(3) + "\n{\"lat\": \"5\n" + Self.indented(7))
    #expect(outcome.positions == [try seen(3, 2), try seen(7, 2)])
    #expect(outcome.broken.map { $0.prefix(16) } == ["1: it is not JSO", "14: it is not JS"])
    #expect(Self.read(Self.indented(1) + "\n" + Self.indented(3, "")).broken.count == 1)
  }

  @Test func longObjectsAreReported() {
    let filler = String(repeating: "\"a\":\n", count: 250_000)
    let outcome = TrackOutcome(.jsonl, "{\n\(filler)1}\n{\"lat\":1,\"lon\":2}\n")
    #expect(outcome.broken == ["1: it is longer than 1048576 bytes"] && outcome.positions.count == 1)
  }

  @Test(arguments: ["[", "\n [ "], ["]", " ]\n\n"]) func readsArrays(start: String, end: String) throws {
    let text = "\(start){\"lat\":1,\"lon\":2},\n\(Self.indented(3)),[],{\"lat\":91,\"lon\":0}\(end)"
    for pieces in [1, 7, Int.max] {
      let outcome = Self.read(text, pieces: pieces)
      #expect(outcome.positions == [try seen(1, 2), try seen(3, 2)])
      #expect(outcome.error == nil)
      #expect(
        outcome.broken.map { $0.drop { $0 != ":" } } == [
          ": it is not a JSON object", ": its position is not on the earth",
        ])
    }
  }

  @Test func longArraysOfOneLineAreRead() {
    let text = "[" + repeatElement(#"{"lat":1,"lon":2}"#, count: 100_000).joined(separator: ",") + "]"
    #expect(Self.read(text, pieces: 1 << 16).positions.count == 100_000)
  }

  @Test func reportsWhereAnArrayIsInvalid() throws {
    let cut = Self.read("[{\"lat\":1,\"lon\":2},\n{\"lat\":")
    #expect(cut.positions == [try seen(1, 2)])
    #expect(cut.error?.line == 2)
    #expect(Self.read("[]\nx").error?.reason == "unexpected text follows the array")
    let reader = TrackReader(.jsonl)
    var found: [TrackItem] = []
    #expect(throws: TrackError(reason: "it is larger than 64 MiB, the limit for a JSON array")) {
      try reader.read([UInt8(ascii: "[")], into: &found)
      for _ in 0..<64 { try reader.read([UInt8](repeating: 0x20, count: 1 << 20), into: &found) }
    }
  }

  @Test(arguments: ["\n", "", "\n\u{1e}"]) func readsGeoJSONSequences(separator: String) throws {
    func feature(_ latitude: Int) -> String {
      #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[2,\#(latitude)]}}"#
    }
    for start in ["", "\u{1e}"] {
      let text = start + [1, 3, 5].map(feature).joined(separator: separator) + "\n"
      for pieces in [1, Int.max] {
        let outcome = Self.read(text, pieces: pieces)
        #expect(outcome.positions == [try seen(1, 2), try seen(3, 2), try seen(5, 2)])
        #expect(outcome.error == nil)
        #expect(outcome.segments == 1, "points after one another are one segment")
      }
    }
  }

  /// The separator exists so that a reader can continue after a damaged document (RFC 8142, section 2.2).
  @Test func continuesAfterADamagedDocument() throws {
    let point = #"{"type":"Point","coordinates":[2,1]}"#
    let outcome = TrackOutcome(.geojson, "\u{1e}\(point)\n\u{1e}{\"type\":\n\u{1e}\(point)\n")
    #expect(outcome.positions.count == 2 && outcome.broken.count == 1 && outcome.error == nil)
    #expect(TrackOutcome(.geojson, "\(point)\n{\"type\":\n").error != nil)
  }
}
