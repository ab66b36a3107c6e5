/// Restores the order in which items began, for results that arrive in any order.
package struct ResultOrder<Result> {
  /// The maximum number of results that are held back for one slow item.
  package static var limit: Int { 10_000 }

  private var begun = 0
  private var printed = 0
  private var held: [Int: [Result]] = [:]

  package init() {}

  /// Whether no new item may begin before the oldest one ends.
  package var isFull: Bool { held.count >= Self.limit }

  package mutating func begin() -> Int {
    defer { begun += 1 }
    return begun
  }

  /// - Parameter results: the results of the item with this number, the first of which is 0.
  /// - Returns: the results whose turn it is now, in order.
  package mutating func end(_ number: Int, _ results: [Result]) -> [Result] {
    guard number == printed else {
      held[number] = results
      return []
    }
    var ready = results
    printed += 1
    while let next = held.removeValue(forKey: printed) {
      ready += next
      printed += 1
    }
    return ready
  }

  /// The results that are still held back, in order, once the run has ended early.
  package mutating func rest() -> [Result] {
    defer { held = [:] }
    return held.sorted { $0.key < $1.key }.flatMap(\.value)
  }
}
