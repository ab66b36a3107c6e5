import Location
import Session
import Store
import Text
import World

/// Records, sends and shows the transitions of a track, in this order. Without a sender, nothing is recorded.
final class EventDelivery {
  private let session: Session
  private let profile: String
  /// The regions that a track's events can refer to, by id.
  let regions: [String: Region]
  private let found: ConnectionRegions
  /// Nil if nothing is stored or sent.
  private let sender: LocationSender?
  /// Whether states are compared with the stored ones and then saved.
  private let storesStates: Bool

  private var sendFailure: SendFailure?
  private var rejection: Problem?
  /// A note on queued events that belong to another user.
  private var foreignNote: String?
  /// Whether the queue has events that this run has not attempted to send.
  private var hasUnsentEvents: Bool

  /// Why the last upload failed, and when it is retried.
  private struct SendFailure {
    let problem: Problem
    let until: Duration
    /// Whether IFTTT requested the delay. If not, the end of the track retries without waiting for it.
    let isRequestedDelay: Bool

    /// - Parameter now: The current reading of the monotonic clock.
    init(_ problem: Problem, retryAfter: Duration? = nil, now: Duration) {
      (self.problem, isRequestedDelay) = (problem, retryAfter != nil)
      until = now + max(.seconds(30), retryAfter ?? .zero)
    }
  }

  /// - Parameters:
  ///   - sender: Nil if nothing must be stored or sent.
  ///   - storesStates: Whether states are compared with the stored ones and then saved.
  init(_ found: ConnectionRegions, by sender: LocationSender?, storesStates: Bool, in session: Session) throws {
    (self.session, self.found, self.sender, self.storesStates) = (session, found, sender, storesStates)
    regions = Dictionary(found.monitored.map { ($0.id, $0) }) { first, _ in first }
    profile = try session.profile.name
    // Events that an earlier run could not send are sent by this run, even if it has no transitions.
    let counts = try LocationQueue(session.store, profile: profile).counts()
    hasUnsentEvents = counts.all > counts.refused
  }

  /// Why not every event was accepted.
  var problem: Problem? { sendFailure?.problem ?? rejection }

  /// The recorded part of a track.
  struct Recorded {
    var events: [LocationEvent] = []
    /// The number of events that another run had already reported or made obsolete.
    var dropped = 0
    /// The states stored by another run, from which this run continues.
    var adopted: [String: FenceState] = [:]
  }

  /// Records transitions.
  /// - Parameters:
  ///   - changes: The changes since the last recording.
  ///   - last: The current position of the track; nil if it has not changed.
  ///   - states: The states of the regions at that position.
  func record(
    _ changes: [ContainmentChange], at last: Position?, states: @autoclosure () -> [String: FenceState]
  ) throws -> Recorded {
    let events = changes.compactMap { $0.isReported ? $0.event : nil }
    guard let sender else { return Recorded(events: events) }
    let queue = LocationQueue(try session.store, profile: profile)
    guard storesStates else {
      return Recorded(events: try queue.record(events, owner: sender.owner))
    }
    guard let last else { return Recorded() }
    let states = states()
    var recorded = Recorded()
    recorded.events = try queue.record(owner: sender.owner) { stored in
      let comparison = FenceStateComparison(
        stored: stored, changes, states: states, at: last, regions: found.monitored)
      (recorded.dropped, recorded.adopted) = (comparison.dropped, comparison.adopted)
      return LocationUpdate(
        events: comparison.events, remembering: comparison.changed, forgetting: comparison.forgotten)
    }
    return recorded
  }

  /// Sends the recorded events together with all queued ones, and shows them. Once IFTTT has rejected the token, events
  /// are only recorded.
  /// - Parameter show: Receives each row.
  func send(_ recorded: Recorded, isLast: Bool, _ show: ([UInt8]) throws -> Void) throws {
    guard let sender else {
      for event in recorded.events { try show(row(event, .notSent)) }
      return
    }
    hasUnsentEvents = hasUnsentEvents || !recorded.events.isEmpty
    var statuses: [String: ReplayRow.Status] = [:]
    let sending = Result { try send(recorded.events, by: sender, isLast: isLast, &statuses) }
    for event in recorded.events { try show(row(event, event.recordID.flatMap { statuses[$0] } ?? .waiting)) }
    try sending.get()
  }

  /// Reports the outcome after all events are shown.
  /// - Throws: ``problem``.
  func evaluate() throws {
    if let problem { throw problem.isLocal ? problem : try problem.notingQueuedEvents(in: session) }
    if let foreignNote { session.console.note(Hint(foreignNote)) }
  }

