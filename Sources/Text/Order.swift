// Only keys are sorted. The standard library's sort of the elements themselves is compiled again for each kind of element,
// which takes 5 KB each.

extension Dictionary where Key: Comparable {
  /// The entries in ascending order of their keys.
  package var inOrder: [(key: Key, value: Value)] {
    keys.sorted().compactMap { key in self[key].map { (key: key, value: $0) } }
  }
}

extension Sequence {
  /// The elements in ascending order of a text that each has. Elements with the same text keep their order.
  package func sorted(by text: (Element) -> String) -> [Element] {
    let elements = Array(self)
    return order(of: elements.map(text)).map { elements[$0] }
  }
}

/// The indices of the texts in ascending order. Equal texts keep their order.
private func order(of texts: [String]) -> [Int] { texts.indices.sorted { (texts[$0], $0) < (texts[$1], $1) } }
