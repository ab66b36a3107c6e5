import Foundation

/// A pseudorandom number generator with the same output for the same seed (SplitMix64; Steele, Lea and Flood, 2014).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// A generator with another seed in each run, for one test. It prints the seed, and `TEST_SEED` repeats it.
  package static func random(for test: String = #function) -> SeededGenerator {
    let seed = ProcessInfo.processInfo.environment["TEST_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
    print("\(test): TEST_SEED=\(seed)")
    return SeededGenerator(seed: seed)
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
