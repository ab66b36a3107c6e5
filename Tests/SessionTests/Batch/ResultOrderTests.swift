import Session
import Testing

@Suite struct ResultOrderTests {
  private func row(_ number: Int) -> [[UInt8]] { [Array("\(number)".utf8)] }

  @Test func rowsAppearInTheOrderInWhichTheirItemsBegan() {
    var order = ResultOrder<[UInt8]>()
    let numbers = (0..<4).map { _ in order.begin() }
    #expect(numbers == [0, 1, 2, 3])
    #expect(order.end(2, row(2)) == [])
    #expect(order.end(0, row(0)) == row(0))
    #expect(order.end(1, []) == row(2))
    #expect(order.end(3, row(3)) == row(3))
    #expect(order.rest() == [])
  }

  @Test func heldResultsAreLimited() {
    var order = ResultOrder<[UInt8]>()
    _ = order.begin()
    for _ in 0..<9_999 { #expect(order.end(order.begin(), row(1)) == []) }
    #expect(!order.isFull)
    _ = order.end(order.begin(), row(2))
    #expect(order.isFull)
    #expect(order.end(0, row(0)).count == 10_001)
    #expect(!order.isFull)
  }

  @Test func afterAnEarlyEndTheRestIsPrintedInOrder() {
    var order = ResultOrder<[UInt8]>()
    for _ in 0..<4 { _ = order.begin() }
    _ = order.end(3, row(3))
    _ = order.end(1, row(1))
    #expect(order.rest() == row(1) + row(3))
    #expect(order.rest() == [])
  }
}
