import Location
import Output
import Session
import Store
import Text
import World

/// Replays a track against the regions, at its pace, and delivers the events.
final class ReplayRun {
  private let session: Session
  private let options: LocationReplay.Options
  private let source: TrackSource
  private let rules: FenceRules
  private let delivery: EventDelivery
  /// Whether nothing is stored or sent.
  private let isDryRun: Bool

  /// Whether events occur over a long time, so that each must be delivered at once.
  let isPaced: Bool

  private var fence: Fence
  private var clock: TrackClock
  private var dates = AssumedDate()
  private var summary = ReplaySummary()
  /// The changes that are not yet delivered.
  private var changes: [ContainmentChange] = []
  private var eventCount = 0
  /// Whether positions were used since the last delivery.
  private var hasMoved = false
  /// Whether a note on the rejected token was printed.
  private var hasNotedRejection = false

  /// - Parameter sender: Nil if nothing must be stored or sent.
  init(
    _ options: LocationReplay.Options, _ found: ConnectionRegions, _ sender: LocationSender?, in session: Session
  ) throws {
    (self.session, self.options) = (session, options)
    source = TrackSource(options.track, in: session)
    rules = options.fence.rules
    clock = TrackClock(speed: options.speed, times: options.times == .kept ? .recorded : .shifted)
    isPaced = source.isLive || options.speed != .unlimited
    isDryRun = sender == nil
    let known =
      options.storesStates ? try LocationQueue(session.store, profile: session.profile.name).fenceStates() : [:]
    fence = Fence(found.monitored, rules: rules, known: known)
    delivery = try EventDelivery(found, by: sender, storesStates: options.storesStates, in: session)
  }

  /// - Parameter show: Receives each row.
  func run(_ show: ([UInt8]) throws -> Void) throws {
    if isPaced { session.console.noteToPerson("Events are shown as they happen. Ctrl-C stops without losing any.") }
    let reading = Result {
      try source.forEach { items in
        for item in items { try receive(item, show) }
        if isPaced { try flush(show) }
      }
    }
    // Events that occurred before an interruption or an error in the track are still delivered.
    let delivering = Result { try flush(show, isLast: true) }
    for event in fence.finish() {
      session.console.note(
        "\(delivery.regions[event.region]?.name ?? event.region): the track ended before --dwell had passed.")
    }
    do {
      try reading.get()
      try delivering.get()
      if !source.isLive || summary.faults.count > 0 { try summary.faults.requirePositions(fence.counts) }
    } catch let brokenPipe as BrokenPipe {
      throw brokenPipe
    } catch {
      report()
      if let unsent = delivery.problem, unsent.code != (error as? Problem)?.code {
        session.console.note("Not every event could be sent: \(unsent.summary).")
      }
      guard let problem = error as? Problem, problem.code == .interrupted, !isDryRun else { throw error }
      throw try problem.notingQueuedEvents(in: session)
    }
  }

  /// Reports the outcome after all events are shown.
  func evaluate() throws {
    report()
    try delivery.evaluate()
    if isDryRun, session.options.usesExitCode, summary.events > 0 { throw Problem(.differs, "something would change") }
  }

  private func report() {
    for hint in summary.hints(fence.counts, rules) { session.console.note(hint) }
    for hint in summary.timeHints(options, isLive: source.isLive, assumed: dates.first) { session.console.note(hint) }
  }

  private func receive(_ item: TrackItem, _ show: ([UInt8]) throws -> Void) throws {
    switch item {
    // Only a file is read to its end first, so only its segments are sorted by time.
    case .segment: if !source.isLive { fence.beginSegment() }
    case .broken(let reason, let line): summary.add(fault: reason, line: line)
    case .position(let found):
      if !source.isLive { try rules.check(found) }
      summary.add(found)
      let now = session.world.clock.now()
      var position = dates.complete(found, now: now)
      let scheduled = clock.schedule(
        position.time, isAssumed: position.isTimeAssumed, now: now, reading: session.world.clock.monotonic())
      if scheduled.wait > .zero {
        try flush(show)
        session.world.clock.sleep(for: scheduled.wait)
      }
      try session.world.checkInterruption()
      (position.time, position.isTimeAssumed) = (scheduled.time, scheduled.isAssumed)
      guard case .used(let events) = fence.receive(position, &changes) else { return }
      hasMoved = true
      eventCount += events.count
      if eventCount >= LocationSender.maximumBatchSize { try flush(show) }
    }
  }

