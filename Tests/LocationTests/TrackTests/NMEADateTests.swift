import Location
import Testing
import World

/// Sentences with their checksums, as a receiver sends them, or without.
private func say(_ sentences: [String], hasSums: Bool = true) -> String {
  sentences.map { text in
    let digits = String(text.utf8.reduce(0) { $0 ^ $1 }, radix: 16, uppercase: true)
    return "$\(text)\(hasSums ? "*\(digits.count < 2 ? "0" : "")\(digits)" : "")\r\n"
  }.joined()
}

private func fix(_ time: String) -> String { "GPGGA,\(time),5230.0,N,01315.0,E,1,08,1.5,34.0,M,40.0,M,," }
private func minimal(_ time: String, _ date: String, _ status: String = "A") -> String {
  "GPRMC,\(time),\(status),5230.0,N,01315.0,E,,,\(date),,"
}
private func geographic(_ time: String) -> String { "GPGLL,5230.0,N,01315.0,E,\(time),A,A" }

/// The dates of a file's positions before its first date.
@Suite struct NMEADateTests {
  private static func read(_ sentences: [String], isLive: Bool = false) -> TrackOutcome {
    TrackOutcome(TrackReader(.nmea, isLive: isLive), Array(say(sentences).utf8))
  }

  private static func times(_ sentences: String...) -> [String?] {
    let outcome = read(sentences)
    #expect(outcome.positions.allSatisfy { !$0.lacksDate })
    return outcome.positions.map(\.time?.rfc3339)
  }

  @Test func theFirstDateAppliesBackward() {
    #expect(
      Self.times(fix("120000"), fix("120001"), minimal("120002", "310126"), fix("120003")) == [
        "2026-01-31T12:00:00Z", "2026-01-31T12:00:01Z", "2026-01-31T12:00:02Z", "2026-01-31T12:00:03Z",
      ])
  }

  @Test func midnightIsCrossedBackward() {
    #expect(
      Self.times(fix("220000"), fix("235959"), fix("000001"), minimal("000002", "010126")) == [
        "2025-12-31T22:00:00Z", "2025-12-31T23:59:59Z", "2026-01-01T00:00:01Z", "2026-01-01T00:00:02Z",
      ])
    #expect(
      Self.times(fix("235959"), minimal("000002", "010126")) == ["2025-12-31T23:59:59Z", "2026-01-01T00:00:02Z"])
    // Several days without a date.
    let noons = ["120000", "200000", "040000", "120000", "200000", "040000"].map(fix)
    #expect(
      Self.read(noons + [minimal("120000", "040126")]).positions.first?.time?.rfc3339 == "2026-01-02T12:00:00Z")
  }

  /// The date may come without a position, or after the position of the same moment.
  @Test(arguments: ["GPZDA,120002,31,01,2026,00,00", minimal("120002", "310126", "V")])
  func aDateWithoutAPositionApplies(sentence: String) {
    #expect(Self.times(fix("120000"), sentence) == ["2026-01-31T12:00:00Z"])
    #expect(Self.times(fix("120002"), "GPZDA,120002,31,01,2026,00,00") == ["2026-01-31T12:00:02Z"])
    #expect(
      Self.times(minimal("120002", ""), fix("120002"), "GPZDA,120002,31,01,2026,00,00") == ["2026-01-31T12:00:02Z"])
  }

  @Test func theOrderIsKept() {
    let outcome = Self.read([fix("120000"), fix(""), fix(""), minimal("120002", "310126")])
    #expect(
      outcome.positions.map(\.time?.rfc3339) == ["2026-01-31T12:00:00Z", nil, nil, "2026-01-31T12:00:02Z"])
  }

  @Test func withoutAnyDateTimesStayTimesOfDay() {
    let outcome = Self.read([fix("120000"), fix("120001")])
    #expect(outcome.positions.map(\.lacksDate) == [true, true])
    #expect(outcome == Self.read([fix("120000"), fix("120001")], isLive: true))
  }

  @Test func aLivePositionDoesNotWait() throws {
    let reader = TrackReader(.nmea)
    var found: [TrackItem] = []
    try reader.read(Array(say([fix("120000"), fix("120001")]).utf8), into: &found)
    #expect(found.count == 1)
  }
}

/// Sentences of receivers that send neither RMC nor GGA, or no checksums.
@Suite struct NMEAMessageTests {
  private static func read(_ sentences: String..., hasSums: Bool = true) -> TrackOutcome {
    TrackOutcome(.nmea, say(sentences, hasSums: hasSums))
  }

  private static let noon: Int64 = 12 * 3_600_000

  @Test func readsGLL() throws {
    var expected = try seen(52.5, 13.25, at: Self.noon)
    expected.lacksDate = true
    #expect(Self.read(geographic("120000")).positions == [expected])
    // It adds nothing to the other sentences of its moment.
    for others in [[fix("120000")], [minimal("120000", "310126")], [fix("120000"), minimal("120000", "310126")]] {
      let alone = TrackOutcome(.nmea, say(others))
      for index in 0...others.count {
        for gll in [geographic("120000"), "GPGLL,5230.0,N,01315.0,E"] where index > 0 || gll.hasSuffix("A") {
          var sentences = others
          sentences.insert(gll, at: index)
          #expect(TrackOutcome(.nmea, say(sentences)) == alone, "\(sentences)")
        }
      }
    }
  }

  @Test(arguments: [
    "GPGLL,5230.0,N,01315.0,E,120000,V", "GPGLL,5230.0,N,01315.0,E,120000,A,N", "GPGLL,,,,,120000,V,N", "GPGLL,,,,,,,",
  ])
  func gllWithoutAFixIsNoPosition(sentence: String) {
    #expect(Self.read(sentence).items.isEmpty)
    // Some receivers mark only GLL as invalid.
    #expect(Self.read(fix("120000"), sentence).positions.count == 1)
  }

  @Test func readsOldGLL() throws {
    #expect(
      Self.read("LCGLL,5230.0,N,01315.0,E", "LCGLL,5230.0,S,01315.0,W").positions == [
        try seen(52.5, 13.25), try seen(-52.5, -13.25),
      ])
    #expect(Self.read("GPGLL,5260.0,N,01315.0,E,120000,A").broken == ["1: its position is invalid"])
  }

  @Test func readsGNS() throws {
    let gns = "GNGNS,120000.00,5230.0000,N,01315.0000,E,AAN,12,1.5,34.0,40.0,,"
    let outcome = Self.read(gns, minimal("120000", "310126"))
    #expect(outcome.positions == [try seen(52.5, 13.25, at: 1_769_860_800_000, accuracy: 7.5)])
    for none in ["NNN", "N", ""] {
      #expect(Self.read(gns.replacing("AAN", with: none)).items.isEmpty)
    }
    #expect(Self.read(gns.replacing("AAN", with: "E")).positions.count == 1)
  }

  @Test func sentencesWithoutChecksumsAreReadIfNoneHasOne() throws {
    let outcome = Self.read(
      "GPTXT,hello", fix("120000"), minimal("120000", "310126"), fix("120001"), hasSums: false)
    #expect(outcome.positions.count == 2 && outcome.broken.isEmpty)
    // A sentence without a checksum among others is cut off.
    let text = say([fix("120000")], hasSums: false) + say(["GPGSV,1,1,00"]) + say([fix("120001")], hasSums: false)
    let mixed = TrackOutcome(.nmea, text)
    #expect(mixed.positions.count == 1 && mixed.broken == ["3: a sentence without a checksum"])
    #expect(TrackOutcome(.nmea, "$\(fix("120000"))*5").broken == ["1: a sentence without a checksum"])
  }
}
