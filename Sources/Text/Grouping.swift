extension Sequence {
  /// The elements in their order, each only once.
  package func uniqued() -> [Element] where Element: Hashable { uniqued(by: \.self) }

  /// The elements in their order, only the first of each key.
  package func uniqued<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
    var seen: Set<Key> = []
    return filter { seen.insert(key($0)).inserted }
  }

  /// The elements by key, the keys in the order of their first appearance, the elements of each key in their order.
  package func grouped<Key: Equatable>(by key: (Element) -> Key) -> [(key: Key, elements: [Element])] {
    var groups: [(key: Key, elements: [Element])] = []
    for element in self {
      let own = key(element)
      if let known = groups.firstIndex(where: { $0.key == own }) {
        groups[known].elements.append(element)
      } else {
        groups.append((own, [element]))
      }
    }
    return groups
  }
}
