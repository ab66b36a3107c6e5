import Store
import Testing
import World

/// The schedule of uploads, as a sequence of events.
@Suite struct UsageSendingTests {
  private func at(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: 1_772_646_129_000 + seconds * 1000) }

  @Test func fiveEventsAreDue() {
    #expect(!UsageSending(waiting: 4).isDue(at: at(0)))
    #expect(UsageSending(waiting: 5).isDue(at: at(0)))
  }

  @Test func pausesGrowUpToSixHours() {
    var sending = UsageSending(waiting: 100)
    var pauses: [Int64] = []
    for _ in 0..<12 {
      sending = sending.failed("no", at: at(0), retryAfter: nil)
      pauses.append((sending.notBefore.milliseconds - at(0).milliseconds) / 1000)
    }
    #expect(pauses == [60, 120, 240, 480, 960, 1920, 3840, 7680, 15360, 21600, 21600, 21600])
    #expect(!sending.isDue(at: at(21599)))
    #expect(sending.isDue(at: at(21600)))
  }

  @Test(arguments: [(1, 60), (600, 600), (86_400, 21_600)]) func honorsRetryAfterUpToLimit(asked: Int, pause: Int64) {
    let sending = UsageSending(waiting: 5).failed("no", at: at(0), retryAfter: .seconds(asked))
    #expect(sending.notBefore == at(pause))
  }

  @Test func timeFarInTheFutureIsIgnored() {
    let sending = UsageSending(waiting: 5)
    #expect(
      sending.failed("no", at: at(86_400 * 365), retryAfter: nil).isFree(at: at(0)), "the clock was corrected")
    #expect(
      !sending.failed("no", at: at(0), retryAfter: nil).isFree(at: at(-3600)), "the clock was set back an hour")
  }
}
