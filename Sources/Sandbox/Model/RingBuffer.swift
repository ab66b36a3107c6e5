/// The most recent elements, up to a fixed number. Each further element replaces the oldest.
struct RingBuffer<Element: Sendable>: Sendable {
  let limit: Int
  private var elements: [Element] = []
  /// The index of the oldest element.
  private var oldest = 0
  /// The number of all elements that were added.
  private(set) var count = 0

  init(limit: Int) { self.limit = limit }

  /// - Returns: The replaced element; nil until the limit is reached.
  @discardableResult
  mutating func add(_ element: Element) -> Element? {
    count += 1
    guard elements.count == limit else {
      elements.append(element)
      return nil
    }
    let replaced = elements[oldest]
    elements[oldest] = element
    oldest = (oldest + 1) % limit
    return replaced
  }

  /// An element by its position from the oldest one.
  subscript(position: Int) -> Element {
    get { elements[(oldest + position) % elements.count] }
    set { elements[(oldest + position) % elements.count] = newValue }
  }

  /// All elements, from oldest to newest.
  var all: [Element] { Array(elements[oldest...] + elements[..<oldest]) }
}
