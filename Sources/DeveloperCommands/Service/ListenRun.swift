import HTTP
import JSON
import Session
import Store
import Text
import World

/// Executes `service listen`: a server that receives, a thread that stores, and this thread, which shows and forwards.
final class ListenRun {
  private let options: ServiceListen.Options
  private let session: Session
  private let store: Store
  private let profile: String
  private let notices: Mailbox<ListenNotice>
  private let writer: WebhookWriter
  private let server: CommandServer
  private let forwarder: WebhookForwarder?
  private let backlog: ExecBacklog?
  private let queue: ShowQueue
  private let notes: ListenNotes
  private let end: Duration?
  private var isClosed = false

  /// Opens the server.
  init(
    _ options: ServiceListen.Options, key: Secret?, target: ForwardTarget?, in session: Session
  ) throws {
    (self.options, self.session, notes) = (options, session, ListenNotes(session: session))
    (store, profile) = (try session.store, try session.profile.name)
    try WebhookStore(store, profile: profile).prepare()
    notices = try Mailbox()
    end = session.wholeTimeout.map { session.world.clock.monotonic() + $0 }
    forwarder = target.map { [store, profile] in
      WebhookForwarder($0, store: store, profile: profile, in: session)
    }
    let waiting = try target.map { [store, profile] in
      try WebhookStore(store, profile: profile).resumeForwarding(to: $0.name)
    }
    let filter = options.program == nil ? nil : options.filter ?? WebhookFilter()
    backlog = try filter.map { [store, profile] in try ExecBacklog($0, of: store, profile: profile, in: session) }
    queue = ShowQueue(
      options, of: store, profile: profile, after: backlog?.numbers ?? [], forwarder: forwarder,
      clock: session.world.clock, end: end)
    writer = try WebhookWriter(
      to: Store(directories: store.directories, world: session.world), profile: profile, forwardingTo: target?.name,
      executing: filter, notices: notices)
    do {
      server = try Self.open(options, key: key, writer, notices, in: session)
    } catch {
      writer.finish()
      throw error
    }
    notes.announce(
      options.url(port: server.address.port), hasKey: key != nil, toForward: waiting ?? (0, 0),
      toExecute: backlog?.numbers.count ?? 0)
    if backlog?.isShared == true {
      session.console.diagnose("another 'service listen --exec' of this profile runs; it handles the webhooks")
    }
  }

  private static func open(
    _ options: ServiceListen.Options, key: Secret?, _ writer: WebhookWriter, _ notices: Mailbox<ListenNotice>,
    in session: Session
  ) throws -> CommandServer {
    var settings = ListenerSettings(address: LoopbackAddress(port: options.port))
    settings.interface = options.address
    // With a key, requests through a tunnel are accepted, which name its host.
    settings.acceptsAnyHost = key != nil
    settings.rejectsInJSON = true
    settings.connectionLimit = 1000
    // The same time as in nginx. A request that is sent just as the server closes an idle connection fails, so close
    // late.
    settings.idleTime = .seconds(75)
    let clock = session.world.clock
    let server = try CommandServer(
      settings, url: options.url(port: options.port), addressOptions: "--port or --bind", readyFile: options.readyFile,
      in: session
    ) {
      WebhookResponder(key: key, clock: clock, writer: writer, notices: notices)
    }
    let url = options.url(port: server.address.port)
    let ready: JSONValue = [
      "url": .string(url), "webhooks_url": .string(url + WebhookPath.base),
      "pid": JSONValue(Int(session.world.processes.id)),
    ]
    do {
      try server.writeReadyFile(ready.bytes)
    } catch {
      server.close()
      throw error
    }
    return server
  }

