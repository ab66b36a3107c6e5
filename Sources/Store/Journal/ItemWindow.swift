/// The items of a run that are in progress, by position. A dictionary would take three times the memory.
struct ItemWindow {
  private var elements: [JournalItem?] = []
  /// The position of the first element.
  private var base = 0
  /// The number of leading elements that are nil.
  private var passed = 0

  subscript(position: Int) -> JournalItem? {
    get { elements.indices.contains(position - base) ? elements[position - base] : nil }
    set {
      if elements.isEmpty { base = position }
      if position < base {
        guard newValue != nil else { return }
        elements.insert(contentsOf: repeatElement(nil, count: base - position), at: 0)
        (base, passed) = (position, 0)
      }
      let index = position - base
      while elements.count <= index { elements.append(nil) }
      elements[index] = newValue
      if newValue != nil { passed = min(passed, index) } else { trim() }
    }
  }

  /// Removes the leading elements, once they are half of all, so that the window moves over any number of items.
  private mutating func trim() {
    while passed < elements.count, elements[passed] == nil { passed += 1 }
    guard passed > 64, passed * 2 > elements.count else { return }
    elements.removeFirst(passed)
    (base, passed) = (base + passed, 0)
  }
}
