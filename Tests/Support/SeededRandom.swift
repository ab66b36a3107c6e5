import World

/// Bytes that look random and are the same for the same seed (SplitMix64).
package final class SeededRandom: RandomBytes, @unchecked Sendable {
  private var state: UInt64
  private let isGiven: Bool
  private let effects: Effects

  init(_ seed: UInt64?, _ effects: Effects) {
    (state, isGiven, self.effects) = (seed ?? 0, seed != nil, effects)
  }

  package func bytes(_ count: Int) -> [UInt8] {
    if !isGiven { effects.unexpected("\(count) random bytes were asked for, but the test gave no seed") }
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 32) }
  }

  private func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