  /// Stops receiving webhooks, after the requests in flight have their responses.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    server.close()
    writer.finish()
  }

  /// Shows and forwards webhooks until the run ends.
  func run(_ output: ListenOutput) throws {
    do { try receive(output) } catch let error
      where error is ShowQueue.Finished || Problem.from(error).code == .interrupted
    {}
    close()
    try showRest(output)
    try forwarder?.flush()
    noteRest()
    if let limit = options.webhookLimit, queue.shown < limit, !session.world.interruption.isInterrupted {
      throw Problem(
        .notYet, "timed out after \(queue.shown) of \(limit.counted("webhook"))", reason: "--timeout was reached",
        hint: "Allow more time with --timeout, or omit it to receive until Ctrl-C.")
    }
    if let forwarder, forwarder.cutOffCount > 0 {
      throw ListenNotes.cutOff(forwarder.cutOffCount, to: forwarder.target)
    }
  }

  private func receive(_ output: ListenOutput) throws {
    while true {
      try advance(output)
      if session.world.output.isAbandoned { throw BrokenPipe() }
      if let forwarder, try forwarder.hasWork() {
        try forwarder.send(
          until: end, meanwhile: { try advance(output) }, willStop: { finish(forwarding: $0) }, ended: queue.note)
        continue
      }
      let now = session.world.clock.monotonic()
      let times = [now + .seconds(1), end, queue.deadline].compactMap { $0 }
      _ = try session.world.input.wait(
        for: notices.descriptor, expectsInput: false, atMost: max(.zero, (times.min() ?? now) - now))
    }
  }

  /// Stops receiving webhooks while the last ones are being forwarded.
  private func finish(forwarding count: Int) {
    notes.waiting(for: count)
    close()
  }

  /// Performs all work that is possible without waiting.
  /// - Throws: ``ShowQueue/Finished`` once enough webhooks have been shown, or after the timeout.
  private func advance(_ output: ListenOutput) throws {
    readNotices()
    try queue.advance(output)
    if let end, session.world.clock.monotonic() >= end { throw ShowQueue.Finished() }
  }

  /// Shows the webhooks that were acknowledged before the end, unless a later run does.
  private func showRest(_ output: ListenOutput) throws {
    guard !output.isResumable, options.webhookLimit.map({ queue.shown < $0 }) ?? true else { return }
    readNotices()
    do {
      try queue.finish(output)
    } catch is ShowQueue.Finished {
    } catch  where Problem.from(error).code == .interrupted {
      notes.unshown()
    }
  }

  private func noteRest() {
    if let target = forwarder?.target,
      let count = try? WebhookStore(store, profile: profile).countWaiting(for: target.name)
    {
      notes.unforwarded(count, to: target)
    }
    if let backlog, let count = try? WebhookStore(store, profile: profile).toExecute(backlog.filter).count {
      notes.unexecuted(count)
    }
  }

  private func readNotices() {
    while let notice = notices.receive() {
      switch notice {
      case .stored(let receipts):
        for receipt in receipts {
          if receipt.isRepeated { notes.repeated(receipt.number) } else { queue.add(receipt.number) }
        }
      case .failed(let error, let count): notes.failed(error, count: count)
      case .rejected(let rejection): notes.rejected(rejection)
      }
    }
  }
}

/// The messages of `service listen` on stderr.
struct ListenNotes {
  let session: Session

  /// - Parameters:
  ///   - toForward: The number of webhooks of earlier runs that will be forwarded, and of those among them that may
  ///     have arrived already.
  ///   - toExecute: The number of webhooks of earlier runs that the command runs for.
  func announce(_ url: String, hasKey: Bool, toForward: (count: Int, unanswered: Int), toExecute: Int) {
    session.console.note("Receiving webhooks at \(url)\(WebhookPath.base); press Ctrl-C to stop.")
    if !hasKey { session.console.note("No service key is configured, so the keys of webhooks are not checked.") }
    if toForward.count > 0 {
      session.console.note("\(toForward.count.counted("webhook")) from earlier runs will be forwarded.")
    }
    if toForward.unanswered > 0 {
      session.console.note(
        """
        \(toForward.unanswered.counted("webhook")) may have arrived already, and can be recognized by the X-Request-ID.
        """
      )
    }
    if toExecute > 0 {
      session.console.note("The command runs for \(toExecute.counted("webhook")) from earlier runs first.")
    }
  }

  func repeated(_ number: Int64) {
    session.console.diagnose("webhook \(number) repeats an earlier X-Request-ID")
  }

  func failed(_ error: StoreError, count: Int) {
    session.console.note(
      "\(count.counted("webhook")) could not be stored, and the response was 503: \(Problem.from(error).summary)")
  }

  func rejected(_ rejection: Rejection) { session.console.note(Hint(rejection.description)) }

  func unshown() {
    session.console.note("Not all webhooks were shown. They are stored; see \(ifttt: "service events list").")
  }

  /// Reports the wait for the webhooks that are being forwarded while the run ends.
  func waiting(for count: Int) {
    guard count > 0 else { return }
    session.console.note("Waiting until \(count.counted("webhook")) \(count == 1 ? "is" : "are") forwarded.")
  }

  /// The problem of a run that timed out before the server responded.
  static func cutOff(_ count: Int, to target: ForwardTarget) -> Problem {
    Problem(
      .notYet, "timed out while \(count.counted("webhook")) \(count == 1 ? "was" : "were") forwarded",
      reason: "\(target.origin) did not respond before --timeout was reached",
      hint: "Allow more time with --timeout. A later run sends them again, because they may not have arrived.")
  }

  /// Reports the webhooks that a later run forwards.
  func unforwarded(_ count: Int, to target: ForwardTarget) {
    guard count > 0 else { return }
    session.console.note(
      """
      \(count.counted("webhook")) not forwarded yet. Continue with: \
      \(ifttt: "service listen --forward \(target.name)")
      """
    )
  }

  /// Reports the webhooks that a later run passes to its command.
  func unexecuted(_ count: Int) {
    guard count > 0 else { return }
    session.console.note(
      "The command did not run for \(count.counted("webhook")). The next 'service listen --exec' starts with them.")
  }
}
