import Location
import Store
import World

/// Walks a track through the regions: what is crossed is written down, sent and shown, in this order.
final class ReplayRun {
  private let session: Session
  private let profile: String
  private let source: TrackSource
  private let found: WatchedRegions
  /// Nil where nothing is kept nor sent.
  private let sender: LocationSender?
  private let remembers: Bool
  private let rules: FenceRules

  /// Whether events come over a long time, so that none may wait for others.
  let isPaced: Bool

  private var fence: Fence
  private var clock: TrackClock
  private var faults = TrackFaults()
  /// Crossings by positions less accurate than their region is wide.
  private var doubtful = 0
  private var crossedCount = 0
  private var jitter = JitterCount()
  /// Crossed and not yet written down.
  private var crossings: [Crossing] = []
  private var remembered: [String: RememberedSide]
  private var lastTime: Timestamp?
  private var trouble: Trouble?
  private var refusal: Problem?
  /// Of those that are another user's.
  private var stray: String?
  /// Whether events wait of which none was tried.
  private var isBehind: Bool

  /// Why the last events could not be sent, and when that is tried again.
  private struct Trouble {
    let problem: Problem
    let until: Duration
    /// Whether IFTTT asked for it; else the end of the track does not wait so long.
    let isAsked: Bool

    /// - Parameter now: of the monotonic clock.
    init(_ problem: Problem, patience: Duration? = nil, now: Duration) {
      (self.problem, isAsked) = (problem, patience != nil)
      until = now + max(.seconds(30), patience ?? .zero)
    }
  }

  init(
    _ options: LocationReplay.Options, _ found: WatchedRegions, _ sender: LocationSender?, in session: Session
  ) throws {
    (self.session, self.found, self.sender) = (session, found, sender)
    profile = try session.profile.name
    source = TrackSource(options.track, in: session)
    remembers = options.remembers
    rules = options.fence.rules
    clock = TrackClock(speed: options.speed, times: options.times == .kept ? .kept : .shifted)
    isPaced = source.isLive || options.speed != .unlimited
    remembered = options.remembers ? try session.rememberedSides().mapValues(\.side) : [:]
    fence = Fence(found.wanted, rules: rules, known: remembered)
    // What an earlier run could not send goes with this one, whether it crosses anything or not.
    let waiting = try session.store.locationEventCounts(profile: profile)
    isBehind = waiting.all > waiting.refused
  }

  /// - Parameter show: takes each row.
  func run(_ show: ([UInt8]) throws -> Void) throws {
    if isPaced { session.noteToPerson("Events are shown as they happen. Ctrl-C ends it and loses none.") }
    let walk = Result {
      try source.forEach { items in
        for item in items { try take(item, show) }
        if isPaced { try settle(show) }
      }
    }
    // What was crossed before an interruption, or before the track turned out to be broken, is not lost.
    let end = Result { try settle(show, isLast: true) }
    for crossing in fence.finish() {
      session.note("\(crossing.region.name): not on the new side for --dwell when the track ended.")
    }
    do {
      try walk.get()
      try end.get()
      if !source.isLive || faults.count > 0 { try faults.checkForAny(fence.counts) }
    } catch let gone as ReaderGone {
      throw gone
    } catch {
      noteFaults()
      if let kept = trouble?.problem ?? refusal, kept.code != (error as? Problem)?.code {
        session.note("Not every event could be sent: \(kept.summary).")
      }
      guard let problem = error as? Problem, problem.code == .interrupted, sender != nil else { throw error }
      throw try problem.beside(keptIn: session)
    }
  }

  /// Once everything is shown.
  func judge() throws {
    noteFaults()
    if let problem = trouble?.problem ?? refusal {
      throw problem.isLocal ? problem : try problem.beside(keptIn: session)
    }
    if let stray { session.note(stray) }
    if sender == nil, session.options.usesExitCode, crossedCount > 0 {
      throw Problem(.differs, "something would change")
    }
  }

  private func noteFaults() {
    for note in faults.notes(fence.counts) { session.note(note) }
    if rules.hysteresis == 0, rules.dwell == .zero, let words = jitter.note { session.note(words) }
    if doubtful > 0 {
      let what = doubtful == 1 ? "1 event comes" : "\(doubtful) events come"
      session.note("\(what) from a position less accurate than the region is wide; --min-accuracy would skip it.")
    }
  }