  /// Sends the queued events, except during the delay after a failed attempt.
  private func send(
    _ recorded: [LocationEvent], by sender: LocationSender, isLast: Bool,
    _ statuses: inout [String: ReplayRow.Status]
  ) throws {
    guard hasUnsentEvents, mayRetry(atEnd: isLast) else { return }
    hasUnsentEvents = false
    do {
      let failure = try sender.send { event, status in
        if let id = event.recordID { statuses[id] = ReplayRow.Status(status) }
      }
      rejection = rejection ?? failure.rejection
      foreignNote = failure.foreignNote
      sendFailure = failure.obstacle.map {
        SendFailure($0, retryAfter: failure.retryAfter, now: session.world.clock.monotonic())
      }
    } catch let problem as Problem where problem.isLocal {
      // The track continues; its events are still recorded.
      sendFailure = SendFailure(problem, now: session.world.clock.monotonic())
    }
    for id in try sender.accepted(among: recorded) { statuses[id] = .accepted }
  }

  private func mayRetry(atEnd isLast: Bool) -> Bool {
    guard let sendFailure else { return true }
    guard sendFailure.problem.code != .unauthorized else { return false }
    return session.world.clock.monotonic() >= sendFailure.until || (isLast && !sendFailure.isRequestedDelay)
  }

  private func row(_ event: LocationEvent, _ status: ReplayRow.Status) -> [UInt8] {
    guard let region = regions[event.region], let position = event.position else {
      preconditionFailure("a track's events have a region and a position")
    }
    return ReplayRow(
      event: event, region: region, coordinate: position.coordinate,
      connectionName: found.names[region.connection] ?? region.connection, status: status
    ).bytes
  }
}

/// Compares the changes of a track with the stored states, which another run may have updated in the meantime.
///
/// A change is relative to the stored state, not to the state this run saw last. If the other run has already
/// reported the change, or has stored a later position, the change is dropped.
struct FenceStateComparison {
  /// The events to report, in order.
  private(set) var events: [LocationEvent] = []
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
  ///   - states: The current states of this run.
  ///   - last: The current position of the track.
  init(
    stored: [String: FenceState], _ changes: [ContainmentChange], states: [String: FenceState], at last: Position,
    regions: [Region]
  ) {
    var current: [String: FenceState] = [:]
    for region in regions {
      if let state = stored[region.id], state.describes(region) { current[region.id] = state }
    }
    for change in changes { apply(change, to: &current[change.region.id]) }
    for region in regions { finish(region, states[region.id], &current[region.id], last) }
    for region in regions where current[region.id] != stored[region.id] {
      if let state = current[region.id] { changed[region.id] = state } else { forgotten.append(region.id) }
    }
  }

  private mutating func apply(_ change: ContainmentChange, to current: inout FenceState?) {
    guard let before = current else {
      if change.isReported, let event = change.event { events.append(event) }
      current = change.stateToStore
      return
    }
    let isNew = before.containment != change.containment && !change.isOlder(than: before)
    guard isNew else {
      if change.isReported { dropped += 1 }
      return
    }
    if let event = change.event, change.region.direction.wants(event.kind) { events.append(event) }
    current = change.stateToStore?.observed(noEarlierThan: before.observedAt)
  }

  /// - Parameter own: This run's state of the region; nil if it is unknown.
  private mutating func finish(
    _ region: Region, _ own: FenceState?, _ current: inout FenceState?, _ last: Position
  ) {
    guard let own else { return }
    guard let before = current else { return current = own }
    // If these times differ, this run's last position was not evaluated for the region.
    let isLatest = last.isTimeAssumed || own.observedAt == last.time && !before.isLater(than: own)
    guard isLatest else {
      if before != own { adopted[region.id] = before }
      return
    }
    if before.containment != own.containment {
      // With a dwell or hysteresis, the position may differ from the confirmed state.
      guard own.containment == (last.coordinate.distance(to: region.center) < region.radius ? .inside : .outside) else {
        adopted[region.id] = before
        return
      }
      let event = LocationEvent(own.containment == .inside ? .entry : .exit, of: region, at: last)
      if region.direction.wants(event.kind) { events.append(event) }
    }
    current = own.observed(noEarlierThan: before.observedAt)
  }
}

extension ContainmentChange {
  /// The state to store; nil if the region is no longer monitored. An assumed time is not stored, because later runs
  /// would skip positions before it.
  fileprivate var stateToStore: FenceState? {
    containment == .unknown ? nil : FenceState(containment, of: region, observedAt: isTimeAssumed ? nil : time)
  }
}

extension FenceState {
  /// The state with the later of its own time, which is nil if it was assumed, and the stored one.
  fileprivate func observed(noEarlierThan stored: Timestamp?) -> FenceState {
    var state = self
    if let stored { state.observedAt = max(observedAt ?? stored, stored) }
    return state
  }

  fileprivate func isLater(than other: FenceState) -> Bool {
    guard let observedAt, let before = other.observedAt else { return false }
    return observedAt > before
  }
}
