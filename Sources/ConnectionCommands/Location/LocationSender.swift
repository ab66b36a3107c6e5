import HTTP
import IFTTT
import JSON
import Location
import Session
import Store
import Text
import World

/// Sends the queued location events, oldest first. They stay in the store until IFTTT has accepted them. If sending
/// ends early for any reason, the next run sends them under the same ids.
final class LocationSender {
  /// The maximum number of events per request.
  static var maximumBatchSize: Int { LocationUpload.most }

  /// The fingerprint of the user whose events are sent, as stored with each queued event.
  let owner: String

  private let session: Session
  private let upload: LocationUpload
  private let profile: String
  private let ownership: EventOwnership

  /// - Throws: `credentials_missing` without a user token.
  init(_ credentials: CredentialOptions, in session: Session) throws {
    self.session = session
    profile = try session.profile.name
    let purpose = "sending location events"
    _ = try session.credentials.locate(credentials, .user, for: purpose)
    let token = try session.credentials.required(
      .userToken, file: credentials.userTokenFile, user: credentials.userID, for: purpose)
    // Decrypted once for both clients.
    let user = session.credentials.located(.user(token), credentials)
    owner = RequestIdentity.fingerprint(of: token)
    upload = LocationUpload(
      caller: try session.network.caller(.location, user),
      installation: try LocationQueue(session.store, profile: profile).installationID(
        persisting: !session.options.isDryRun))
    ownership = EventOwnership(owner, try session.network.connect(user), in: session)
  }

  /// Adds regions that were fetched as the user whose events are sent.
  func add(_ regions: [Region]) { ownership.add(regions.map(\.id)) }

  /// Sends until the queue is empty or an obstacle occurs.
  ///
  /// - Parameters:
  ///   - isRejected: Whether to send the rejected events again, instead of the others. Each is sent alone so that one
  ///     does not affect the others.
  ///   - each: Called with every event that was sent and its outcome.
  /// - Returns: Why not every event was accepted; empty if all were. The other events stay in the queue.
  /// - Throws: `interrupted`, and the errors of the store and of `each`.
  func send(
    refused isRejected: Bool = false,
    each: (LocationEvent, LocationEvent.Status) throws -> Void = { _, _ in }
  ) throws -> Failure {
    let lock = try session.locationLock()
    defer { lock.release() }
    var failure = Failure(obstacle: try ownership.assign())
    failure.foreignCount = try LocationQueue(session.store, profile: profile).foreignEvents(besides: owner).count
    guard failure.obstacle?.code != .unauthorized else { return failure }
    // Each rejected event is sent once and alone. If it is rejected again, it stays in the queue.
    var rejected = try isRejected ? waiting(.max, refused: true)[...] : []
    while true {
      let batch = try isRejected ? Array(rejected.prefix(1)) : waiting(Self.maximumBatchSize, refused: false)
      guard !batch.isEmpty else { break }
      guard !session.world.interruption.isInterrupted else {
        throw try Problem.interrupted.notingQueuedEvents(in: session)
      }
      rejected = rejected.dropFirst()
      guard try send(batch, &failure, each) else { break }
    }
    return failure
  }

  /// Sends a batch. If IFTTT rejects its content, each event is retried once alone, so that one event does not block
  /// the others.
  /// - Returns: Whether to continue with the next batch.
  private func send(
    _ batch: [LocationEvent], _ failure: inout Failure,
    _ each: (LocationEvent, LocationEvent.Status) throws -> Void
  ) throws -> Bool {
    switch try attempt(batch) {
    case .accepted:
      for event in batch { try each(event.attempted(at: session.world.clock.now()), .accepted) }
    case .rejected(_, isAboutContent: true) where batch.count > 1:
      for event in batch {
        guard !session.world.interruption.isInterrupted else {
          throw try Problem.interrupted.notingQueuedEvents(in: session)
        }
        guard try send([event], &failure, each) else { return false }
      }
    case .rejected(let problem, _):
      failure.rejection = failure.rejection ?? problem
      try recordFailure(batch, problem, isRefused: true)
      for event in batch { try each(event.attempted(problem, at: session.world.clock.now()), .refused) }
    case .unreachable(let problem, let retryAfter):
      try recordFailure(batch, problem, isRefused: false)
      for event in batch { try each(event.attempted(problem, at: session.world.clock.now()), .waiting) }
      (failure.obstacle, failure.retryAfter) = (problem, retryAfter)
      return false
    }
    return true
  }