  private func take(_ item: TrackItem, _ show: ([UInt8]) throws -> Void) throws {
    switch item {
    case .segment: break
    case .broken(let reason, let line): faults.add(reason, line: line)
    case .position(var position):
      if !source.isLive { try rules.check(position) }
      let isTimed = position.time != nil
      let turn = clock.turn(
        of: position.time, now: session.world.clock.now(), reading: session.world.clock.monotonic())
      if turn.wait > .zero {
        try settle(show)
        session.world.clock.sleep(for: turn.wait)
      }
      guard !session.world.interruption.isInterrupted else { throw Problem.interrupted }
      (position.time, position.isTimeAssumed) = (turn.time, turn.isAssumed)
      lastTime = turn.time
      let crossed = fence.take(position).crossings
      crossedCount += crossed.count
      doubtful += crossed.count(where: \.isDoubtful)
      // Without times of its own a whole day is one moment.
      if isTimed { for crossing in crossed { jitter.add(crossing) } }
      crossings += crossed
      if crossings.count >= LocationSender.most { try settle(show) }
    }
  }

  /// Writes down what was crossed, sends it and shows it.
  private func settle(_ show: ([UInt8]) throws -> Void, isLast: Bool = false) throws {
    let crossed = crossings
    crossings = []
    guard let sender else {
      for crossing in crossed { try show(row(crossing, nil, .notSent)) }
      return
    }
    let recorded = try record(crossed)
    var rows: [String: (crossing: Crossing, status: ReplayRow.Status)] = [:]
    for (crossing, event) in zip(crossed, recorded) { rows[event.recordID] = (crossing, .waiting) }
    isBehind = isBehind || !recorded.isEmpty
    let sending = Result {
      guard isBehind, mayTry(atEnd: isLast), trouble?.problem.code != .unauthorized else { return }
      isBehind = false
      do {
        let failure = try sender.send { event, status in rows[event.recordID]?.status = status.inReplay }
        refusal = refusal ?? failure.refusal
        stray = failure.stray
        trouble = failure.obstacle.map { Trouble($0, patience: failure.patience, now: session.world.clock.monotonic()) }
      } catch let problem as Problem where problem.isLocal {
        // The track goes on: what is crossed is written down all the same.
        trouble = Trouble(problem, now: session.world.clock.monotonic())
      }
      for id in try sender.accepted(among: recorded) { rows[id]?.status = .accepted }
    }
    for event in recorded {
      if let (crossing, status) = rows[event.recordID] { try show(row(crossing, event.recordID, status)) }
    }
    try sending.get()
    // Nothing that follows would be accepted.
    if !isLast, let problem = trouble?.problem, problem.code == .unauthorized {
      throw try problem.beside(keptIn: session)
    }
  }

  private func record(_ crossed: [Crossing]) throws -> [WaitingLocationEvent] {
    let events = crossed.map { crossing in
      NewLocationEvent(
        region: crossing.region.id, connection: crossing.region.connection, kind: crossing.kind.rawValue,
        occurredAt: crossing.time ?? session.world.clock.now(), owner: sender?.owner)
    }
    var sides: [RememberedLocation] = []
    var forgotten: [String] = []
    if remembers {
      let now = fence.sides
      // With a limit, whatever is no longer watched.
      forgotten = found.wanted.map(\.id).filter { remembered[$0] != nil && now[$0] == nil }
      sides = now.filter { remembered[$0.key] != $0.value }.sorted { $0.key < $1.key }.map {
        RememberedLocation($0.value, of: $0.key, at: lastTime)
      }
      remembered = now
    }
    return try session.store.record(events, remembering: sides, forgetting: forgotten, profile: profile)
  }

  private func mayTry(atEnd isLast: Bool) -> Bool {
    guard let trouble else { return true }
    return session.world.clock.monotonic() >= trouble.until || (isLast && !trouble.isAsked)
  }

  private func row(_ crossing: Crossing, _ recordID: String?, _ status: ReplayRow.Status) -> [UInt8] {
    ReplayRow(
      crossing: crossing, connectionName: found.names[crossing.region.connection] ?? crossing.region.connection,
      recordID: recordID, status: status
    ).bytes
  }
}

extension Region {
  /// As a person knows it.
  var name: String { label ?? id }
}
