import API
import Connect
import HTTP
import Store
import World

/// Sends the location events that wait, the oldest first. They stand in the store until IFTTT has accepted them, so
/// whatever ends this, they are sent with the next run, under the same ids.
final class LocationSender {
  /// The most events of one request.
  static var most: Int { LocationUpload.most }

  private let session: Session
  private let upload: LocationUpload
  private let profile: String

  /// - Throws: `credentials_missing` without a user token.
  init(_ credentials: CredentialOptions, in session: Session) throws {
    self.session = session
    profile = try session.profile.name
    upload = LocationUpload(
      caller: try session.caller(.location, credentials),
      installation: try session.store.installationID(keeping: !session.options.isDryRun))
  }

  /// Sends until nothing waits or something stands in the way.
  ///
  /// - Parameters:
  ///   - areRefused: whether those are sent again that IFTTT refused, each by itself so that one does not spoil others.
  ///   - each: called with every event that was sent, and how that ended.
  /// - Returns: why not all were accepted, if so; those that were not are still there.
  /// - Throws: `interrupted`, what the store and `each` throw.
  func send(
    refused areRefused: Bool = false,
    each: (WaitingLocationEvent, WaitingLocationEvent.Status) throws -> Void = { _, _ in }
  ) throws -> Failure {
    let lock = try turn()
    defer { lock.release() }
    var failure = Failure()
    // Those refused a second time stay among the refused and would come again.
    var left = try areRefused ? session.store.locationEventCounts(profile: profile).refused : .max
    while left > 0 {
      guard !session.world.interruption.isInterrupted else { throw Problem.interrupted }
      let batch = try session.store.oldestLocationEvents(
        areRefused ? 1 : LocationUpload.most, refused: areRefused, profile: profile)
      guard !batch.isEmpty else { break }
      left -= batch.count
      switch try send(batch) {
      case .accepted: for event in batch { try each(event, .accepted) }
      case .refused(let problem):
        failure.refusal = failure.refusal ?? problem
        for event in batch { try each(event.tried(problem, isRefused: true, at: session.world.clock.now()), .refused) }
      case .unreachable(let problem):
        for event in batch { try each(event.tried(problem, isRefused: false, at: session.world.clock.now()), .waiting) }
        failure.obstacle = problem
        return failure
      }
    }
    return failure
  }

  /// The requests that would be sent now.
  /// - Parameter new: an event that would be recorded first, under an id of its own.
  func requests(refused areRefused: Bool = false, with new: NewLocationEvent? = nil) throws -> [Request] {
    var waiting = try session.store.oldestLocationEvents(.max, refused: areRefused, profile: profile)
    if let new {
      waiting.append(
        WaitingLocationEvent(
          event: new, recordID: session.world.random.uuid(), recordedAt: session.world.clock.now()))
    }
    let size = areRefused ? 1 : LocationUpload.most
    return try stride(from: 0, to: waiting.count, by: size).map { start in
      try upload.request(waiting[start..<min(start + size, waiting.count)].map(\.onWire))
    }
  }

  /// What kept events from being accepted.
  struct Failure {
    /// Of the first that IFTTT refused; others may have been accepted.
    var refusal: Problem?
    /// Nothing more could be sent.
    var obstacle: Problem?

    var problem: Problem? { obstacle ?? refusal }
  }

  private enum Ending {
    case accepted
    /// Another try of the same would end in the same way.
    case refused(Problem)
    case unreachable(Problem)
  }

  private func send(_ batch: [WaitingLocationEvent]) throws -> Ending {
    let ids = batch.map(\.recordID)
    do throws(APIFailure) {
      try upload.send(batch.map(\.onWire))
    } catch .http(.interrupted) {
      throw Problem.interrupted
    } catch {
      let problem = Problem(error, subject: "location events")
      try session.store.noteLocationFailure(
        problem.summary, isRefused: error.isFinal, of: ids, profile: profile)
      return error.isFinal ? .refused(problem) : .unreachable(problem)
    }
    _ = try session.store.removeLocationEvents(ids, profile: profile)
    return .accepted
  }

  /// The right to send: two at once would send the same.
  private func turn() throws -> any HeldLock {
    guard let places = Places(environment: session.world.environment) else { preconditionFailure("the store is open") }
    let end = session.world.clock.monotonic() + session.options.timeout
    while true {
      do throws(SystemError) {
        try session.world.files.makeFolder(places.state)
        if let lock = try session.world.files.lock("\(places.state)/location.lock") { return lock }
      } catch {
        throw Problem(
          .refused, "location events cannot be sent from here", reason: error.description,
          hint: "What waits is kept. See 'ifttt doctor' about the folder \(places.state).")
      }
      guard !session.world.interruption.isInterrupted else { throw Problem.interrupted }
      guard session.world.clock.monotonic() < end else {
        throw Problem(
          .conflict, "another run is sending location events", reason: "it did not end within --timeout",
          hint: "What waits is kept; see 'ifttt location events', and try again later.")
      }
      session.world.clock.sleep(for: .milliseconds(50))
    }
  }
}

extension APIFailure {
  /// Whether the same events would be refused again, as IFTTT's word is about them and not about who sends them or when.
  fileprivate var isFinal: Bool {
    guard case .answer(let error) = self else { return false }
    return (400..<500).contains(error.status) && ![401, 408, 429].contains(error.status)
  }
}

extension WaitingLocationEvent {
  var onWire: LocationEvent {
    LocationEvent(recordID: recordID, kind: event.kind, occurredAt: event.occurredAt, trigger: event.region)
  }

  fileprivate func tried(_ problem: Problem, isRefused: Bool, at now: Timestamp) -> WaitingLocationEvent {
    var copy = self
    (copy.tries, copy.triedAt, copy.problem, copy.isRefused) = (tries + 1, now, problem.summary, isRefused)
    return copy
  }
}
