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
