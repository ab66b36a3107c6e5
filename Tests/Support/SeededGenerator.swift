import Foundation
import World

/// A pseudorandom number generator with the same output for the same seed (SplitMix64; Steele, Lea and Flood, 2014).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var generator: SplitMix64

  package init(seed: UInt64) { generator = SplitMix64(state: seed) }

  /// A generator with another seed in each run, for one test. It prints the seed, and `TEST_SEED` repeats it.
  package static func random(for test: String = #function) -> SeededGenerator {
    let seed = ProcessInfo.processInfo.environment["TEST_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
    print("\(test): TEST_SEED=\(seed)")
    return SeededGenerator(seed: seed)
  }

  package mutating func next() -> UInt64 { generator.next() }
}
