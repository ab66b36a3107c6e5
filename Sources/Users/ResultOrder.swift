/// Restores the order in which items began, for results that arrive in any order.
struct ResultOrder {
  /// The maximum number of results that are held back for one slow item.
  static let limit = 10_000

  private var begun = 0
  private var printed = 0
  private var held: [Int: [[UInt8]]] = [:]

  /// Whether no new item may begin before the oldest one ends.
  var isFull: Bool { held.count >= Self.limit }

  mutating func begin() -> Int {
    defer { begun += 1 }
    return begun
  }

  /// - Returns: the rows that can be printed now, in order.
  mutating func end(_ number: Int, _ rows: [[UInt8]]) -> [[UInt8]] {
    guard number == printed else {
      held[number] = rows
      return []
    }
    var ready = rows
    printed += 1
    while let next = held.removeValue(forKey: printed) {
      ready += next
      printed += 1
    }
    return ready
  }

  /// The rows that are still held back, in order, once the run has ended early.
  mutating func rest() -> [[UInt8]] {
    defer { held = [:] }
    return held.sorted { $0.key < $1.key }.flatMap(\.value)
  }
}
