/// The unusable array elements that were skipped: their number, and the paths of the first ones.
package struct SkippedElements: Sendable, Equatable {
  package private(set) var count = 0
  /// The paths of the first eight elements: `services[1]`, `features[0].fields[2]`.
  package private(set) var places: [String] = []

  package init() {}

  package var isEmpty: Bool { count == 0 }

  mutating func add(_ place: String) {
    count += 1
    if places.count < SkippedElements.namedAtMost { places.append(place) }
  }

  /// Adds the elements that were skipped inside the element at `place`.
  package mutating func add(_ inner: SkippedElements, inside place: @autoclosure () -> String) {
    guard !inner.isEmpty else { return }
    count += inner.count
    let place = place()
    for innerPlace in inner.places.prefix(SkippedElements.namedAtMost - places.count) {
      places.append("\(place).\(innerPlace)")
    }
  }

  private static let namedAtMost = 8
}
