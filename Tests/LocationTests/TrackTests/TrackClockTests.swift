import Location
import Testing
import World

@Suite struct TrackClockTests {
  private static let now = Timestamp(milliseconds: 1_800_000_000_000)
  private static func recorded(_ second: Int64) -> Timestamp {
    Timestamp(milliseconds: 1_500_000_000_000 + second * 1000)
  }
  private static func later(_ second: Int64) -> Timestamp { Timestamp(milliseconds: now.milliseconds + second * 1000) }

  /// Play a track on a clock that only advances while the player waits. Each element has the time it was played and
  /// the time reported for it.
  private static func play(
    _ times: [Timestamp?], _ speed: TrackClock.Speed, _ kind: TrackClock.Times = .recorded
  ) -> [(Duration, Timestamp)] {
    var clock = TrackClock(speed: speed, times: kind)
    var reading = Duration.seconds(77)
    return times.map { time in
      let moment = now - (.seconds(77) - reading)
      let scheduled = clock.schedule(time, now: moment, reading: reading)
      reading += scheduled.wait
      return (reading - .seconds(77), scheduled.time)
    }
  }

  @Test(arguments: [(1.0, 1.0), (60.0, 1.0 / 60), (0.5, 2.0)]) func positionsAreDueAtTheirRecordedIntervals(
    speed: Double, factor: Double
  ) {
    let played = Self.play([0, 1, 1, 61, 600].map(Self.recorded), .times(speed))
    let expected = [0, 1, 1, 61, 600].map { Duration.seconds($0 * factor) }
    for (played, expected) in zip(played.map(\.0), expected) {
      #expect(abs((played - expected) / .milliseconds(1)) < 1)
    }
    #expect(played.map(\.1) == [0, 1, 1, 61, 600].map(Self.recorded))
  }

  @Test func unlimitedSpeedDoesNotWait() {
    let played = Self.play([0, 1, 61, 600].map(Self.recorded), .unlimited, .shifted)
    #expect(played.allSatisfy { $0.0 == .zero })
    #expect(played.map(\.1) == [0, 1, 61, 600].map(Self.later))
  }

  @Test func shiftedTimesKeepTheirIntervals() {
    let played = Self.play([10, 11, 71].map(Self.recorded), .times(60), .shifted)
    #expect(played.map(\.1) == [0, 1, 61].map(Self.later))
    #expect(abs((played[2].0 - .seconds(61.0 / 60)) / .milliseconds(1)) < 1)
  }

  /// Time spent elsewhere shortens the wait.
  @Test func waitsEndAtAMoment() {
    var clock = TrackClock(speed: .times(1), times: .recorded)
    #expect(clock.schedule(Self.recorded(0), now: Self.now, reading: .seconds(5)).wait == .zero)
    #expect(clock.schedule(Self.recorded(10), now: Self.now, reading: .seconds(8)).wait == .seconds(7))
    #expect(clock.schedule(Self.recorded(20), now: Self.now, reading: .seconds(40)).wait == .zero)
    #expect(clock.schedule(Self.recorded(60), now: Self.now, reading: .seconds(40)).wait == .seconds(25))
  }

  @Test func positionsWithoutTimesGetTheCurrentTime() {
    var clock = TrackClock(speed: .times(1), times: .recorded)
    for second in [0, 3, 9] as [Int64] {
      let scheduled = clock.schedule(nil, now: Self.later(second), reading: .seconds(second))
      #expect(scheduled.wait == .zero && scheduled.time == Self.later(second) && scheduled.isAssumed)
    }
  }

  @Test func aPositionWithoutATimeGetsThePreviousTime() {
    for kind in [TrackClock.Times.recorded, .shifted] {
      let played = Self.play([Self.recorded(0), nil, Self.recorded(5), nil, nil], .times(1), kind)
      #expect(played[1].1 == played[0].1)
      #expect(played[3].1 == played[2].1 && played[4].1 == played[2].1)
      #expect(played[4].0 == .seconds(5))
    }
  }

  @Test func timesAfterTheFirstAreNotAssumed() {
    var clock = TrackClock(speed: .unlimited, times: .recorded)
    let times: [Timestamp?] = [nil, Self.recorded(0), nil]
    let scheduled = times.map { clock.schedule($0, now: Self.now, reading: .zero) }
    #expect(scheduled.map(\.isAssumed) == [true, false, false])
    #expect(scheduled.map(\.time) == [Self.now, Self.recorded(0), Self.recorded(0)])
  }

  /// There is no interval between a time on an assumed date and one with the track's own date.
  @Test func theFirstDateRestartsTheSchedule() {
    var clock = TrackClock(speed: .times(1), times: .recorded)
    let first = clock.schedule(Self.later(0), isAssumed: true, now: Self.now, reading: .zero)
    #expect(first.wait == .zero && first.isAssumed)
    #expect(clock.schedule(Self.later(5), isAssumed: true, now: Self.now, reading: .zero).wait == .seconds(5))
    let between = clock.schedule(nil, now: Self.now, reading: .seconds(5))
    #expect(between.time == Self.later(5) && between.isAssumed)
    let dated = clock.schedule(Self.recorded(0), now: Self.now, reading: .seconds(6))
    #expect(dated.wait == .zero && dated.time == Self.recorded(0) && !dated.isAssumed)
    #expect(clock.schedule(Self.recorded(3), now: Self.now, reading: .seconds(6)).wait == .seconds(3))
  }

  @Test func earlierTimesDoNotWait() {
    let played = Self.play([100, 50, 101].map(Self.recorded), .times(1))
    #expect(played.map(\.0) == [.zero, .zero, .seconds(1)])
    #expect(played.map(\.1) == [100, 50, 101].map(Self.recorded))
  }

  @Test func extremeTimesDoNotOverflow() {
    let ends = [Timestamp(milliseconds: .min), Timestamp(milliseconds: .max), Timestamp(milliseconds: 0)]
    for kind in [TrackClock.Times.recorded, .shifted] {
      for speed in [TrackClock.Speed.times(1e-300), .times(1), .times(1e300), .unlimited] {
        var clock = TrackClock(speed: speed, times: kind)
        for time in ends + ends.reversed() {
          #expect(clock.schedule(time, now: Self.now, reading: .seconds(1)).wait >= .zero)
        }
      }
    }
  }

  @Test(arguments: [
    ("1x", TrackClock.Speed.times(1)), ("60x", .times(60)), ("60", .times(60)), ("0.5x", .times(0.5)),
    ("max", .unlimited),
    ("0x", nil), ("-1x", nil), ("x", nil), ("", nil), ("1xx", nil), ("fast", nil), ("MAX", nil), ("infx", nil),
    ("nan", nil),
  ])
  func parsesSpeeds(text: String, expected: TrackClock.Speed?) {
    #expect(TrackClock.Speed(parsing: text) == expected)
  }
}
