import World

/// Random bytes for retry jitter and request ids only, identical in a recorded run and its replay (SplitMix64; Steele,
/// Lea and Flood, 2014). They are never used for keys.
///
/// Unchecked: only the thread that runs the command uses it.
package final class SeededJitter: RandomBytes, @unchecked Sendable {
  private var state: UInt64

  package init(seed: UInt32) { state = UInt64(seed) }

  package func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in
      state &+= 0x9e37_79b9_7f4a_7c15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
      return UInt8(truncatingIfNeeded: (mixed ^ (mixed >> 31)) >> 32)
    }
  }
}
