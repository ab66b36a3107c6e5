/// Crossings as a map needs them: the first ones, and how many there were, so that it does not grow with a track that
/// flaps.
package struct TransitionMarks: Sendable {
  /// In the order they came.
  private(set) var drawn: [Transition] = []
  package private(set) var entries = 0
  package private(set) var exits = 0

  /// More would hide each other, and make a page that no browser likes; the caption says so.
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