  private func recordFailure(_ batch: [LocationEvent], _ problem: Problem, isRefused: Bool) throws {
    try LocationQueue(session.store, profile: profile).noteFailure(
      session.world.redacted(problem.summary), isRefused: isRefused, of: batch.compactMap(\.recordID))
  }

  /// The number of events that would be sent now.
  func count(refused isRejected: Bool) throws -> Int { try waiting(.max, refused: isRejected).count }

  /// The requests that would be sent now.
  /// - Parameter new: Events that would be recorded first.
  func requests(refused isRejected: Bool = false, with new: [LocationEvent] = []) throws -> [Request] {
    let waiting = try waiting(.max, refused: isRejected) + new
    let size = isRejected ? 1 : Self.maximumBatchSize
    return try stride(from: 0, to: waiting.count, by: size).map { start in
      try upload.report(Array(waiting[start..<min(start + size, waiting.count)])).request
    }
  }

  private func waiting(_ count: Int, refused isRejected: Bool) throws -> [LocationEvent] {
    try LocationQueue(session.store, profile: profile).eventsToSend(count, refused: isRejected, of: owner)
  }

  /// The ids of the events that are no longer queued, which means that IFTTT accepted them. Another run may have sent
  /// them.
  func accepted(among events: [LocationEvent]) throws -> [String] {
    let ids = events.compactMap(\.recordID)
    let waiting = try LocationQueue(session.store, profile: profile).stillWaiting(ids)
    return ids.filter { !waiting.contains($0) }
  }

  /// The reasons why events were not accepted.
  struct Failure {
    /// The first rejection; other events may have been accepted.
    var rejection: Problem?
    /// The reason why sending stopped.
    var obstacle: Problem?
    /// The delay that IFTTT requested before the next request.
    var retryAfter: Duration?
    /// The number of events that belong, or may belong, to another user.
    var foreignCount = 0

    /// A note on those events; nil if the count is 0.
    var foreignNote: String? {
      guard foreignCount > 0 else { return nil }
      return foreignCount == 1
        ? "1 location event was recorded under another user token and is not sent with this one."
        : "\(foreignCount) location events were recorded under another user token and are not sent with this one."
    }

    var problem: Problem? { obstacle ?? rejection }
  }

  private enum Delivery {
    case accepted
    /// A retry of the same request would be rejected again.
    /// - Parameter isAboutContent: Whether a different selection of events may be accepted.
    case rejected(Problem, isAboutContent: Bool)
    case unreachable(Problem, retryAfter: Duration?)
  }

  private func attempt(_ batch: [LocationEvent]) throws -> Delivery {
    var retryAfter: Duration?
    do throws(APIError) {
      try upload.report(batch).notingDelay(now: session.world.clock.now()) { retryAfter = $0 }.send()
    } catch .http(.interrupted) {
      throw try Problem.interrupted.notingQueuedEvents(in: session)
    } catch {
      let problem = Problem(error, subject: "endpoint for location events")
      return error.rejectsContent
        ? .rejected(problem, isAboutContent: error.isAboutContent) : .unreachable(problem, retryAfter: retryAfter)
    }
    _ = try LocationQueue(session.store, profile: profile).remove(batch.compactMap(\.recordID))
    return .accepted
  }
}

extension APIError {
  /// Whether the error is about some of the events rather than about the request.
  fileprivate var isAboutContent: Bool {
    guard case .response(let error) = self else { return false }
    return [400, 413, 422].contains(error.status)
  }
}

