import Testing
import World

@Suite struct BackoffTests {
  private let backoff = Backoff(base: .seconds(1), ceiling: .seconds(60), jitter: 0.5...1)

  @Test func delaysDoubleUpToTheCeiling() {
    #expect((1...8).map { backoff.delay(attempt: $0) } == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
    #expect(backoff.delay(attempt: .max) == .seconds(60))
    #expect(backoff.delay(attempt: 0) == .seconds(1))
  }

  @Test func jitterIsBetweenItsFactors() {
    #expect(backoff.delay(attempt: 3, random: 0) == .seconds(2))
    #expect(backoff.delay(attempt: 3, random: 0.5) == .seconds(3))
    #expect(Backoff(base: .seconds(1), ceiling: .seconds(9), jitter: 0...1).delay(attempt: 2, random: 0) == .zero)
    #expect(Backoff(base: .seconds(1), ceiling: .seconds(9)).delay(attempt: 2, random: 0.3) == .seconds(2))
  }
}
