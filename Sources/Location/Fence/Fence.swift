import World

/// A detector of entries into regions and exits from them, one position after another.
///
/// The rules are those of the Android SDK (docs/api/location.md §4 and §9). A position nearer than the radius is
/// inside. The first known containment triggers no event. Only transitions in the requested direction are events, but
/// every transition updates the containment.
///
/// With a limit, the fence behaves like a phone. It first evaluates a position against the monitored regions, and
/// then selects the regions nearest to that position. Regions that are no longer monitored are forgotten. Newly
/// monitored regions start as unknown, with this position.
package struct Fence: Sendable {
  package let rules: FenceRules
  package private(set) var counts = FenceCounts()
  private var watches: [MonitoredRegion]
  /// The indices of the monitored regions in ``watches``, in ascending order.
  private var watched: [Int]
  private var nearest: NearestRegions?
  /// The latest position that was used and has a time, or the first position.
  private var last: Position?
  /// The last position that was used and has a time, in the current segment.
  private var previous: Position?
  /// The latest stored time of any region; nil once a position has reached it.
  private var horizon: Timestamp?

  /// - Parameters:
  ///   - regions: The regions. If several have the same id, only the first is used.
  ///   - known: The states from earlier runs, by region id.
  package init(_ regions: [Region], rules: FenceRules = FenceRules(), known: [String: FenceState] = [:]) {
    var ids: Set<String> = []
    let regions = regions.filter { ids.insert($0.id).inserted }
    self.rules = rules
    watches = regions.map { MonitoredRegion($0, known: known[$0.id], hysteresis: rules.hysteresis) }
    watched = Array(regions.indices)
    nearest = rules.limit.flatMap { $0 < regions.count ? NearestRegions(regions, limit: $0) : nil }
    horizon = watches.lazy.compactMap(\.observedAt).max()
  }

  /// The states to store for the next run, by region id. Regions with an unknown state are omitted.
  package var states: [String: FenceState] {
    var states: [String: FenceState] = [:]
    for watch in watches where watch.containment != .unknown {
      // An assumed time would make a later run skip positions whose times are known.
      let observedAt = last.flatMap { $0.isTimeAssumed || watch.isBehind($0) ? nil : $0.time } ?? watch.observedAt
      states[watch.region.id] = FenceState(watch.containment, of: watch.region, observedAt: observedAt)
    }
    return states
  }

  /// The latest position that was used and has a time, or the first position.
  package var lastPosition: Position? { last }

  /// Adopt states that other runs have stored in the meantime, by region id.
  package mutating func adopt(_ known: [String: FenceState]) {
    for index in watches.indices {
      guard let state = known[watches[index].region.id], state.describes(watches[index].region) else { continue }
      watches[index].adopt(state)
      if let observedAt = state.observedAt { horizon = max(horizon ?? observedAt, observedAt) }
    }
  }

  /// Start a new segment, whose times may be earlier than those of the segment before it.
  package mutating func beginSegment() { previous = nil }

  /// Evaluate the next position of the track.
  package mutating func receive(_ position: Position) -> FenceOutcome {
    var changes: [ContainmentChange] = []
    return receive(position, &changes)
  }

  /// Evaluate the next position of the track.
  /// - Parameter changes: The array to append the changes to, in the order of their times.
  package mutating func receive(_ position: Position, _ changes: inout [ContainmentChange]) -> FenceOutcome {
    if let reason = reasonToSkip(position) {
      counts.count(reason)
      return .skipped(reason)
    }
    guard isInformative(position) else {
      counts.count(.beforeRemembered)
      return .skipped(.beforeRemembered)
    }
    counts.used += 1
    let isFirst = last == nil
    if position.time != nil { previous = position }
    if isFirst || isLatest(position) { last = position }
    var new: [ContainmentChange] = []
    if isFirst { _ = chooseNearest(to: position, &new) }
    evaluate(position, horizon == nil ? watched : watched.filter { !watches[$0].isBehind(position) }, &new)
    if !isFirst, let chosen = chooseNearest(to: position, &new) { evaluate(position, chosen, &new) }
    guard !new.isEmpty else { return .used(events: []) }
    if new.count > 1, rules.needsTimes { new = Self.sorted(new) }
    changes += new
    return .used(events: new.compactMap { $0.isReported ? $0.event : nil })
  }

  /// Finish the track.
  /// - Returns: The events that do not count because the track ended before ``FenceRules/dwell`` had passed.
  package mutating func finish() -> [LocationEvent] {
    watches.indices.compactMap { watches[$0].discardCandidate() }
  }

  private func reasonToSkip(_ position: Position) -> SkippedPosition? {
    if let accuracy = position.accuracy {
      guard accuracy >= 0 else { return .invalid }
      if let worst = rules.minimumAccuracy, accuracy > worst { return .inaccurate }
    }
    guard let time = position.time else { return rules.needsTimes ? .withoutTime : nil }
    if let previous, let before = previous.time, time < before, previous.isTimeAssumed == position.isTimeAssumed {
      return .outOfOrder
    }
    return nil
  }

  /// Whether a position is at least as late as the last one, as far as their times can be compared.
  private func isLatest(_ position: Position) -> Bool {
    guard let time = position.time else { return false }
    guard let last, let before = last.time, last.isTimeAssumed == position.isTimeAssumed else { return true }
    return time >= before
  }

  /// Whether a position is at least as recent as the stored state of some monitored region.
  private mutating func isInformative(_ position: Position) -> Bool {
    guard let horizon else { return true }
    if !position.isTimeAssumed, let time = position.time, time >= horizon {
      self.horizon = nil
      return true
    }
    return watched.isEmpty || watched.contains { !watches[$0].isBehind(position) }
  }

  private mutating func evaluate(_ position: Position, _ indices: [Int], _ changes: inout [ContainmentChange]) {
    for index in indices { watches[index].observe(position, rules, &changes) }
  }

  /// Select the regions nearest to a position.
  /// - Returns: The regions that were not monitored before, or nil if the selection is unchanged.
  private mutating func chooseNearest(to position: Position, _ changes: inout [ContainmentChange]) -> [Int]? {
    guard let chosen = nearest?.choose(for: position.coordinate) else { return nil }
    let before = Set(watched)
    watched = chosen.sorted()
    for index in watches.indices where !chosen.contains(index) {
      if let change = watches[index].forget(at: position) { changes.append(change) }
    }
    return watched.filter { !before.contains($0) }
  }

  /// The changes sorted by time. Changes without a time, or with equal times, keep their order.
  private static func sorted(_ changes: [ContainmentChange]) -> [ContainmentChange] {
    changes.enumerated().sorted { a, b in
      guard let first = a.element.event?.occurredAt, let second = b.element.event?.occurredAt, first != second else {
        return a.offset < b.offset
      }
      return first < second
    }.map(\.element)
  }
}

