/// Tells from one position after another which regions are entered and left.
///
/// The rules are those of the reference (location.md, sections 4 and 9): what is nearer than the radius is inside; the
/// first side is no event; only the wanted direction is one, and the side changes whatever is wanted.
///
/// With a limit it does as a phone does: a position is first held against the regions that are watched, then those nearest
/// to it are chosen. Whatever is no longer watched is forgotten, and what is new begins as unknown with this position.
package struct Fence: Sendable {
  package let rules: FenceRules
  package private(set) var counts = FenceCounts()
  private var watches: [Watch]
  /// Of ``watches``, place by place.
  private var borders: [Border]
  /// The places in ``watches`` that are watched, in order.
  private var watched: [Int]
  private var nearest: NearestRegions?
  private var last: Position?

  /// - Parameters:
  ///   - regions: of several with the same id the first counts.
  ///   - known: where it was on earlier occasions, by region's id.
  package init(_ regions: [Region], rules: FenceRules = FenceRules(), known: [String: RememberedSide] = [:]) {
    var ids: Set<String> = []
    let regions = regions.filter { ids.insert($0.id).inserted }
    self.rules = rules
    watches = regions.map { Watch($0, side: known[$0.id]?.side(of: $0) ?? .unknown, hysteresis: rules.hysteresis) }
    borders = watches.map(Border.init)
    watched = Array(regions.indices)
    nearest = rules.limit.flatMap { $0 < regions.count ? NearestRegions(regions, limit: $0) : nil }
  }

  /// What to remember for the next occasion, by region's id; regions of which nothing is known are not in it.
  package var sides: [String: RememberedSide] {
    var sides: [String: RememberedSide] = [:]
    for watch in watches where watch.side != .unknown {
      sides[watch.region.id] = RememberedSide(watch.side, centre: watch.region.centre, radius: watch.region.radius)
    }
    return sides
  }

  /// The regions that are watched now, in the order they were given.
  package var watchedRegions: [Region] { watched.map { watches[$0].region } }

  package mutating func take(_ position: Position) -> FenceOutcome {
    if let reason = reasonToSkip(position) {
      counts.count(reason)
      return .skipped(reason)
    }
    counts.used += 1
    let isFirst = last == nil
    if position.time != nil || isFirst { last = position }
    if isFirst { _ = chooseNearest(to: position) }
    var crossings: [Crossing] = []
    judge(position, watched, &crossings)
    if !isFirst, let new = chooseNearest(to: position) { judge(position, new, &crossings) }
    if crossings.count > 1, rules.needsTimes { crossings = Self.sorted(crossings) }
    return .used(crossings: crossings)
  }

  /// There are no more positions.
  /// - Returns: crossings that do not count because the track ended before ``FenceRules/dwell`` was over.
  package mutating func finish() -> [Crossing] {
    watches.indices.compactMap { place in
      defer { borders[place] = Border(watches[place]) }
      return watches[place].drop()
    }
  }

  private func reasonToSkip(_ position: Position) -> SkippedPosition? {
    if let accuracy = position.accuracy {
      guard accuracy >= 0 else { return .invalid }
      if let worst = rules.minimumAccuracy, accuracy > worst { return .inaccurate }
    }
    guard let time = position.time else { return rules.needsTimes ? .withoutTime : nil }
    if let last, let before = last.time, time < before, last.isTimeAssumed == position.isTimeAssumed {
      return .outOfOrder
    }
    return nil
  }

  private mutating func judge(_ position: Position, _ places: [Int], _ crossings: inout [Crossing]) {
    var vector: UnitVector?
    for place in places {
      guard let seen = borders[place].news(of: position.coordinate, &vector) else { continue }
      if let crossing = watches[place].see(seen, position, rules) { crossings.append(crossing) }
      borders[place] = Border(watches[place])
    }
  }

  /// - Returns: the regions that were not watched before; nil where nothing has changed.
  private mutating func chooseNearest(to position: Position) -> [Int]? {
    guard let chosen = nearest?.choose(for: position.coordinate) else { return nil }
    let before = Set(watched)
    watched = chosen.sorted()
    for place in watches.indices where !chosen.contains(place) {
      watches[place].forget()
      borders[place] = Border(watches[place])
    }
    return watched.filter { !before.contains($0) }
  }

  /// By time, the others as they were.
  private static func sorted(_ crossings: [Crossing]) -> [Crossing] {
    crossings.enumerated().sorted { a, b in
      guard let first = a.element.time, let second = b.element.time, first != second else { return a.offset < b.offset }
      return first < second
    }.map(\.element)
  }
}
