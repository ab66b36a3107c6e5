import Location
import Support
import Testing
import World

/// The sentences with their checksums, as a receiver sends them.
private func say(_ sentences: String...) -> String {
  sentences.map { text in
    let sum = text.utf8.reduce(0) { $0 ^ $1 }
    let digits = String(sum, radix: 16, uppercase: true)
    return "$\(text)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
  }.joined()
}

@Suite struct NMEAReaderTests {
  private static let minimal = "GPRMC,120000.00,A,5230.0000,N,01315.0000,E,0.1,,310126,,,A"
  private static let fix = "GPGGA,120000.00,5230.0000,N,01315.0000,E,1,08,1.5,34.0,M,40.0,M,,"
  private static let noon: Int64 = 1_769_860_800_000

  private static func read(_ text: String) -> TrackOutcome { TrackOutcome(.nmea, text) }

  @Test func sentencesWithTheSameTimeAreOnePosition() throws {
    let expected = [TrackItem.position(try seen(52.5, 13.25, at: Self.noon, accuracy: 7.5))]
    #expect(Self.read(say(Self.minimal, Self.fix)).items == expected)
    #expect(Self.read(say(Self.fix, Self.minimal)).items == expected)
    // A second talker adds nothing.
    let other = Self.minimal.replacing("GP", with: "GN", maxReplacements: 1)
    #expect(Self.read(say(Self.fix, Self.minimal, other)).items == expected)
  }

  @Test(arguments: ["GP", "GN", "GL", "GA", "GB", "BD", "GI", "II"]) func acceptsAnyTalker(talker: String) throws {
    let outcome = Self.read(say(talker + Self.minimal.dropFirst(2)))
    #expect(outcome.positions == [try seen(52.5, 13.25, at: Self.noon)])
  }

  @Test func southAndWestAreNegative() throws {
    let outcome = Self.read(say("GPRMC,120000,A,0030.0,S,00015.0,W,,,310126,,"))
    #expect(outcome.positions == [try seen(-0.5, -0.25, at: Self.noon)])
  }

  @Test func emitsAPositionAsSoonAsItIsComplete() throws {
    let reader = TrackReader(.nmea)
    var found: [TrackItem] = []
    try reader.read(Array(say(Self.fix).utf8), into: &found)
    #expect(found.isEmpty)
    try reader.read(Array(say(Self.minimal).utf8), into: &found)
    #expect(found.count == 1)
    // No other sentence of this moment follows, but only the next moment shows that.
    try reader.read(Array(say("GPRMC,120001.00,A,5230.0000,N,01315.0000,E,,,310126,,").utf8), into: &found)
    #expect(found.count == 1)
    try reader.read(Array(say("GPGSV,1,1,00", "GPRMC,120002.00,A,5230.0,N,01315.0,E,,,310126,,").utf8), into: &found)
    #expect(found.count == 2)
    try reader.finish(into: &found)
    #expect(found.count == 3)
  }

  @Test(arguments: [
    "GPRMC,120000,V,5230.0,N,01315.0,E,,,310126,,", "GPRMC,120000,A,5230.0,N,01315.0,E,,,310126,,,N",
    "GPRMC,120000,,,,,,,,,,", "GPRMC,,V,,,,,,,,,,N", "GPGGA,120000,5230.0,N,01315.0,E,0,00,,,M,,M,,",
    "GPGGA,120000,,,,,,,,,,,,,", "GPGGA,,,,,,0,,,,,,,,",
  ])
  func withoutAFixThereIsNoPosition(sentence: String) {
    #expect(Self.read(say(sentence)).items.isEmpty)
    // There is no position either if the other sentence of the moment reports a fix.
    let other = sentence.hasPrefix("GPRMC") ? Self.fix : Self.minimal
    guard sentence.utf8.dropFirst(6).first != UInt8(ascii: ",") else { return }
    #expect(Self.read(say(sentence, other.replacing("120000.00", with: "120000"))).items.isEmpty)
  }

