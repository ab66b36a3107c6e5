import World

/// A filter for the points of a GPX document that form the track. These are the points of its tracks; if there are
/// none, of its routes; if there are neither, its waypoints.
///
/// Next to a track, waypoints are points of interest and routes are plans; alone, they are what phone simulators
/// read. They come before the tracks in the document, so they are buffered until the decision is possible.
///
/// The times of routes and waypoints usually are those of their creation. They count only if they ascend.
struct GPXChoice {
  enum Kind: Int { case waypoint, route, track }

  /// The maximum number of buffered items. A longer list counts as a track, whatever follows.
  static let limit = 10_000

  /// The number of positions that were skipped.
  private(set) var leftOut = 0
  /// The best kind of point found so far.
  private var best: Kind?
  private var held: [TrackItem] = []
  /// Whether the decision is final, so that nothing is buffered any more.
  private var isSettled = false
  /// The times of the emitted points of a route or of waypoints.
  private var times = CreationTimes()

  /// Whether points of this kind count, as far as is known.
  func counts(_ kind: Kind) -> Bool { isSettled || best.map { kind.rawValue >= $0.rawValue } ?? true }

  mutating func leaveOut() { leftOut += 1 }

  @inline(__always)
  mutating func add(_ item: TrackItem, of kind: Kind, into found: inout [TrackItem]) {
    if kind != best, !isSettled { return addFirst(item, of: kind, into: &found) }
    if kind == .track {
      found.append(item)
    } else if isSettled {
      found.append(times.checked(item))
    } else {
      hold(item, into: &found)
    }
  }

  /// Emit the buffered items if no better kind was found.
  mutating func finish(into found: inout [TrackItem]) {
    for item in held { times.add(item) }
    times.decide()
    for item in held { found.append(times.checked(item)) }
    held = []
  }

  /// Add the first item of a better kind, which replaces the buffered items. A segment without points does not count
  /// as better.
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

/// A check of whether the times of points ascend, so that they can be the times of a journey.
private struct CreationTimes {
  private var (first, last): (Timestamp?, Timestamp?)
  private var count = 0
  private var ascend = true

  /// Add one of the points that the decision is based on.
  mutating func add(_ item: TrackItem) {
    guard case .position(let position) = item, let time = position.time else { return }
    if let last, time < last { ascend = false }
    (first, last) = (first ?? time, time)
    count += 1
  }

  /// Equal times are not those of a journey either.
  mutating func decide() {
    if count > 1, first == last { ascend = false }
    last = nil
  }

  /// The item, without its time unless the times ascend.
  mutating func checked(_ item: TrackItem) -> TrackItem {
    guard case .position(var position) = item, let time = position.time else { return item }
    if let last, time < last { ascend = false }
    last = time
    if !ascend { position.time = nil }
    return .position(position)
  }
}
