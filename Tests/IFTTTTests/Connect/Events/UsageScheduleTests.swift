import IFTTT
import Testing
import World

/// The schedule of uploads, as a sequence of events.
@Suite struct UsageScheduleTests {
  private func at(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: 1_772_646_129_000 + seconds * 1000) }

  @Test func fiveEventsAreDue() {
    #expect(!UsageSchedule.free.isDue(waiting: 4, at: at(0)))
    #expect(UsageSchedule.free.isDue(waiting: 5, at: at(0)))
  }

  @Test func onlyOneSenderRunsAtATime() {
    let claimed = UsageSchedule.free.claimed(at: at(0))
    #expect(!claimed.isDue(waiting: 50, at: at(14)))
    #expect(claimed.isDue(waiting: 50, at: at(15)), "the sender has died")
  }

  @Test func pausesGrowUpToSixHours() {
    var schedule = UsageSchedule.free
    var pauses: [Int64] = []
    for _ in 0..<12 {
      schedule = schedule.failed(at: at(0), retryAfter: nil)
      pauses.append((schedule.notBefore.milliseconds - at(0).milliseconds) / 1000)
    }
    #expect(pauses == [60, 120, 240, 480, 960, 1920, 3840, 7680, 15360, 21600, 21600, 21600])
    #expect(!schedule.isDue(waiting: 100, at: at(21599)))
    #expect(schedule.isDue(waiting: 100, at: at(21600)))
  }

  @Test(arguments: [(1, 60), (600, 600), (86_400, 21_600)]) func honorsRetryAfterUpToLimit(asked: Int, pause: Int64) {
    let schedule = UsageSchedule.free.failed(at: at(0), retryAfter: .seconds(asked))
    #expect(schedule.notBefore == at(pause))
  }

  @Test func timeFarInTheFutureIsIgnored() {
    let schedule = UsageSchedule.free.failed(at: at(86_400 * 365), retryAfter: nil)
    #expect(schedule.isFree(at: at(0)), "the clock was corrected")
    #expect(
      !UsageSchedule.free.failed(at: at(0), retryAfter: nil).isFree(at: at(-3600)), "the clock was set back an hour")
  }
}
