import Foundation
import Support
import Testing
import World

@Suite struct TimestampTests {
  @Test func formatMatchesFoundation() {
    let formatter = ISO8601DateFormatter()
    formatter.timeZone = TimeZone(identifier: "UTC")
    var generator = SeededGenerator.random()
    // From 1600, after the calendar reform that Foundation follows, to the end of 9999.
    let random = (0..<20_000).map { _ in Int64.random(in: -11_676_096_000...253_402_300_799, using: &generator) }
    let edges: [Int64] = [
      0, -1, 1, 86_399, 86_400, -86_400, 951_782_400, 951_868_800, 4_107_542_399, 4_107_542_400, 253_402_300_799,
    ]
    for seconds in random + edges {
      let expected = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
      #expect(Timestamp(milliseconds: seconds * 1000).rfc3339 == expected)
      #expect(Timestamp(milliseconds: seconds * 1000 + 999).rfc3339 == expected)
    }
  }

  @Test func addsAndSubtractsMilliseconds() {
    let moment = Timestamp(milliseconds: 10_000)
    #expect(moment - .milliseconds(1500) == Timestamp(milliseconds: 8500))
    #expect(moment - .milliseconds(-1) == Timestamp(milliseconds: 10_001))
    #expect(moment - .milliseconds(1) < moment)
    #expect(moment + .milliseconds(1500) == Timestamp(milliseconds: 11_500))
    #expect(moment + .milliseconds(-1) == Timestamp(milliseconds: 9999))
  }

  @Test(
    arguments: [
      (0, "0 s ago"), (59_999, "59 s ago"), (60_000, "1 min ago"), (3_599_999, "59 min ago"), (3_600_000, "1 h ago"),
      (86_399_999, "23 h ago"), (86_400_000, "1 d ago"), (2_591_999_999, "29 d ago"), (2_592_000_000, nil), (-1, nil),
    ] as [(Int64, String?)])
  func ageIsInTheLargestWholeUnit(_ milliseconds: Int64, _ text: String?) {
    let now = Timestamp(milliseconds: 1_790_000_000_000)
    #expect(Timestamp(milliseconds: now.milliseconds - milliseconds).age(at: now) == text)
    #expect(Timestamp(milliseconds: .min).age(at: now) == nil)
  }

  @Test func sumsAreClampedOnOverflow() {
    let longest = Duration.seconds(Int64.max)
    #expect(Timestamp(milliseconds: 0) - longest == Timestamp(milliseconds: -.max))
    #expect(Timestamp(milliseconds: -2) - longest == Timestamp(milliseconds: .min))
    #expect(Timestamp(milliseconds: .max) - .seconds(-1) == Timestamp(milliseconds: .max))
    #expect(Timestamp(milliseconds: 1) + longest == Timestamp(milliseconds: .max))
    #expect(Timestamp(milliseconds: .max) + .seconds(1) == Timestamp(milliseconds: .max))
    #expect(Timestamp(milliseconds: .min) + .seconds(-1) == Timestamp(milliseconds: .min))
  }
}
