import Support
import Testing
import World

/// A world in which only sending is allowed: any other effect fails the test.
func quietWorld(isInterrupted: Bool = false) -> World {
  let world = TestWorld(now: Timestamp(milliseconds: 0), seed: 1)
  if isInterrupted { world.interruption.interrupt() }
  return world.world
}
