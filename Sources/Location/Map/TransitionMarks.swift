/// The first transitions of a track, which the map draws, and the counts of all. The limit keeps the map small even if
/// a track flaps.
package struct TransitionMarks: Sendable {
  /// The transitions to draw, in order of arrival.
  private(set) var drawn: [Transition] = []
  package private(set) var entries = 0
  package private(set) var exits = 0

  /// The maximum number drawn. More would hide each other and overload the browser; the caption mentions the limit.
  static let most = 1000

  package init() {}

  package var count: Int { entries + exits }

  package mutating func add(_ crossing: Transition) {
    switch crossing.kind {
    case .entry: entries += 1
    case .exit: exits += 1
    }
    if drawn.count < Self.most { drawn.append(crossing) }
  }
}
