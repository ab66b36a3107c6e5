import HTTP
import Support
import Testing
import World

@testable import Session

/// The clock of a recorded run stands still between responses, but a wait must end in time.
@Suite struct ClockedInputTests {
  @Test func aWaitAdvancesTheClock() throws {
    let test = TestWorld()
    test.input.whileWaiting = { _, _ in .timeUp }
    let clock = FrozenClock(from: Timestamp(milliseconds: 0))
    let input = ClockedInput(test.world.input, clock)
    #expect(try input.wait(for: -1, expectsInput: false, atMost: .seconds(2)) == .timeUp)
    #expect(clock.monotonic() == .seconds(2))
    test.input.whileWaiting = { _, _ in .message }
    #expect(try input.wait(for: -1, expectsInput: false, atMost: .seconds(2)) == .message)
    #expect(clock.monotonic() == .seconds(2))
  }
}
