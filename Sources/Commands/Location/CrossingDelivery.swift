import Location
import Store
import World

/// Takes what a walk crosses: writes it down, sends it and shows it, in this order. Where nothing is to be sent, nothing is
/// written down either.
final class CrossingDelivery {
  private let session: Session
  private let profile: String
  private let found: WatchedRegions
  /// Nil where nothing is kept nor sent.
  private let sender: LocationSender?
  /// The sides as the store has them; nil where they are not to be remembered.
  private var remembered: [String: RememberedSide]?

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

  /// - Parameter remembered: the sides as the store has them; nil where they are not to be remembered.
  init(
    _ found: WatchedRegions, by sender: LocationSender?, remembered: [String: RememberedSide]?, in session: Session
  ) throws {
    (self.session, self.found, self.sender, self.remembered) = (session, found, sender, remembered)
    profile = try session.profile.name
    // What an earlier run could not send goes with this one, whether it crosses anything or not.
    let waiting = try session.store.locationEventCounts(profile: profile)
    isBehind = waiting.all > waiting.refused
  }

  /// Why not everything was accepted.
  var problem: Problem? { trouble?.problem ?? refusal }

  /// - Parameters:
  ///   - sides: where the walk is now.
  ///   - moment: since when.
  ///   - show: takes each row.
  /// - Throws: `unauthorized` before the end, as nothing that follows would be accepted.
  func deliver(
    _ crossed: [Crossing], sides: @autoclosure () -> [String: RememberedSide], at moment: Timestamp?,
    isLast: Bool, _ show: ([UInt8]) throws -> Void
  ) throws {
    guard let sender else {
      for crossing in crossed { try show(row(crossing, nil, .notSent)) }
      return
    }
    let recorded = try record(crossed, sides, at: moment, as: sender.owner)
    isBehind = isBehind || !recorded.isEmpty
    var statuses: [String: ReplayRow.Status] = [:]
    let sending = Result { try send(recorded, by: sender, isLast: isLast, &statuses) }
    for (crossing, event) in zip(crossed, recorded) {
      try show(row(crossing, event.recordID, statuses[event.recordID] ?? .waiting))
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
    if let stray { session.note(stray) }
  }

  private func record(
    _ crossed: [Crossing], _ sides: () -> [String: RememberedSide], at moment: Timestamp?, as owner: String
  ) throws -> [WaitingLocationEvent] {
    let events = crossed.map { crossing in
      NewLocationEvent(
        region: crossing.region.id, connection: crossing.region.connection, kind: crossing.kind.rawValue,
        occurredAt: crossing.time ?? session.world.clock.now(), owner: owner)
    }
    var changed: [RememberedLocation] = []
    var forgotten: [String] = []
    if let before = remembered {
      let now = sides()
      // With a limit, whatever is no longer watched.
      forgotten = found.wanted.map(\.id).filter { before[$0] != nil && now[$0] == nil }
      changed = now.filter { before[$0.key] != $0.value }.sorted { $0.key < $1.key }.map {
        RememberedLocation($0.value, of: $0.key, at: moment)
      }
      remembered = now
    }
    return try session.store.record(events, remembering: changed, forgetting: forgotten, profile: profile)
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

  private func row(_ crossing: Crossing, _ recordID: String?, _ status: ReplayRow.Status) -> [UInt8] {
    ReplayRow(
      crossing: crossing, connectionName: found.names[crossing.region.connection] ?? crossing.region.connection,
      recordID: recordID, status: status
    ).bytes
  }
}
