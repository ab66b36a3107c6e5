import Session
import Store
import Text
import World

/// Shows stored webhooks in the order of their arrival.
final class ShowQueue {
  /// A webhook that is shown once the first attempt to forward it has ended, or at its deadline.
  private struct Pending {
    let webhook: StoredWebhook
    let deadline: Duration
    var status: Int?
    var hasEnded = false
  }

  /// The end of the run: enough webhooks have been shown, or the time is over.
  struct Finished: Error {}

  /// The longest time for which a webhook waits to be shown with the status of its forwarding.
  private static let statusWait = Duration.seconds(2)

  private let options: ServiceListen.Options
  private let store: Store
  private let profile: String
  private let clock: any Clock
  private let end: Duration?
  private let forwarder: WebhookForwarder?
  /// The number of the last webhook of an earlier run.
  private let lastEarlier: Int64
  private var unread: ArraySlice<Int64>
  private var pending: [Pending] = []
  /// The number of webhooks of this run that were shown.
  private(set) var shown = 0

  /// - Parameters:
  ///   - earlier: The webhooks of earlier runs that are still to be shown. They do not count as shown by this run.
  ///   - end: The time after which no webhook of a resumable output is shown.
  init(
    _ options: ServiceListen.Options, of store: Store, profile: String, after earlier: [Int64],
    forwarder: WebhookForwarder?, clock: any Clock, end: Duration?
  ) {
    (self.options, self.store, self.profile, self.clock, self.end) = (options, store, profile, clock, end)
    self.forwarder = forwarder
    (unread, lastEarlier) = (earlier[...], earlier.last ?? 0)
  }

  /// The time at which the next webhook is shown, whether or not it has been forwarded.
  var deadline: Duration? { pending.first?.deadline }

  func add(_ number: Int64) { unread.append(number) }

  /// Notes the result of the first attempt to forward a webhook.
  func note(_ number: Int64, _ status: Int?) {
    guard let index = pending.firstIndex(where: { $0.webhook.number == number }) else { return }
    (pending[index].status, pending[index].hasEnded) = (status, true)
  }

  /// Shows the webhooks that need not wait any longer.
  /// - Throws: ``Finished`` once enough webhooks have been shown.
  func advance(_ output: ListenOutput) throws {
    let now = clock.monotonic()
    while !unread.isEmpty {
      try read(64, at: now)
      try showPending(output, at: now)
    }
    try showPending(output, at: now)
  }

  /// Shows all webhooks that were acknowledged.
  func finish(_ output: ListenOutput) throws {
    try read(unread.count, at: .zero)
    for index in pending.indices { pending[index].hasEnded = true }
    try showPending(output, at: .zero)
  }

  private func read(_ count: Int, at now: Duration) throws {
    let batch = Array(unread.prefix(count))
    unread = unread.dropFirst(count)
    for webhook in try WebhookStore(store, profile: profile).webhooks(batch) where isSelected(webhook) {
      let waits = forwarder != nil && webhook.number > lastEarlier
      pending.append(Pending(webhook: webhook, deadline: waits ? now + Self.statusWait : now))
    }
  }

  private func isSelected(_ stored: StoredWebhook) -> Bool {
    options.filter?.matches(type: stored.webhook.type, event: stored.webhook.event) ?? true
  }

  private func showPending(_ output: ListenOutput, at now: Duration) throws {
    let isPaused = forwarder?.isPaused ?? false
    var count = 0
    defer { pending.removeFirst(count) }
    while count < pending.count {
      let next = pending[count]
      guard next.hasEnded || isPaused || now >= next.deadline else { return }
      // Commands may take much longer than the time that is left for the run.
      if output.isResumable, let end, clock.monotonic() >= end { throw Finished() }
      count += 1
      var webhook = next.webhook
      if let status = next.status { webhook.forwarding?.status = status }
      try output.show(WebhookRow(webhook))
      guard webhook.number > lastEarlier else { continue }
      shown += 1
      if shown == options.webhookLimit { throw Finished() }
    }
  }
}

/// The destination of the webhooks that `service listen` receives.
struct ListenOutput {
  /// Whether a later run shows the webhooks that this one does not show.
  let isResumable: Bool
  let show: (WebhookRow) throws -> Void

  init(isResumable: Bool = false, show: @escaping (WebhookRow) throws -> Void) {
    (self.isResumable, self.show) = (isResumable, show)
  }
}