  @Test(arguments: [
    ("GPRMC,120000,A,,N,01315.0,E,,,310126,,", "its position is invalid"),
    ("GPRMC,120000,A,5230.0,,01315.0,E,,,310126,,", "its position is invalid"),
    ("GPRMC,120000,A,5260.0,N,01315.0,E,,,310126,,", "its position is invalid"),
    ("GPRMC,120000,A,52x0.0,N,01315.0,E,,,310126,,", "its position is invalid"),
    ("GPRMC,120000,A,30,N,01315.0,E,,,310126,,", "its position is invalid"),
    ("GPRMC,120000,A,9100.0,N,01315.0,E,,,310126,,", "its position is not on the earth"),
    ("GPGGA,120000,5230.0,N,18100.0,E,1,08,1.5,,,,,,", "its position is not on the earth"),
    ("GPRMC,240000,A,5230.0,N,01315.0,E,,,310126,,", "its time is invalid"),
    ("GPRMC,126000,A,5230.0,N,01315.0,E,,,310126,,", "its time is invalid"),
    ("GPRMC,12000,A,5230.0,N,01315.0,E,,,310126,,", "its time is invalid"),
    ("GPRMC,120000x,A,5230.0,N,01315.0,E,,,310126,,", "its time is invalid"),
    ("GPRMC,120000.6E21,A,5230.0,N,01315.0,E,,,310126,,", "its time is invalid"),
    ("GPRMC,120000.5e-1,A,5230.0,N,01315.0,E,,,310126,,", "its time is invalid"),
    ("GPRMC,120000,A,5230E0,N,01315.0,E,,,310126,,", "its position is invalid"),
    ("GPRMC,120000,A,5230.0,N,01310.5E1,E,,,310126,,", "its position is invalid"),
    ("GPRMC,120000,A,5230.0,N,01310.+5,E,,,310126,,", "its position is invalid"),
    ("GPRMC,120000,A,5230.0,N,01315.0,E,,,310226,,", "its date is invalid"),
    ("GPRMC,120000,A,5230.0,N,01315.0,E,,,3101,,", "its date is invalid"),
  ])
  func reportsAndSkipsDamagedSentences(sentence: String, reason: String) {
    let outcome = Self.read("# a remark\n" + say(sentence, Self.minimal))
    #expect(outcome.broken == ["2: \(reason)"])
    #expect(outcome.positions.count == 1)
  }

  @Test func reportsAndSkipsWrongChecksums() {
    let right = say(Self.minimal)
    let outcome = Self.read(
      right.replacing("5230", with: "5231") + right.replacing("*", with: "") + "$GPGSV,1,1,00*00\r\n$PXYZ,1*00\r\n"
        + "$GPTXT,hello\r\n" + right.lowercasedChecksum)
    #expect(
      outcome.broken == [
        "1: a sentence with a wrong checksum", "2: a sentence without a checksum",
        "3: a sentence with a wrong checksum",
      ])
    #expect(outcome.positions.count == 1)
  }

  @Test func ignoresDataBetweenSentences() {
    let ubx: [UInt8] = [0xb5, 0x62, 0x01, 0x07, 0x24, 0x47, 0x0a, 0x00, 0xff, 0x24]
    let text = Array(say(Self.minimal).utf8)
    let noise = TrackOutcome(
      .nmea, ubx + text + Array("!AIVDM,1,1,,A,15M67F,0*00\n\\s:r1*00\\".utf8) + Array(say(Self.fix).utf8) + ubx)
    #expect(noise.positions.count == 1)
    #expect(noise.broken.isEmpty && noise.error == nil)
    // A sentence that is cut off by another one, and a sentence that never ends.
    let cut = Self.read("$GPRMC,1200" + say(Self.fix) + "$GPGGA,1" + String(repeating: "1", count: 300))
    #expect(cut.broken == ["1: a sentence without an end", "2: a sentence without an end"])
    #expect(cut.positions.count == 1)
  }

  /// An exclamation mark starts the sentences of ships, but is plain text within other sentences.
  @Test func anExclamationMarkDoesNotEndASentence() {
    let outcome = Self.read(say("GPTXT,01,01,02,Hello!", Self.minimal.replacing(",,,A", with: ",,!,A")))
    #expect(outcome.positions.count == 1)
    #expect(outcome.broken.isEmpty)
  }

  @Test func theLastSentenceNeedsNoLineBreak() {
    #expect(Self.read(String(say(Self.minimal).dropLast(1))).positions.count == 1)
    #expect(Self.read(String(say(Self.minimal).dropLast(2))).broken == ["1: a sentence without a checksum"])
  }

  @Test(arguments: ["", "\r\n", "hello\n", "$\n", "{\"lat\":1}\n"])
  func rejectsTextWithoutSentences(text: String) {
    let expected = text.isEmpty ? nil : "it contains no NMEA 0183 sentence"
    let outcome = Self.read(text)
    #expect(outcome.error?.reason == expected)
    #expect(outcome.positions.isEmpty)
  }
}

extension String {
  fileprivate var lowercasedChecksum: String {
    guard let star = lastIndex(of: "*") else { return self }
    return self[..<star] + self[star...].lowercased()
  }
}

/// Times of day, and the dates that belong to them.
@Suite struct NMEAClockTests {
  private static func fix(_ time: String) -> String { "GPGGA,\(time),5230.0,N,01315.0,E,1,08,,34.0,M,40.0,M,," }
  private static func minimal(_ time: String, _ date: String) -> String {
    "GPRMC,\(time),A,5230.0,N,01315.0,E,,,\(date),,"
  }
  private static func times(_ sentences: String...) -> [String?] {
    TrackOutcome(.nmea, sentences.map { say($0) }.joined()).positions.map(\.time?.rfc3339)
  }

