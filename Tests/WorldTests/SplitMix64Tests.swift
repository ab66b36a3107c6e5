import Testing

@testable import World

/// The sandbox's data and its injected faults follow from this generator, so it may never change.
@Suite struct SplitMix64Tests {
  /// The numbers that the authors' reference implementation prints for this state.
  @Test func theNumbersAreThoseOfTheReference() {
    var generator = SplitMix64(state: 1_234_567)
    let numbers = (1...5).map { _ in generator.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
      ])
  }

  @Test func aFractionHasTheUpper53Bits() {
    var (generator, same) = (SplitMix64(state: 1_234_567), SplitMix64(state: 1_234_567))
    #expect(generator.fraction() == Double(same.next() >> 11) / 9_007_199_254_740_992)
  }
}
