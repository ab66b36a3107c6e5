/// Decides which points of a GPX document are the way that was gone: its tracks, or where it has none its routes, or where it
/// has neither its waypoints.
///
/// Beside a track, waypoints are sights and routes are plans; alone, they are what simulators of phones read. They come
/// before the tracks, so they are held back until it is known.
struct GPXChoice {
  enum Kind: Int { case waypoint, route, track }

  /// How many items are held back; where there are more, they are a way of their own, whatever follows.
  static let limit = 10_000

  /// Positions that were left out.
  private(set) var leftOut = 0
  /// The kind of the points that were found so far and count.
  private var best: Kind?
  private var held: [TrackItem] = []
  /// Whether nothing is held back any more.
  private var isSettled = false

  /// Whether points of this kind count, as far as is known.
  func counts(_ kind: Kind) -> Bool { isSettled || best.map { kind.rawValue >= $0.rawValue } ?? true }

  mutating func leaveOut() { leftOut += 1 }

  @inline(__always)
  mutating func add(_ item: TrackItem, of kind: Kind, into found: inout [TrackItem]) {
    if kind != best, !isSettled { return addFirst(item, of: kind, into: &found) }
    if kind == .track || isSettled { found.append(item) } else { hold(item, into: &found) }
  }

  /// Gives out what nothing better came for.
  mutating func finish(into found: inout [TrackItem]) {
    found += held
    held = []
  }

  /// Of a better kind, which takes the other's place with its first point: a track that has none is no way.
  private mutating func addFirst(_ item: TrackItem, of kind: Kind, into found: inout [TrackItem]) {
    guard item != .segment else { return }
    leftOut += held.reduce(0) { if case .position = $1 { $0 + 1 } else { $0 } }
    held = []
    best = kind
    add(.segment, of: kind, into: &found)
    add(item, of: kind, into: &found)
  }

  private mutating func hold(_ item: TrackItem, into found: inout [TrackItem]) {
    held.append(item)
    guard held.count >= Self.limit else { return }
    isSettled = true
    finish(into: &found)
  }
}