  @Test func aTimeWithoutADateGetsTheNearestDate() {
    #expect(
      Self.times(
        Self.minimal("235959", "311225"), Self.fix("000000"), Self.fix("000001"), Self.fix("115900"),
        Self.fix("235800"), Self.fix("000100"), Self.fix("235959"))
        == [
          "2025-12-31T23:59:59Z", "2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z", "2026-01-01T11:59:00Z",
          "2026-01-01T23:58:00Z", "2026-01-02T00:01:00Z", "2026-01-01T23:59:59Z",
        ])
  }

  /// The intervals are correct even across midnight; the caller must determine the date.
  @Test func timesBeforeTheFirstDateAreTimesOfDay() {
    let outcome = TrackOutcome(
      .nmea,
      say(Self.fix("235959"), Self.fix("000001"), Self.fix(""), Self.minimal("120001", "310126"), Self.fix("120002")))
    #expect(
      outcome.positions.map(\.time?.rfc3339) == [
        "1970-01-01T23:59:59Z", "1970-01-02T00:00:01Z", nil, "2026-01-31T12:00:01Z", "2026-01-31T12:00:02Z",
      ])
    #expect(outcome.positions.map(\.lacksDate) == [true, true, false, false, false])
  }

  @Test func anAssumedDateIsTheLatestNotInTheFuture() throws {
    let now = try #require(Timestamp(parsing: "2026-03-04T12:00:00Z"))
    func dated(_ times: String...) -> [String?] {
      var dates = AssumedDate()
      let text = times.map { say(Self.fix($0)) }.joined()
      return TrackOutcome(.nmea, text).positions.map { dates.complete($0, now: now).time?.rfc3339 }
    }
    #expect(dated("115959") == ["2026-03-04T11:59:59Z"])
    #expect(dated("120500") == ["2026-03-04T12:05:00Z"], "a receiver's clock may be ahead")
    #expect(dated("130000") == ["2026-03-03T13:00:00Z"])
    #expect(dated("235900", "000100") == ["2026-03-03T23:59:00Z", "2026-03-04T00:01:00Z"])
    var dates = AssumedDate()
    let own = Position(Coordinate(0, 0), at: now)
    #expect(dates.complete(own, now: now) == own && dates.first == nil)
  }

  @Test func readsDatesFromZDA() {
    #expect(
      Self.times(Self.fix("120000"), "GPZDA,120000,31,01,2026,00,00", Self.fix("120001"))
        == ["2026-01-31T12:00:00Z", "2026-01-31T12:00:01Z"])
    #expect(Self.times("GPZDA,235959,31,12,2025,,", Self.fix("000000")) == ["2026-01-01T00:00:00Z"])
    for undated in ["GPZDA,120000,41,01,2026,,", "GPZDA,120000,,,,,"] {
      let outcome = TrackOutcome(.nmea, say(undated, Self.fix("120001")))
      #expect(outcome.positions.map(\.lacksDate) == [true])
    }
  }

  @Test func twoDigitYearsStartIn1980() {
    #expect(Self.times(Self.minimal("000000", "060180")) == ["1980-01-06T00:00:00Z"])
    #expect(Self.times(Self.minimal("000000", "311279")) == ["2079-12-31T00:00:00Z"])
  }

  @Test func aLeapSecondIsTheStartOfTheNextDay() {
    #expect(Self.times(Self.minimal("235960", "311216")) == ["2017-01-01T00:00:00Z"])
    #expect(Self.times(Self.minimal("235960.5", "311216")).count == 1)
  }

  @Test func keepsMilliseconds() {
    let outcome = TrackOutcome(.nmea, say(Self.minimal("120000.1239", "310126")))
    #expect(outcome.positions.map(\.time?.milliseconds) == [1_769_860_800_123])
  }

  /// Without times, a second sentence of the same kind is the next position.
  @Test func readsReceiversWithoutAClock() {
    let outcome = TrackOutcome(.nmea, say(Self.fix(""), Self.fix(""), Self.fix("")))
    #expect(outcome.positions.map(\.time) == [nil, nil, nil])
  }

  /// Endless input without sentences, such as /dev/zero.
  @Test func rejectsLongInputWithoutSentences() throws {
    let reader = TrackReader(.nmea)
    var found: [TrackItem] = []
    let piece = [UInt8](repeating: 0, count: 1 << 16)
    #expect(throws: TrackError(reason: "there is no NMEA 0183 sentence in its first 1048576 bytes")) {
      for _ in 0...16 { try reader.read(piece, into: &found) }
    }
    let other = TrackReader(.nmea)
    try other.read(Array("$GPTXT,01*00\r\n".utf8), into: &found)
    for _ in 0...16 { try other.read(piece, into: &found) }
  }

  /// The input is NMEA, but damaged.
  @Test func aDamagedSentenceCountsAsNMEA() {
    let outcome = TrackOutcome(.nmea, "$GPRMC,171000,A,0000.0,N,00000.0,E,,,310226,,,A*00\r\n")
    #expect(outcome.error == nil && outcome.broken == ["1: a sentence with a wrong checksum"])
  }
}
