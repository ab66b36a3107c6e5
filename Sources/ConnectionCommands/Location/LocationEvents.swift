import CommandLine
import Location
import Output
import Session
import Store
import Text
import World

enum LocationEventsList: Command {
  static let name = "list"
  static let summary = "List the location events that IFTTT has not accepted yet, oldest first"
  static var examples: [ExampleSchema] {
    [ExampleSchema("location events --json", "print the queue as JSON")]
  }
  static var shape: OutputSchema? { .many(LocationEventRow.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let queued = try LocationQueue(session.store, profile: session.profile.name).oldest(.max, refused: nil)
    if queued.isEmpty { session.console.noteEmpty("No location events are queued.") }
    try session.noteWithheldLocationEvents()
    return .rows(queued.compactMap { LocationEventRow($0) })
  }
}

enum LocationEventsFlush: Command {
  struct Options: CommandOptions {
    var resendsRejected = false
    var credentials = CredentialOptions()
  }

  static let name = "flush"
  static let summary = "Send the queued location events"
  static var discussion: [String] {
    [
      """
      Sends the events oldest first, at most 20 per request, and removes those that IFTTT accepted. If the network or \
      IFTTT fails, the remaining events stay queued; if the user token is not accepted, all events do. If IFTTT \
      rejects a request, each of its events is retried in a request of its own. If that request is rejected too, the \
      event stays queued and is sent again only with --refused.
      """,
      """
      Events also stay queued if location is off for their connection, or if they were recorded under the token of \
      another user.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .toggle(
        "refused", into: \.resendsRejected, help: "Send rejected events again, each in its own request")
    ] + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("location events flush --json", "retry events that were not delivered"),
      ExampleSchema("location events flush --refused --json", "retry rejected events, once the cause is fixed"),
    ]
  }
  static var shape: OutputSchema? { .many(LocationEventRow.self).report }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let sender = try LocationSender(options.credentials, in: session)
    if session.options.isDryRun { return session.dryRun(try sender.requests(refused: options.resendsRejected)) }
    var failure = LocationSender.Failure()
    var count = 0
    let rows = Rows(isReiterable: false) { body in
      let total = try sender.count(refused: options.resendsRejected)
      let progress = BatchProgressBar(total: total, console: session.console)
      progress.begin("Sending events")
      defer { progress.end() }
      failure = try sender.send(refused: options.resendsRejected) { event, status in
        count += 1
        progress.makeRoom()
        try LocationEventRow(event, status)?.bytes.withUnsafeBytes(body)
        progress.advance(failed: status != .accepted)
      }
    }
    var output = Output(body: .rows(rows, .many(LocationEventRow.self)))
    output.isChange = true
    output.verdict = {
      try session.noteWithheldLocationEvents()
      if count == 0, failure.problem == nil {
        try session.noteNothingToSend(includingRejected: options.resendsRejected)
      }
      if let problem = failure.problem { throw try problem.notingQueuedEvents(in: session) }
      guard let note = failure.foreignNote else { return }
      throw Problem(
        .refused, "not all location events belong to this user", reason: note,
        hint: "Send them with the token of the user they belong to, or discard them: \(ifttt: "location events clear")")
    }
    return output
  }
}

extension Session {
  /// Notes that no event is queued, and how many rejected ones are stored.
  /// - Parameter includesRejected: whether sending rejected events was also requested.
  fileprivate func noteNothingToSend(includingRejected includesRejected: Bool) throws {
    let rejected = try LocationQueue(store, profile: profile.name).counts().refused
    guard rejected > 0, !includesRejected else { return console.noteEmpty("No location events are queued.") }
    let stored =
      rejected == 1 ? "1 event that IFTTT rejected is stored" : "\(rejected) events that IFTTT rejected are stored"
    console.note("No location events are queued; \(stored). Retry with: \(ifttt: "location events flush --refused")")
  }

  /// Notes the queued events that are not sent because location reporting is disabled for their connection.
  func noteWithheldLocationEvents() throws {
    for withheld in try LocationQueue(store, profile: profile.name).withheldEvents() {
      let events = withheld.count == 1 ? "1 location event is" : "\(withheld.count) location events are"
      console.note("\(events) not sent: location is off for connection \(withheld.connection).")
    }
  }
}

extension Problem {
  /// A copy of the problem whose hint states how many events stay queued, if any do.
  func notingQueuedEvents(in session: Session) throws -> Problem {
    let count = try LocationQueue(session.store, profile: session.profile.name).counts()
    guard count.all > 0 else { return self }
    let queued = count.all == 1 ? "1 location event stays queued" : "\(count.all) location events stay queued"
    var problem = self
    problem.hint =
      code == .unauthorized
      ? "\(queued). Provide a token that IFTTT accepts, then run: \(ifttt: "location events flush")"
      : count.refused == count.all
        ? "\(queued) as rejected. See \(ifttt: "location events"), and retry with \(ifttt: "location events flush --refused")."
        : "\(queued). Run: \(ifttt: "location events flush")"
    return problem
  }
}

enum LocationEventsClear: Command {
  struct Options: CommandOptions {
    var ids: [String] = []
    var isRejectedOnly = false
    var age: Duration?
  }

  static let name = "clear"
  static let summary = "Discard queued location events without sending them"
  static var flags: [Flag<Options>] {
    [
      .toggle("refused", into: \.isRejectedOnly, help: "Only events that IFTTT rejected"),
      .value("older-than", .duration, into: \.age, help: "Only events older than this"),
    ]
  }
  static var positionals: [Positional<Options>] {
    [.many(.nonEmpty("RECORD_ID"), into: \.ids, help: "Only these events; default: all")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("location events clear --yes --json", "discard all queued events"),
      ExampleSchema("location events clear --older-than 7d --yes --json", "discard events older than a week"),
    ]
  }
  static var shape: OutputSchema? { .many(LocationEventRow.self).report }
  static func check(_ options: Options) throws(Conflict) {
    guard !options.ids.isEmpty else { return }
    if options.isRejectedOnly { throw Conflict("pass record ids or --refused, not both", options: ["refused"]) }
    if options.age != nil { throw Conflict("pass record ids or --older-than, not both", options: ["older-than"]) }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let queue = LocationQueue(try session.store, profile: try session.profile.name)
    let named = Set(options.ids)
    let cutoff = options.age.map { session.world.clock.now() - $0 }
    let queued = try queue.oldest(.max, refused: options.isRejectedOnly ? true : nil)
    var selected = queued.compactMap { LocationEventRow($0) }.filter { row in
      (named.isEmpty || named.contains(row.queued.recordID)) && cutoff.map { row.occurredAt < $0 } ?? true
    }
    if let unknown = options.ids.first(where: { id in !selected.contains { $0.queued.recordID == id } }) {
      throw Problem(
        .notFound, "location event '\(unknown)' is not queued",
        hint: "See \(ifttt: "location events") for the queued events.")
    }
    let events = selected.count.counted("location event")
    if session.options.isDryRun {
      return session.dryRun(change: selected.isEmpty ? nil : "Would discard \(events).")
    }
    if selected.isEmpty {
      session.console.noteEmpty("No location events are queued.")
    } else {
      try session.console.confirm("Discard \(events) that IFTTT has not accepted?")
      // An upload in flight may deliver some of these events, so wait for it to end.
      let lock = try session.locationLock()
      defer { lock.release() }
      let waiting = try queue.stillWaiting(selected.map(\.queued.recordID))
      selected.removeAll { !waiting.contains($0.queued.recordID) }
      _ = try queue.remove(selected.map(\.queued.recordID))
    }
    return .rows(selected)
  }
}

extension LocationEvent {
  /// The state of an event in the queue or, after it was sent, the outcome.
  enum Status: String, CaseIterable, OutputValue {
    /// Sent with the next upload.
    case waiting
    /// Rejected by IFTTT; sent again only with `--refused`.
    case refused
    case accepted
  }
}

/// A queued location event, as printed.
struct LocationEventRow: OutputRecord {
  let event: LocationEvent
  let queued: LocationEvent.Queued
  let occurredAt: Timestamp
  let status: LocationEvent.Status

  /// - Parameter status: The outcome; nil for the state in the queue.
  /// - Returns: Nil for an event that is not recorded.
  init?(_ event: LocationEvent, _ status: LocationEvent.Status? = nil) {
    guard let queued = event.queued, let occurredAt = event.occurredAt else { return nil }
    (self.event, self.queued, self.occurredAt) = (event, queued, occurredAt)
    self.status = status ?? (queued.isRefused ? .refused : .waiting)
  }

  static let fields: Fields = [
    Field("record_id", "The event's id in the queue") { $0.queued.recordID },
    Field("region", "The region's id", column: "REGION", overflow: .elide(least: 8)) { $0.event.region },
    Field("connection", "The connection's id", column: "CONNECTION", overflow: .keep) { $0.event.connection },
    Field("event", "Whether the region was entered or left", column: "EVENT", overflow: .keep, columnNumber: 2) {
      $0.event.kind.rawValue
    },
    Field("occurred_at", "The time of the event", column: "OCCURRED AT", overflow: .keep, columnNumber: 1) {
      $0.occurredAt
    },
    Field("recorded_at", "The time at which it was added to the queue") { $0.queued.recordedAt },
    Field("status", "The state in the queue, or the outcome", column: "STATUS", style: .status, overflow: .keep) {
      $0.status
    },
    Field("tries", "The number of attempts to send it") { $0.queued.tries },
    Field("tried_at", "The time of the last attempt") { $0.queued.triedAt },
    Field("problem", "Why the last attempt failed", column: "PROBLEM") { $0.queued.problem },
  ]
}
