import Foundation
import Support
import Testing
import World

@Suite struct ClockTests {
  @Test func nowIsTheSystemTime() {
    let before = Date()
    let now = LiveClock(interruption: TestInterruption()).now()
    let seconds = Double(now.milliseconds) / 1000
    #expect(seconds >= before.timeIntervalSince1970 - 0.001)
    #expect(seconds <= Date().timeIntervalSince1970)
  }

  @Test func monotonicTimeNeverGoesBack() {
    let clock = LiveClock(interruption: TestInterruption())
    let readings = (0..<1000).map { _ in clock.monotonic() }
    #expect(readings == readings.sorted())
    #expect(readings.first != readings.last)
  }

  @Test func sleepLastsAtLeastItsDuration() {
    let clock = LiveClock(interruption: TestInterruption())
    let start = clock.monotonic()
    clock.sleep(for: .microseconds(1500))
    #expect(clock.monotonic() - start >= .microseconds(1500))
    clock.sleep(for: .seconds(-1))
  }

  @Test func interruptEndsASleep() {
    let interruption = TestInterruption()
    interruption.interrupt()
    LiveClock(interruption: interruption).sleep(for: .seconds(1_000_000_000))
  }
}
