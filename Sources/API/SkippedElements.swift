/// Members of arrays that could not be used and were left out, counted and the first of them named.
package struct SkippedElements: Sendable, Equatable {
  package private(set) var count = 0
  /// `services[1]`, `features[0].fields[2]`: the first eight.
  package private(set) var places: [String] = []

  package init() {}

  package var isEmpty: Bool { count == 0 }

  mutating func add(_ place: String) {
    count += 1
    if places.count < SkippedElements.namedAtMost { places.append(place) }
  }

  /// Adds what was dropped inside of the member at `place`.
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