/// The rules of a ``Fence``. The defaults are the behavior of the Android SDK (docs/api/location.md §4).
package struct FenceRules: Sendable, Equatable {
  /// The maximum number of regions monitored at once, nearest first; nil for no limit. iOS monitors 20.
  package var limit: Int?
  /// The largest accepted accuracy radius, in meters. Positions with a larger radius are skipped; positions without
  /// an accuracy are accepted.
  package var minimumAccuracy: Double?
  /// The hysteresis, in meters: a region is exited only when the distance reaches the radius plus this value.
  package var hysteresis: Double
  /// The dwell time: how long a track must stay inside or outside before a transition counts.
  package var dwell: Duration
  /// Whether being inside at the first position counts as an entry.
  package var reportsInitial: Bool

  package init(
    limit: Int? = nil, minimumAccuracy: Double? = nil, hysteresis: Double = 0, dwell: Duration = .zero,
    reportsInitial: Bool = false
  ) {
    (self.limit, self.minimumAccuracy, self.hysteresis) = (limit, minimumAccuracy, hysteresis)
    (self.dwell, self.reportsInitial) = (dwell, reportsInitial)
  }

  /// Whether positions without a time are skipped. A command should reject a track without times before it starts.
  package var needsTimes: Bool { dwell > .zero }
}

/// The result of evaluating a position.
package enum FenceOutcome: Sendable, Equatable {
  /// The position was used. The events are in order of time; those of the same moment are in the order of the
  /// regions.
  case used(events: [LocationEvent])
  case skipped(SkippedPosition)

  package var events: [LocationEvent] { if case .used(let events) = self { events } else { [] } }
}

/// The reason why a position was skipped.
package enum SkippedPosition: Sendable, Equatable, CaseIterable {
  /// The position's time is before that of the last position used.
  case outOfOrder
  /// For every region, a later position is already stored, from an earlier run or from a concurrent one.
  case beforeRemembered
  /// The position is less accurate than ``FenceRules/minimumAccuracy``.
  case inaccurate
  /// The position has no time, and the rules require one.
  case withoutTime
  /// The accuracy is negative or not a number, which is how phones mark an invalid position.
  case invalid
}

/// The number of positions a ``Fence`` received, by outcome.
package struct FenceCounts: Sendable, Equatable {
  package var used = 0
  package var outOfOrder = 0
  package var beforeRemembered = 0
  package var inaccurate = 0
  package var withoutTime = 0
  package var invalid = 0

  package var skipped: Int { outOfOrder + beforeRemembered + inaccurate + withoutTime + invalid }

  mutating func count(_ reason: SkippedPosition) {
    switch reason {
    case .outOfOrder: outOfOrder += 1
    case .beforeRemembered: beforeRemembered += 1
    case .inaccurate: inaccurate += 1
    case .withoutTime: withoutTime += 1
    case .invalid: invalid += 1
    }
  }
}