  private func flush(_ show: ([UInt8]) throws -> Void, isLast: Bool = false) throws {
    let recorded = try delivery.record(changes, at: hasMoved ? fence.lastPosition : nil, states: fence.states)
    (changes, eventCount, hasMoved) = ([], 0, false)
    fence.adopt(recorded.adopted)
    summary.add(recorded, delivery.regions)
    try delivery.send(recorded, isLast: isLast, show)
    // A paced run may last for hours and reports the error only at its end.
    if isPaced, !isLast, !hasNotedRejection, delivery.problem?.code == .unauthorized {
      hasNotedRejection = true
      session.console.note("The user token was not accepted. Events are queued and not sent until the track ends.")
    }
  }
}

extension Region {
  /// The name shown to users.
  var name: String { label ?? id }
}

/// The statistics of a replay, for the notes at its end.
struct ReplaySummary {
  private(set) var faults = TrackFaults()
  private(set) var events = 0
  /// The number of events from positions whose accuracy is worse than the region's radius.
  private var doubtful = 0
  private var jitter = JitterDetector()
  /// The number of events that another run had already reported or made obsolete.
  private var dropped = 0
  private var positions = 0
  /// The number of positions without a time of their own.
  private var untimed = 0

  mutating func add(fault reason: String, line: Int) { faults.add(reason, line: line) }

  /// - Parameter position: A position as read from the track.
  mutating func add(_ position: Position) {
    positions += 1
    if position.time == nil || position.isTimeBorrowed { untimed += 1 }
  }

  /// - Parameter regions: The regions of the events, by id.
  mutating func add(_ recorded: EventDelivery.Recorded, _ regions: [String: Region]) {
    dropped += recorded.dropped
    events += recorded.events.count
    for event in recorded.events {
      guard let region = regions[event.region] else { continue }
      if event.isDoubtful(in: region) { doubtful += 1 }
      jitter.add(event, in: region)
    }
  }

  func hints(_ counts: FenceCounts, _ rules: FenceRules) -> [Hint] {
    var hints = faults.notes(counts)
    // Without times in the track, all events would seem to happen at once.
    if rules.hysteresis == 0, rules.dwell == .zero, untimed == 0, let note = jitter.note { hints.append(Hint(note)) }
    if doubtful > 0 {
      let events = doubtful == 1 ? "1 event comes" : "\(doubtful) events come"
      hints.append(
        "\(events) from a position whose accuracy is worse than the region's radius; --min-accuracy would skip it.")
    }
    if dropped > 0 {
      let events = dropped == 1 ? "1 event was" : "\(dropped) events were"
      hints.append(
        "\(events) not reported: another run with --remember has already processed this position or a later one.")
    }
    return hints
  }

  /// Notes on the assumptions made about the track's times.
  /// - Parameter assumed: The first time whose date was assumed.
  func timeHints(_ options: LocationReplay.Options, isLive: Bool, assumed: Timestamp?) -> [Hint] {
    var hints: [Hint] = []
    if let assumed, options.times == .kept { hints.append(Hint(assumed.assumedDateNote)) }
    guard untimed > 0 else { return hints }
    guard untimed == positions else {
      let count = untimed == 1 ? "1 position has" : "\(untimed) positions have"
      let substitute =
        isLive
        ? "the previous position's time is used, or the current time if there is none"
        : "the time of the previous position is used, or of the next one if there is none"
      return hints + ["\(count) no time; \(substitute)."]
    }
    // A live position is current, so it needs no note.
    if !isLive { hints.append("The track has no times; the current time is used for its positions.") }
    if options.speed != .unlimited { hints.append("--speed has no effect on a track without times.") }
    return hints
  }
}

extension Timestamp {
  /// A note for a track whose first position has this time with an assumed date.
  var assumedDateNote: String {
    "The track has times of day but no date; \(rfc3339.prefix(10)) (UTC) is assumed for its first position."
  }
}

/// Detects receiver jitter: transitions of one region that follow each other faster than a person can walk.
struct JitterDetector {
  private var last: [String: (time: Timestamp, streak: Int)] = [:]
  private(set) var worst: (name: String, streak: Int)?

  /// The shortest streak that counts as jitter; turning around once at the boundary does not count.
  private static let minimumStreak = 3
  private static let maximumGap = Duration.seconds(30)

  mutating func add(_ event: LocationEvent, in region: Region) {
    guard let time = event.occurredAt else { return }
    let before = last[region.id]
    let isSoon = before.map { time - Self.maximumGap <= $0.time } ?? false
    let streak = isSoon ? (before?.streak ?? 0) + 1 : 1
    last[region.id] = (time, streak)
    if streak >= Self.minimumStreak, streak > worst?.streak ?? 0 { worst = (region.name, streak) }
  }

  var note: String? {
    worst.map { name, streak in
      """
      \(name): \(streak) events within \(Self.maximumGap.components.seconds) s of each other; --hysteresis, --dwell and --min-accuracy \
      reduce jitter.
      """
    }
  }
}
