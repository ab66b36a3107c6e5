import Location
import Session
import Store
import Text
import World

/// Records, sends and shows the transitions of a track, in this order. Without a sender, nothing is recorded.
final class EventDelivery {
  private let session: Session
  private let profile: String
  private let found: MonitoredRegions
  /// Nil if nothing is stored or sent.
  private let sender: LocationSender?
  /// Whether states are compared with the stored ones and then saved.
  private let remembers: Bool

  private var sendFailure: SendFailure?
  private var refusal: Problem?
  /// A note on queued events that belong to another user.
  private var stray: String?
  /// Whether queued events exist that this run has not attempted to send.
  private var isBehind: Bool

  /// Why the last upload failed, and when it is retried.
  private struct SendFailure {
    let problem: Problem
    let until: Duration
    /// Whether IFTTT requested the delay. If not, the end of the track retries without waiting for it.
    let isAsked: Bool

    /// - Parameter now: The current reading of the monotonic clock.
    init(_ problem: Problem, patience: Duration? = nil, now: Duration) {
      (self.problem, isAsked) = (problem, patience != nil)
      until = now + max(.seconds(30), patience ?? .zero)
    }
  }

  /// - Parameters:
  ///   - sender: Nil if nothing must be stored or sent.
  ///   - remembers: Whether states are compared with the stored ones and then saved.
  init(_ found: MonitoredRegions, by sender: LocationSender?, remembers: Bool, in session: Session) throws {
    (self.session, self.found, self.sender, self.remembers) = (session, found, sender, remembers)
    profile = try session.profile.name
    // Events that an earlier run could not send are sent by this run, even if it has no transitions.
    let waiting = try session.store.locationEventCounts(profile: profile)
    isBehind = waiting.all > waiting.refused
  }

  /// Why not every event was accepted.
  var problem: Problem? { sendFailure?.problem ?? refusal }

  /// The recorded part of a track.
  struct Recorded {
    var events: [(crossing: Transition, waiting: WaitingLocationEvent?)] = []
    /// The number of events that another run had already reported or made obsolete.
    var dropped = 0
    /// The states stored by another run, from which this run continues.
    var adopted: [String: FenceState] = [:]
  }

  /// Records transitions.
  /// - Parameters:
  ///   - changes: The changes since the last recording.
  ///   - last: The current position of the track; nil if it has not changed.
  ///   - sides: The states of the regions at that position.
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

  /// Sends the recorded events together with all queued ones, and shows them. After a token that IFTTT does not accept,
  /// events are only recorded.
  /// - Parameter show: Receives each row.
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
  }

  /// Reports the outcome after everything is shown.
  /// - Throws: Why not every event was accepted.
  func evaluate() throws {
    if let problem { throw problem.isLocal ? problem : try problem.beside(keptIn: session) }
    if let stray { session.console.note(Hint(stray)) }
  }

  /// Sends the queued events, unless the last attempt failed just now.
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
      sendFailure = failure.obstacle.map {
        SendFailure($0, patience: failure.patience, now: session.world.clock.monotonic())
      }
    } catch let problem as Problem where problem.isLocal {
      // The track continues; its events are still recorded.
      sendFailure = SendFailure(problem, now: session.world.clock.monotonic())
    }
    for id in try sender.accepted(among: recorded) { statuses[id] = .accepted }
  }

  private func mayTry(atEnd isLast: Bool) -> Bool {
    guard let sendFailure else { return true }
    guard sendFailure.problem.code != .unauthorized else { return false }
    return session.world.clock.monotonic() >= sendFailure.until || (isLast && !sendFailure.isAsked)
  }

  private func row(_ crossing: Transition, _ recordID: String?, _ status: ReplayRow.Status) -> [UInt8] {
    ReplayRow(
      crossing: crossing, connectionName: found.names[crossing.region.connection] ?? crossing.region.connection,
      recordID: recordID, status: status
    ).bytes
  }
}

