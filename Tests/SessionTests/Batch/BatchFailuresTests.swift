@testable import Session
import Testing

/// The report of failures depends on the requested order alone, not on the order of the responses.
@Suite struct BatchFailuresTests {
  private func failures(_ positions: [Int], of total: Int) -> BatchFailures {
    let failures = BatchFailures(of: total)
    for position in positions {
      let code: Problem.Code = position.isMultiple(of: 2) ? .notFound : .forbidden
      failures.add(Problem(code, "problem \(position)"), of: "item \(position)", at: position)
    }
    return failures
  }

  @Test func failuresAreInTheRequestedOrder() {
    let failures = failures([3, 1, 2, 0], of: 5)
    #expect(failures.named.map(\.name) == ["item 0", "item 1", "item 2", "item 3"])
    #expect(failures.details.map(\.parameter) == ["item 0", "item 1", "item 2", "item 3"])
    #expect(failures.problems.map(\.summary) == ["problem 0", "problem 1"], "the first one of each code")
    #expect(failures.names == "'item 0' and 3 more")
  }

  /// The failure explains why the others were skipped.
  @Test func skippedItemsFollowTheFailures() throws {
    let failures = BatchFailures(of: 3)
    var skipped = Problem(.network, "not sent")
    skipped.isSkip = true
    failures.add(skipped, of: "a", at: 0)
    failures.add(Problem(.network, "no response"), of: "c", at: 2)
    failures.add(skipped, of: "b", at: 1)
    #expect(failures.named.map(\.name) == ["c", "a", "b"])
    #expect(failures.problems.map(\.summary) == ["no response"])
    let problem = #expect(throws: Problem.self) { try failures.evaluate() }
    #expect(problem?.message == "1 of 3 failed, 2 were skipped" && problem?.reason == "no response")
  }

  @Test func withoutPositionsTheyAreInTheOrderInWhichTheyWereAdded() {
    let failures = BatchFailures(of: 3)
    for name in ["c", "a", "b"] { failures.add(Problem(.notFound, name), of: name) }
    #expect(failures.named.map(\.name) == ["c", "a", "b"])
    #expect(failures.problems.map(\.summary) == ["c"])
  }

  @Test func theFirstOfManyAreListed() {
    let failures = failures((0..<250).reversed(), of: 250)
    #expect(failures.named.map(\.name) == (0..<BatchFailures.limit).map { "item \($0)" })
    #expect(failures.details.last?.message == "and 150 more")
    #expect(failures.problems.map(\.summary) == ["problem 0", "problem 1"])
  }
}
