import CommandContext
import Hints
import Location
import Store
import World

/// Takes what a walk crosses: writes it down, sends it and shows it, in this order. Where nothing is to be sent, nothing is
/// written down either.
final class EventDelivery {
  private let session: Session
  private let profile: String
  private let found: MonitoredRegions
  /// Nil where nothing is kept nor sent.
  private let sender: LocationSender?
  /// Whether sides are compared with the store's, and kept there.
  private let remembers: Bool

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

  /// - Parameters:
  ///   - sender: nil where nothing is to be kept nor sent.
  ///   - remembers: whether sides are compared with the store's, and kept there.
  init(_ found: MonitoredRegions, by sender: LocationSender?, remembers: Bool, in session: Session) throws {
    (self.session, self.found, self.sender, self.remembers) = (session, found, sender, remembers)
    profile = try session.profile.name
    // What an earlier run could not send goes with this one, whether it crosses anything or not.
    let waiting = try session.store.locationEventCounts(profile: profile)
    isBehind = waiting.all > waiting.refused
  }

  /// Why not everything was accepted.
  var problem: Problem? { trouble?.problem ?? refusal }

  /// What was recorded of a walk.
  struct Recorded {
    var events: [(crossing: Transition, waiting: WaitingLocationEvent?)] = []
    /// Events that another walk had already reported or made obsolete.
    var dropped = 0
    /// The states that another walk stored, from which this walk continues.
    var adopted: [String: FenceState] = [:]
  }

  /// Records what a walk has crossed.
  /// - Parameters:
  ///   - changes: since the last time.
  ///   - last: the position at which the walk is; nil if that is not new.
  ///   - sides: where it is by that position.
  func record(
    _ changes: [ContainmentChange], at last: Position?, sides: @autoclosure () -> [String: FenceState]
  ) throws -> Recorded {
    let own = changes.compactMap { $0.isEvent ? $0.crossing : nil }
    guard let sender else { return Recorded(events: own.map { ($0, nil) }) }
    func event(_ crossing: Transition) -> NewLocationEvent {
      NewLocationEvent(
        region: crossing.region.id, connection: crossing.region.connection, kind: crossing.kind.rawValue,
        occurredAt: crossing.time ?? session.world.clock.now(), owner: sender.owner)
    }
    guard remembers else {
      let waiting = try session.store.record(own.map(event), profile: profile)
      return Recorded(events: zip(own, waiting).map { ($0, $1) })
    }
    guard let last else { return Recorded() }
    let sides = sides()
    var recorded = Recorded()
    var crossed: [Transition] = []
    let waiting = try session.store.record(profile: profile) { stored in
      let comparison = FenceStateComparison(
        stored: FenceState.all(in: stored), changes, sides: sides, at: last, regions: found.wanted)
      crossed = comparison.events
      (recorded.dropped, recorded.adopted) = (comparison.dropped, comparison.adopted)
      return LocationUpdate(
        events: crossed.map(event),
        remembering: comparison.changed.sorted { $0.key < $1.key }.map { StoredFenceState($0.value, of: $0.key) },
        forgetting: comparison.forgotten)
    }
    recorded.events = zip(crossed, waiting).map { ($0, $1) }
    return recorded
  }

  /// Sends what was recorded, with whatever else waits, and shows it.
  /// - Parameter show: receives each row.
  /// - Throws: `unauthorized` before the end, as nothing that follows would be accepted.
  func send(_ recorded: Recorded, isLast: Bool, _ show: ([UInt8]) throws -> Void) throws {
    guard let sender else {
      for event in recorded.events { try show(row(event.crossing, nil, .notSent)) }
      return
    }
    let waiting = recorded.events.compactMap(\.waiting)
    isBehind = isBehind || !waiting.isEmpty
    var statuses: [String: ReplayRow.Status] = [:]
    let sending = Result { try send(waiting, by: sender, isLast: isLast, &statuses) }
    for event in recorded.events {
      let id = event.waiting?.recordID
      try show(row(event.crossing, id, id.flatMap { statuses[$0] } ?? .waiting))
    }
    try sending.get()
    if !isLast, let problem = trouble?.problem, problem.code == .unauthorized {
      throw try problem.beside(keptIn: session)
    }
  }

  /// Once everything is shown.
  /// - Throws: why not everything was accepted.
  func judge() throws {
    if let problem { throw problem.isLocal ? problem : try problem.beside(keptIn: session) }
    if let stray { session.note(Hint(stray)) }
  }

  /// Sends what waits, unless that was tried in vain just now.
  private func send(
    _ recorded: [WaitingLocationEvent], by sender: LocationSender, isLast: Bool,
    _ statuses: inout [String: ReplayRow.Status]
  ) throws {
    guard isBehind, mayTry(atEnd: isLast) else { return }
    isBehind = false
    do {
      let failure = try sender.send { event, status in statuses[event.recordID] = status.inReplay }
      refusal = refusal ?? failure.refusal
      stray = failure.stray
      trouble = failure.obstacle.map { Trouble($0, patience: failure.patience, now: session.world.clock.monotonic()) }
    } catch let problem as Problem where problem.isLocal {
      // The track goes on: what is crossed is written down all the same.
      trouble = Trouble(problem, now: session.world.clock.monotonic())
    }
    for id in try sender.accepted(among: recorded) { statuses[id] = .accepted }
  }

  private func mayTry(atEnd isLast: Bool) -> Bool {
    guard let trouble else { return true }
    guard trouble.problem.code != .unauthorized else { return false }
    return session.world.clock.monotonic() >= trouble.until || (isLast && !trouble.isAsked)
  }

  private func row(_ crossing: Transition, _ recordID: String?, _ status: ReplayRow.Status) -> [UInt8] {
    ReplayRow(
      crossing: crossing, connectionName: found.names[crossing.region.connection] ?? crossing.region.connection,
      recordID: recordID, status: status
    ).bytes
  }
}
