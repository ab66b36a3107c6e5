import ProgramDriver
import Testing

@testable import Session

/// The poll schedule, tested as sequences: the result of a round, and the next step.
@Suite struct PollScheduleTests {
  private static let good = PollSchedule.Round()
  private static func bad(_ retryAfter: Duration? = nil) -> PollSchedule.Round {
    PollSchedule.Round(hasFailed: true, retryAfter: retryAfter)
  }

  @Test func theIntervalHasTenPercentJitter() {
    var schedule = PollSchedule(every: .seconds(10), until: nil)
    #expect(schedule.step(after: Self.good, at: .zero, random: 0) == .pause(.seconds(9)))
    #expect(schedule.step(after: Self.good, at: .zero, random: 0.5) == .pause(.seconds(10)))
    guard case .pause(let longest) = schedule.step(after: Self.good, at: .zero, random: 0.999) else {
      Issue.record("the schedule ended")
      return
    }
    #expect(longest > .seconds(10.9) && longest < .seconds(11))
  }

  @Test func consecutiveFailuresDoubleTheIntervalUpToAMinute() {
    var schedule = PollSchedule(every: .seconds(5), until: nil)
    let pauses = (0..<6).map { _ in schedule.step(after: Self.bad(), at: .zero, random: 0.5) }
    #expect(pauses == [10, 20, 40, 60, 60, 60].map { .pause(.seconds($0)) })
    #expect(schedule.step(after: Self.good, at: .zero, random: 0.5) == .pause(.seconds(5)), "success resets backoff")
    #expect(schedule.step(after: Self.bad(), at: .zero, random: 0.5) == .pause(.seconds(10)))
  }

  @Test func aLongIntervalIsNeverShortened() {
    var schedule = PollSchedule(every: .seconds(600), until: nil)
    #expect(schedule.step(after: Self.bad(), at: .zero, random: 0.5) == .pause(.seconds(600)))
    for _ in 0..<100 { _ = schedule.step(after: Self.bad(), at: .zero, random: 0.5) }
    #expect(schedule.step(after: Self.bad(), at: .zero, random: 0.5) == .pause(.seconds(600)))
  }

  @Test func retryAfterIsAlwaysHonored() {
    var schedule = PollSchedule(every: .seconds(5), until: nil)
    #expect(schedule.step(after: Self.bad(.seconds(120)), at: .zero, random: 0) == .pause(.seconds(120)))
    #expect(schedule.step(after: Self.bad(.seconds(1)), at: .zero, random: 0.5) == .pause(.seconds(20)))
    var round = PollSchedule.Round()
    for wish in [Duration.seconds(3), .seconds(9), .seconds(2)] { round.fail(retryAfter: wish) }
    round.fail(retryAfter: nil)
    #expect(round == Self.bad(.seconds(9)), "the longest Retry-After counts")
  }

  @Test func aFinalPollPrecedesTheDeadline() {
    var schedule = PollSchedule(every: .seconds(10), until: .seconds(25))
    #expect(schedule.step(after: Self.good, at: .zero, random: 0.5) == .pause(.seconds(10)))
    #expect(schedule.step(after: Self.good, at: .seconds(10), random: 0.5) == .pause(.seconds(10)))
    #expect(schedule.step(after: Self.good, at: .seconds(20), random: 0.5) == .pause(.seconds(4)))
    #expect(schedule.step(after: Self.good, at: .seconds(24), random: 0.5) == .over)
  }

  @Test func withAShortIntervalTheFinalPollIsOneIntervalBeforeTheDeadline() {
    var schedule = PollSchedule(every: .milliseconds(200), until: .seconds(1))
    #expect(schedule.step(after: Self.good, at: .milliseconds(700), random: 0.5) == .pause(.milliseconds(200)))
    #expect(schedule.step(after: Self.good, at: .milliseconds(900), random: 0.5) == .over)
  }

  @Test func endsIfRetryAfterExceedsTheDeadline() {
    var schedule = PollSchedule(every: .seconds(5), until: .seconds(60))
    #expect(schedule.step(after: Self.bad(.seconds(90)), at: .zero, random: 0.5) == .over)
  }

  @Test func aRequestNeverOutlastsTheDeadline() {
    let schedule = PollSchedule(every: .seconds(5), until: .seconds(40))
    #expect(schedule.requestLimit(at: .zero) == .seconds(30))
    #expect(schedule.requestLimit(at: .seconds(33)) == .seconds(7))
    #expect(PollSchedule(every: .seconds(5), until: nil).requestLimit(at: .seconds(1000)) == .seconds(30))
    #expect(PollSchedule(every: .seconds(5), until: .zero).requestLimit(at: .zero) == .seconds(30), "the only poll")
  }
}