/// Compares the changes of a track with the stored states, which another run may have updated in the meantime.
///
/// A change is relative to the stored state, not to the state this run saw last. If the other run has already
/// reported the change, or has stored a later position, the change is dropped.
struct FenceStateComparison {
  /// The events to report, in order.
  private(set) var events: [Transition] = []
  /// The number of events that another run has already reported or made obsolete.
  private(set) var dropped = 0
  /// The states to write.
  private(set) var changed: [String: FenceState] = [:]
  /// The regions whose states are deleted.
  private(set) var forgotten: [String] = []
  /// The stored states that are later than this run's own and from which it continues.
  private(set) var adopted: [String: FenceState] = [:]

  /// - Parameters:
  ///   - stored: The states in the store.
  ///   - changes: The changes of the track since the last comparison.
  ///   - sides: The current states of this run.
  ///   - last: The current position of the track.
  init(
    stored: [String: FenceState], _ changes: [ContainmentChange], sides: [String: FenceState], at last: Position,
    regions: [Region]
  ) {
    var current: [String: FenceState] = [:]
    for region in regions {
      if let side = stored[region.id], side.describes(region) { current[region.id] = side }
    }
    for change in changes { apply(change, to: &current[change.region.id]) }
    for region in regions { finish(region, sides[region.id], &current[region.id], last) }
    for region in regions where current[region.id] != stored[region.id] {
      if let side = current[region.id] { changed[region.id] = side } else { forgotten.append(region.id) }
    }
  }

  private mutating func apply(_ change: ContainmentChange, to current: inout FenceState?) {
    guard let before = current else {
      if change.isEvent, let crossing = change.crossing { events.append(crossing) }
      current = change.remembered
      return
    }
    let isNews = before.side != change.side && !change.isOlder(than: before)
    guard isNews else {
      if change.isEvent { dropped += 1 }
      return
    }
    if let crossing = change.crossing, change.region.direction.wants(crossing.kind) { events.append(crossing) }
    current = change.remembered?.seen(atLeast: before.seenAt)
  }

  /// - Parameter mine: This run's state of the region; nil if it is unknown.
  private mutating func finish(
    _ region: Region, _ mine: FenceState?, _ current: inout FenceState?, _ last: Position
  ) {
    guard let mine else { return }
    guard let before = current else { return current = mine }
    // Otherwise this run's last position does not apply to the region.
    let isLatest = last.isTimeAssumed || mine.seenAt == last.time && !before.isLater(than: mine)
    guard isLatest else {
      if before != mine { adopted[region.id] = before }
      return
    }
    if before.side != mine.side {
      // With a dwell or hysteresis, the position may differ from the confirmed state.
      guard mine.side == (last.coordinate.distance(to: region.center) < region.radius ? .inside : .outside) else {
        adopted[region.id] = before
        return
      }
      let kind: Transition.Kind = mine.side == .inside ? .entry : .exit
      if region.direction.wants(kind) {
        events.append(
          Transition(kind, of: region, at: last.time, place: last.coordinate, accuracy: last.accuracy))
      }
    }
    current = mine.seen(atLeast: before.seenAt)
  }
}

extension ContainmentChange {
  /// The state to store; nil if the region is no longer monitored. An assumed time is not stored, since later runs would
  /// skip positions before it.
  fileprivate var remembered: FenceState? {
    side == .unknown ? nil : FenceState(side, of: region, seenAt: isTimeAssumed ? nil : time)
  }
}

extension FenceState {
  /// The state with its own time or a stored one, whichever is later. Its own time is nil if it was assumed.
  fileprivate func seen(atLeast stored: Timestamp?) -> FenceState {
    var state = self
    if let stored { state.seenAt = max(seenAt ?? stored, stored) }
    return state
  }

  fileprivate func isLater(than other: FenceState) -> Bool {
    guard let seenAt, let before = other.seenAt else { return false }
    return seenAt > before
  }
}