extension LocationEvent {
  /// A copy of the event after one more attempt.
  /// - Parameter problem: Why the attempt failed; nil if it succeeded.
  fileprivate func attempted(_ problem: Problem? = nil, at now: Timestamp) -> LocationEvent {
    var copy = self
    copy.queued?.tries += 1
    copy.queued?.triedAt = now
    copy.queued?.problem = problem?.summary
    return copy
  }
}

/// Finds the owner of queued events that were recorded under another user token. After a new sign-in they may belong
/// to the same user. They may also belong to a previous user of the profile, whose locations must not be disclosed.
///
/// A region's id belongs to exactly one user, so an event belongs to the user whose connection has the region.
final class EventOwnership {
  private let owner: String
  private let client: ConnectClient
  private let session: Session
  /// The ids of regions that belong to this user.
  private var ownRegions: Set<String> = []
  /// The ids of connections whose regions were already fetched.
  private var checked: Set<String> = []

  init(_ owner: String, _ client: ConnectClient, in session: Session) {
    (self.owner, self.client, self.session) = (owner, client, session)
  }

  /// Adds regions that are known to belong to this user.
  func add(_ regions: [String]) { ownRegions.formUnion(regions) }

  /// Assigns to this user the events whose regions are this user's.
  /// - Returns: Why some owners could not be determined; nil if all were.
  func assign() throws -> Problem? {
    let profile = try session.profile.name
    let foreignEvents = try LocationQueue(session.store, profile: profile).foreignEvents(besides: owner)
    var problem: Problem?
    var seen: Set<String> = []
    for foreign in foreignEvents where seen.insert(foreign.region).inserted {
      if !ownRegions.contains(foreign.region), let id = foreign.connection {
        problem = try checkRegions(of: id) ?? problem
      }
      if ownRegions.contains(foreign.region) {
        try LocationQueue(session.store, profile: profile).adoptEvents(of: foreign.region, by: owner)
      }
    }
    return problem
  }

  /// Fetches a connection's regions as this user.
  /// - Returns: Why they could not be fetched; nil if they were, or if this user cannot access the connection.
  private func checkRegions(of connection: String) throws -> Problem? {
    guard !checked.contains(connection), let id = ConnectionID(parsing: connection) else { return nil }
    do throws(APIError) {
      let raw = try client.show(id).send().raw
      checked.insert(connection)
      guard let json = try? JSONValue(parsing: raw) else { return nil }
      add(RegionReading.regions(of: json, id: connection).regions.map(\.id))
      return nil
    } catch .http(.interrupted) {
      throw try Problem.interrupted.notingQueuedEvents(in: session)
    } catch {
      if case .response(let response) = error, [.notFound, .forbidden].contains(response.kind) {
        checked.insert(connection)
        return nil
      }
      return Problem(error, subject: "connection '\(connection)'")
    }
  }
}

extension Session {
  /// Acquires the lock for sending location events, waiting up to the timeout. Without it, two concurrent runs would
  /// send the same events. The system releases it when the process ends, even after a crash. The lock file is next to
  /// the queue, so processes that share the queue share the lock.
  func locationLock() throws -> FileLock {
    guard let directories = AppDirectories(environment: world.environment) else {
      preconditionFailure("the store is open")
    }
    let deadline = world.clock.monotonic() + options.timeout
    while true {
      do throws(SystemError) {
        if let lock = try world.files.lock("\(directories.data)/location.lock") { return lock }
      } catch {
        throw Problem(
          .refused, "cannot send location events", reason: error.description,
          hint: "The events stay queued. To check the folder \(directories.data), run: \(ifttt: "doctor")")
      }
      guard !world.interruption.isInterrupted else { throw try Problem.interrupted.notingQueuedEvents(in: self) }
      guard world.clock.monotonic() < deadline else {
        throw Problem(
          .conflict, "another run is sending location events", reason: "it did not end within --timeout",
          hint: "The events stay queued; see \(ifttt: "location events"), and retry later.")
      }
      world.clock.sleep(for: .milliseconds(50))
    }
  }
}

extension Problem {
  /// Whether a local condition prevents sending: another run, or a folder.
  var isLocal: Bool { status == nil && (code == .conflict || code == .refused) }
}
