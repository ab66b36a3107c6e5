// Only keys are sorted. The standard library's sort of the elements themselves is compiled again for each kind of element,
// which takes 5 KB each.

extension Dictionary where Key: Comparable {
  /// The entries in ascending order of their keys.
  package var inOrder: [(key: Key, value: Value)] {
    keys.sorted().compactMap { key in self[key].map { (key: key, value: $0) } }
  }
}

extension Sequence {
  /// The elements in ascending order of a key that each has. Elements with equal keys keep their order.
  package func sorted<Key: Comparable>(by key: (Element) -> Key) -> [Element] {
    let elements = Array(self)
    return order(of: elements.map(key)).map { elements[$0] }
  }
}

/// The indices of the keys in ascending order. Equal keys keep their order.
private func order<Key: Comparable>(of keys: [Key]) -> [Int] {
  keys.indices.sorted { keys[$0] < keys[$1] }
}
