import World

/// Bytes that look random and are the same for the same seed.
package final class SeededRandom: RandomBytes, @unchecked Sendable {
  private var generator: SeededGenerator
  private let isGiven: Bool
  private let effects: Effects

  init(_ seed: UInt64?, _ effects: Effects) {
    (generator, isGiven, self.effects) = (SeededGenerator(seed: seed ?? 0), seed != nil, effects)
  }

  package func bytes(_ count: Int) -> [UInt8] {
    if !isGiven { effects.unexpected("\(count) random bytes were asked for, but the test gave no seed") }
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 32) }
  }
}
