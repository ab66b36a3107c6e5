import Batch
import CommandContext
import HTTP
import Hints
import JSON
import Listener
import Secrets
import Store
import World

/// Executes `service listen`: a server that receives, a thread that stores, and this thread, which shows and forwards.
final class ListenRun {
  /// A webhook that is shown once its first attempt to forward it has ended, or after a moment.
  private struct Pending {
    let webhook: StoredWebhook
    let deadline: Duration
    var status: Int?
    var hasEnded = false
  }

  /// A condition that ends the run.
  private struct Over: Error {}

  /// The longest time for which a webhook waits to be shown with the status of its forwarding.
  private static let patience = Duration.seconds(2)

  private let options: ServiceListen.Options
  private let session: Session
  private let store: Store
  private let profile: String
  private let notices: Mailbox<ListenNotice>
  private let writer: WebhookWriter
  private let server: any HTTPServer
  private let forwarder: WebhookForwarder?
  private let end: Duration?
  private var unread: ArraySlice<Int64> = []
  private var pending: [Pending] = []
  private var shown = 0
  private var isClosed = false

  /// Opens the server.
  init(
    _ options: ServiceListen.Options, key: Secret?, target: ForwardTarget?, in session: Session
  ) throws {
    (self.options, self.session) = (options, session)
    (store, profile) = (try session.store, try session.profile.name)
    try store.prepareWebhooks(profile: profile)
    notices = try Mailbox()
    end = session.wholeTimeout.map { session.world.clock.monotonic() + $0 }
    forwarder = target.map { [store, profile] in
      WebhookForwarder($0, store: store, profile: profile, in: session)
    }
    let waiting = try target.map { [store, profile] in try store.resumeForwarding(to: $0.name, profile: profile) } ?? 0
    writer = try WebhookWriter(
      to: Store(directories: store.directories, world: session.world), profile: profile, forwardingTo: target?.name,
      notices: notices)
    do {
      server = try Self.open(options, key: key, writer, notices, in: session)
    } catch {
      writer.finish()
      throw error
    }
    try announce(hasKey: key != nil, waiting: waiting)
  }

  private static func open(
    _ options: ServiceListen.Options, key: Secret?, _ writer: WebhookWriter, _ notices: Mailbox<ListenNotice>,
    in session: Session
  ) throws -> any HTTPServer {
    var settings = ListenerSettings(address: LoopbackAddress(port: options.port))
    settings.interface = options.address?.description
    // With a key, requests through a tunnel are accepted, which name its host.
    settings.acceptsAnyHost = key != nil
    settings.rejectsInJSON = true
    settings.connectionLimit = 1000
    // As long as nginx: a request sent just as the server closes an idle connection would fail.
    settings.idleTime = .seconds(75)
    let clock = session.world.clock
    do {
      return try session.network.listener().open(settings) {
        WebhookResponder(key: key, clock: clock, writer: writer, notices: notices)
      }
    } catch let error as ListenerError {
      throw Problem(
        .refused, "cannot listen on \((options.address ?? .loopback).url(port: options.port))",
        reason: error.description,
        hint: error.isTaken
          ? "Another program listens there. Pass --port 0 for any free port." : "Choose another --port or --bind.")
    }
  }

  private func announce(hasKey: Bool, waiting: Int) throws {
    let url = (options.address ?? .loopback).url(port: server.address.port)
    if let file = options.readyFile { try writeReadyFile(file, url: url) }
    session.console.note("Receiving webhooks at \(url)\(WebhookPath.base); press Ctrl-C to stop.")
    if !hasKey { session.console.note("No service key is configured, so the keys of webhooks are not checked.") }
    if waiting > 0 { session.console.note("\(Self.webhooks(waiting)) from earlier runs will be forwarded.") }
  }

  private func writeReadyFile(_ file: String, url: String) throws {
    let row: JSONValue = [
      "url": .string(url), "webhooks_url": .string(url + WebhookPath.base),
      "pid": JSONValue(Int(session.world.processes.id)),
    ]
    do throws(SystemError) {
      try session.world.files.replace(file, with: row.bytes + [UInt8(ascii: "\n")], mode: 0o600)
    } catch {
      close()
      throw Problem(
        .outputFailed, "cannot write '\(file)'", reason: error.description, hint: "Choose another --ready-file.")
    }
  }

