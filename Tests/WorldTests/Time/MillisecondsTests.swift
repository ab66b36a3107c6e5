import Testing
import World

@Suite struct MillisecondsTests {
  @Test(
    arguments: [
      (Duration.zero, 0), (.nanoseconds(1), 1), (.milliseconds(1), 1), (.microseconds(1001), 2), (.seconds(-5), 0),
      (.seconds(2), 2000), (.seconds(Int64.max), 2_000_000_000),
    ] as [(Duration, Int32)])
  func timeoutsAreRoundedUpAndClamped(_ duration: Duration, _ milliseconds: Int32) {
    #expect(duration.pollMilliseconds == milliseconds)
  }

  @Test func overflowIsClamped() {
    #expect(Duration.seconds(Int64.max).wholeMilliseconds == .max)
    #expect(Duration.seconds(Int64.min).wholeMilliseconds == .min)
    #expect(Duration.microseconds(1999).wholeMilliseconds == 1)
  }
}
