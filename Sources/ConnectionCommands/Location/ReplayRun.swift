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
  private let isDry: Bool

  /// Whether events occur over a long time, so that each must be delivered at once.
  let isPaced: Bool

  private var fence: Fence
  private var clock: TrackClock
  private var dates = AssumedDate()
  private var notes = ReplaySummary()
  /// The changes that are not yet delivered.
  private var changes: [ContainmentChange] = []
  private var eventCount = 0
  /// Whether positions were used since the last delivery.
  private var hasMoved = false
  /// Whether the user was told that the token is not accepted.
  private var hasNotedRejection = false

  /// - Parameter sender: Nil if nothing must be stored or sent.
  init(
    _ options: LocationReplay.Options, _ found: MonitoredRegions, _ sender: LocationSender?, in session: Session
  ) throws {
    (self.session, self.options) = (session, options)
    source = TrackSource(options.track, in: session)
    rules = options.fence.rules
    clock = TrackClock(speed: options.speed, times: options.times == .kept ? .kept : .shifted)
    isPaced = source.isLive || options.speed != .unlimited
    isDry = sender == nil
    fence = Fence(found.wanted, rules: rules, known: options.remembers ? try session.storedFenceStates() : [:])
    delivery = try EventDelivery(found, by: sender, remembers: options.remembers, in: session)
  }

  /// - Parameter show: Receives each row.
  func run(_ show: ([UInt8]) throws -> Void) throws {
    if isPaced { session.console.noteToPerson("Events are shown as they happen. Ctrl-C stops without losing any.") }
    let walk = Result {
      try source.forEach { items in
        for item in items { try receive(item, show) }
        if isPaced { try flush(show) }
      }
    }
    // Events that occurred before an interruption or a fault in the track are still delivered.
    let end = Result { try flush(show, isLast: true) }
    for crossing in fence.finish() {
      session.console.note("\(crossing.region.name): the track ended before --dwell had passed.")
    }
    do {
      try walk.get()
      try end.get()
      if !source.isLive || notes.faults.count > 0 { try notes.faults.checkForAny(fence.counts) }
    } catch let gone as BrokenPipe {
      throw gone
    } catch {
      report()
      if let kept = delivery.problem, kept.code != (error as? Problem)?.code {
        session.console.note("Not every event could be sent: \(kept.summary).")
      }
      guard let problem = error as? Problem, problem.code == .interrupted, !isDry else { throw error }
      throw try problem.beside(keptIn: session)
    }
  }

  /// Reports the outcome after everything is shown.
  func evaluate() throws {
    report()
    try delivery.evaluate()
    if isDry, session.options.usesExitCode, notes.events > 0 { throw Problem(.differs, "something would change") }
  }

  private func report() {
    for words in notes.words(fence.counts, rules) { session.console.note(words) }
    for words in notes.timeWords(options, isLive: source.isLive, assumed: dates.first) { session.console.note(words) }
  }

  private func receive(_ item: TrackItem, _ show: ([UInt8]) throws -> Void) throws {
    switch item {
    // Only a file is read to its end before its first position is used, and thus in the order of its segments.
    case .segment: if !source.isLive { fence.beginSegment() }
    case .broken(let reason, let line): notes.add(fault: reason, line: line)
    case .position(let found):
      if !source.isLive { try rules.check(found) }
      notes.add(found)
      let now = session.world.clock.now()
      var position = dates.complete(found, now: now)
      let turn = clock.turn(
        of: position.time, isAssumed: position.isTimeAssumed, now: now, reading: session.world.clock.monotonic())
      if turn.wait > .zero {
        try flush(show)
        session.world.clock.sleep(for: turn.wait)
      }
      guard !session.world.interruption.isInterrupted else { throw Problem.interrupted }
      (position.time, position.isTimeAssumed) = (turn.time, turn.isAssumed)
      guard case .used(let crossings) = fence.receive(position, &changes) else { return }
      hasMoved = true
      eventCount += crossings.count
      if eventCount >= LocationSender.most { try flush(show) }
    }
  }

  private func flush(_ show: ([UInt8]) throws -> Void, isLast: Bool = false) throws {
    let recorded = try delivery.record(changes, at: hasMoved ? fence.lastPosition : nil, sides: fence.sides)
    (changes, eventCount, hasMoved) = ([], 0, false)
    fence.adopt(recorded.adopted)
    notes.add(recorded)
    try delivery.send(recorded, isLast: isLast, show)
    // Such a run may last for hours, and the error appears at its end.
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
