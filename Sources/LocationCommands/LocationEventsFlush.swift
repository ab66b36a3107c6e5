import Arguments
import CommandContext
import Display
import Hints
import Store

enum LocationEventsFlush: Command {
  struct Options: Sendable {
    var areRefused = false
    var credentials = CredentialOptions()
  }

  static let name = "flush"
  static let summary = "Send the location events that wait"
  static var discussion: [String] {
    [
      """
      Sends them oldest first, at most 20 in a request, and removes those that IFTTT accepted. When the network or IFTTT \
      fails, the rest is kept for the next time; when the user token is not accepted, all of them. If IFTTT rejects a \
      request, each of its events is sent once more alone. An event that is rejected alone is kept too, and sent again only \
      with --refused.
      """,
      """
      Held back are those of a connection that 'location off' was said of, and those that were recorded under the token of \
      another user.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .toggle(
        "refused", into: \.areRefused, help: "Send those again that IFTTT refused, each in a request of its own")
    ] + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("location events flush --json", "try again what did not arrive"),
      ExampleSchema("location events flush --refused --json", "what IFTTT refused, once its reason is gone"),
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
      let progress = BatchProgressBar(total: try sender.count(refused: options.areRefused), session: session)
      progress.begin("Telling IFTTT")
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
        .refused, "not all location events are this user's", reason: stray,
        hint: "Send them with the token of the user they belong to, or give them up: \(ifttt: "location events clear")")
    }
    return output
  }
}

extension Session {
  /// Notes that no event is queued, and how many rejected ones are stored.
  /// - Parameter includesRejected: whether rejected events were to be sent too.
  fileprivate func noteNothingToSend(includingRejected includesRejected: Bool) throws {
    let rejected = try store.locationEventCounts(profile: profile.name).refused
    guard rejected > 0, !includesRejected else { return noteEmpty("No location events are queued.") }
    let kept = rejected == 1 ? "1 event that IFTTT rejected is kept" : "\(rejected) events that IFTTT rejected are kept"
    note("No location events are queued; \(kept). Retry with: \(ifttt: "location events flush --refused")")
  }

  /// Notes which queued events are not sent only because the user has disabled their connection or has not consented.
  func noteHeldLocationEvents() throws {
    for held in try store.heldLocationEvents(profile: profile.name) {
      let what = held.count == 1 ? "1 location event is" : "\(held.count) location events are"
      note("\(what) held back: location is off for connection \(held.connection).")
    }
  }
}

extension Problem {
  /// A copy of the problem that also states how many events remain queued.
  func beside(keptIn session: Session) throws -> Problem {
    let count = try session.store.locationEventCounts(profile: session.profile.name)
    guard count.all > 0 else { return self }
    let kept = count.all == 1 ? "1 location event is kept" : "\(count.all) location events are kept"
    var problem = self
    problem.hint =
      code == .unauthorized
      ? "\(kept). Give a token that IFTTT accepts, then run: \(ifttt: "location events flush")"
      : count.refused == count.all
        ? "\(kept), refused. See \(ifttt: "location events"), and send them again with \(ifttt: "location events flush --refused")."
        : "\(kept). Run: \(ifttt: "location events flush")"
    return problem
  }
}
