import CommandLine
import Output
import Session
import Store
import Text

enum LocationEventsFlush: Command {
  struct Options: Sendable {
    var areRefused = false
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
        "refused", into: \.areRefused, help: "Send rejected events again, each in its own request")
    ] + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("location events flush --json", "retry events that were not delivered"),
      ExampleSchema("location events flush --refused --json", "retry rejected events, once the cause is fixed"),
    ]
  }
  static var shape: OutputSchema? { .many(LocationEventRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let sender = try LocationSender(options.credentials, in: session)
    if session.options.isDryRun { return session.dryRun(try sender.requests(refused: options.areRefused)) }
    var failure = LocationSender.Failure()
    var count = 0
    let rows = Rows(isReiterable: false) { body in
      let progress = BatchProgressBar(total: try sender.count(refused: options.areRefused), console: session.console)
      progress.begin("Sending events")
      defer { progress.end() }
      failure = try sender.send(refused: options.areRefused) { event, status in
        count += 1
        progress.makeRoom()
        try event.row(status).bytes.withUnsafeBytes(body)
        progress.advance(failed: status != .accepted)
      }
    }
    var output = Output(body: .rows(rows, .many(LocationEventRow.self)))
    output.isChange = true
    output.verdict = {
      try session.noteHeldLocationEvents()
      if count == 0, failure.problem == nil { try session.noteNothingToSend(includingRejected: options.areRefused) }
      if let problem = failure.problem { throw try problem.beside(keptIn: session) }
      guard let stray = failure.stray else { return }
      throw Problem(
        .refused, "not all location events belong to this user", reason: stray,
        hint: "Send them with the token of the user they belong to, or discard them: \(ifttt: "location events clear")")
    }
    return output
  }
}

extension Session {
  /// Notes that no event is queued, and how many rejected ones are stored.
  /// - Parameter includesRejected: whether sending rejected events was also requested.
  fileprivate func noteNothingToSend(includingRejected includesRejected: Bool) throws {
    let rejected = try store.locationEventCounts(profile: profile.name).refused
    guard rejected > 0, !includesRejected else { return console.noteEmpty("No location events are queued.") }
    let kept =
      rejected == 1 ? "1 event that IFTTT rejected is stored" : "\(rejected) events that IFTTT rejected are stored"
    console.note("No location events are queued; \(kept). Retry with: \(ifttt: "location events flush --refused")")
  }

  /// Notes which queued events are not sent only because the user has disabled their connection or has not consented.
  func noteHeldLocationEvents() throws {
    for held in try store.heldLocationEvents(profile: profile.name) {
      let what = held.count == 1 ? "1 location event is" : "\(held.count) location events are"
      console.note("\(what) not sent: location is off for connection \(held.connection).")
    }
  }
}

extension Problem {
  /// A copy of the problem that also states how many events remain queued.
  func beside(keptIn session: Session) throws -> Problem {
    let count = try session.store.locationEventCounts(profile: session.profile.name)
    guard count.all > 0 else { return self }
    let kept = count.all == 1 ? "1 location event stays queued" : "\(count.all) location events stay queued"
    var problem = self
    problem.hint =
      code == .unauthorized
      ? "\(kept). Provide a token that IFTTT accepts, then run: \(ifttt: "location events flush")"
      : count.refused == count.all
        ? "\(kept) as rejected. See \(ifttt: "location events"), and retry with \(ifttt: "location events flush --refused")."
        : "\(kept). Run: \(ifttt: "location events flush")"
    return problem
  }
}
