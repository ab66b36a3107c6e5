import Foundation
import Support
import Synchronization
import Testing
import World

/// A clock that advances only when something sleeps on it.
final class FakeClock: Clock {
  private let passed = Mutex(Duration.zero)
  let start: Timestamp

  init(start: Timestamp = Timestamp(milliseconds: 1_700_000_000_000)) { self.start = start }

  func now() -> Timestamp { start - (.zero - monotonic()) }
  func monotonic() -> Duration { passed.withLock { $0 } }
  func sleep(for duration: Duration) { passed.withLock { $0 += duration } }
}

/// The machine's clock, for tests against real servers.
struct RealClock: Clock {
  private static let start = ContinuousClock.now
  func now() -> Timestamp { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
  func monotonic() -> Duration { ContinuousClock.now - RealClock.start }
  func sleep(for duration: Duration) { Issue.record("a test against a real server must not sleep") }
}

/// Constant random bytes: 0 makes every wait the shortest, 255 the longest.
struct ConstantBytes: RandomBytes {
  var value: UInt8
  func bytes(_ count: Int) -> [UInt8] { Array(repeating: value, count: count) }
}

/// A world in which only sending is allowed: any other effect fails the test.
func makeWorld(
  environment: [String: String] = [:], clock: any Clock = RealClock(), random: UInt8 = 0,
  interruption: any Interruption = TestInterruption()
) -> World {
  var world = TestWorld(environment: environment).world
  (world.clock, world.random, world.interruption) = (clock, ConstantBytes(value: random), interruption)
  return world
}