  /// Receives no more webhooks, after the requests in flight have been answered.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    if let file = options.readyFile { try? session.world.files.remove(file) }
    server.close()
    writer.finish()
  }

  // MARK: Receiving

  /// Shows and forwards webhooks until the run ends.
  func run(_ output: some ListenOutput) throws {
    do { try receive(output) } catch let error where error is Over || Problem(error).code == .interrupted {}
    close()
    try showRest(output)
    try forwarder?.flush()
    noteWaiting()
    guard let wanted = options.wanted, shown < wanted, !session.world.interruption.isInterrupted else { return }
    throw Problem(
      .notYet, "timed out after \(shown) of \(Self.webhooks(wanted))", reason: "--timeout was reached",
      hint: "Allow more time with --timeout, or omit it to receive until Ctrl-C.")
  }

  private func receive(_ output: some ListenOutput) throws {
    while true {
      try advance(output)
      if session.world.output.isAbandoned { throw BrokenPipe() }
      if let forwarder, try forwarder.hasWork() {
        try forwarder.send(meanwhile: { try advance(output) }, ended: note)
        continue
      }
      let now = session.world.clock.monotonic()
      let times = [now + .seconds(1), end, pending.first?.deadline].compactMap { $0 }
      _ = try session.world.input.wait(
        for: notices.descriptor, expectsInput: false, atMost: max(.zero, (times.min() ?? now) - now))
    }
  }

  /// Does what can be done without waiting.
  /// - Throws: ``Over`` once enough webhooks have been shown, or after the timeout.
  private func advance(_ output: some ListenOutput) throws {
    while let notice = notices.receive() { report(notice) }
    let now = session.world.clock.monotonic()
    while !unread.isEmpty {
      let batch = Array(unread.prefix(64))
      unread = unread.dropFirst(batch.count)
      for webhook in try store.webhooks(batch, profile: profile) where isSelected(webhook) {
        pending.append(Pending(webhook: webhook, deadline: forwarder == nil ? now : now + Self.patience))
      }
      try showPending(output, at: now)
    }
    try showPending(output, at: now)
    if let end, now >= end { throw Over() }
  }

  private func isSelected(_ stored: StoredWebhook) -> Bool {
    options.filter?.matches(type: stored.webhook.type, event: stored.webhook.event) ?? true
  }

  /// Shows webhooks in the order of their arrival.
  private func showPending(_ output: some ListenOutput, at now: Duration) throws {
    let isPaused = forwarder?.isPaused ?? false
    var count = 0
    defer { pending.removeFirst(count) }
    while count < pending.count {
      let next = pending[count]
      guard next.hasEnded || isPaused || now >= next.deadline else { return }
      count += 1
      var webhook = next.webhook
      webhook.forwarding?.status = next.status
      try output.show(WebhookRow(webhook))
      shown += 1
      if shown == options.wanted { throw Over() }
    }
  }

  /// Notes the result of the first attempt to forward a webhook.
  private func note(_ number: Int64, _ status: Int?) {
    guard let place = pending.firstIndex(where: { $0.webhook.number == number }) else { return }
    (pending[place].status, pending[place].hasEnded) = (status, true)
  }

  /// Shows the webhooks that were acknowledged before the end.
  private func showRest(_ output: some ListenOutput) throws {
    guard options.wanted.map({ shown < $0 }) ?? true else { return }
    for place in pending.indices { pending[place].hasEnded = true }
    do {
      try showPending(output, at: .zero)
      while let notice = notices.receive() { report(notice) }
      for webhook in try store.webhooks(Array(unread), profile: profile) where isSelected(webhook) {
        pending.append(Pending(webhook: webhook, deadline: .zero))
      }
      try showPending(output, at: .zero)
    } catch is Over {
    } catch  where Problem(error).code == .interrupted {
      session.console.note(
        "The command did not run for all webhooks. They are stored; see \(ifttt: "service events list").")
    }
  }

  // MARK: Notes

  private func report(_ notice: ListenNotice) {
    switch notice {
    case .stored(let receipts):
      for receipt in receipts {
        if receipt.isRepeated {
          session.console.diagnose("webhook \(receipt.number) repeats an earlier X-Request-ID")
        } else {
          unread.append(receipt.number)
        }
      }
    case .failed(let error, let count):
      session.console.note(
        "\(Self.webhooks(count)) could not be stored, and the response was 503: \(Problem(error).summary)")
    case .rejected(let rejection): session.console.note(Hint(rejection.words))
    }
  }

  private func noteWaiting() {
    guard let forwarder, let count = try? store.webhookCounts(profile: profile).waiting, count > 0 else { return }
    session.console.note(
      "\(Self.webhooks(count)) not forwarded yet. Continue with: \(ifttt: "service listen --forward \(forwarder.target.name)")"
    )
  }

  private static func webhooks(_ count: Int) -> String { count == 1 ? "1 webhook" : "\(count) webhooks" }
}

extension Rejection {
  var words: String {
    let request = "\(method.prefix(20)) \(target.count <= 200 ? target[...] : target.prefix(200) + "…")"
    let others = more == 0 ? "" : more == 1 ? " (and 1 other)" : " (and \(more) others)"
    return "Rejected \(request) with \(status): \(reason)\(others)"
  }
}
