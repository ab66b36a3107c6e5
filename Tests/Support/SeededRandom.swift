import World

/// Pseudorandom bytes that are the same for the same seed. It has no lock, so it must not be used concurrently.
package final class SeededRandom: RandomBytes, @unchecked Sendable {
  private var generator: SeededGenerator
  private let isGiven: Bool
  private let effects: Effects

  init(_ seed: UInt64?, _ effects: Effects) {
    (generator, isGiven, self.effects) = (SeededGenerator(seed: seed ?? 0), seed != nil, effects)
  }

  package func bytes(_ count: Int) -> [UInt8] {
    if !isGiven { effects.unexpected("\(count) random bytes were asked for, but the test provides no seed") }
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 32) }
  }
}
