import HTTP
import Store
import World

/// A message to the thread that shows and forwards webhooks.
enum ListenNotice: Sendable {
  /// Webhooks that are stored and acknowledged.
  case stored([WebhookReceipt])
  /// Webhooks that were not stored, and therefore not acknowledged.
  case failed(StoreError, count: Int)
  case rejected(Rejection)
}

/// Stores webhooks on a thread of its own, and acknowledges each once it is on the disk.
///
/// All webhooks that arrive during one transaction are stored together in the next. One write to the disk then serves
/// hundreds of them, and a slow command of `--exec` or a slow `--forward` server delays no acknowledgment.
final class WebhookWriter: Sendable {
  private struct Arrival: Sendable {
    let webhook: ReceivedWebhook
    let reply: DeferredReply
  }

  /// The maximum number of webhooks in one transaction.
  private static let batch = 256
  /// The time in which a webhook must be stored. A client that waits longer is told to send it again.
  private static let limit = Duration.seconds(15)
  private static let unavailable = Reply.error(503, "The webhook could not be stored. Send it again later.")

  private let queue = BatchQueue<Arrival>()
  /// Only the thread that created the writer ends it.
  private nonisolated(unsafe) let thread: WorkerThread

  /// - Parameters:
  ///   - store: A store that nothing else uses.
  ///   - url: The server that webhooks will be forwarded to.
  ///   - filter: The webhooks that a command will run for; nil without a command.
  init(
    to store: Store, profile: String, forwardingTo url: String?, executing filter: WebhookFilter? = nil,
    notices: Mailbox<ListenNotice>
  ) throws(SystemError) {
    // Only the thread uses the store.
    nonisolated(unsafe) let store = store
    let queue = queue
    thread = try WorkerThread.start {
      while true {
        let arrivals = queue.next(atMost: Self.batch)
        guard !arrivals.isEmpty else { return }
        do throws(StoreError) {
          let receipts = try WebhookStore(store, profile: profile).record(
            arrivals.map(\.webhook), forwardingTo: url, executing: filter)
          for arrival in arrivals { arrival.reply.fulfill(Reply(status: 200)) }
          notices.send(.stored(receipts))
        } catch {
          for arrival in arrivals { arrival.reply.fulfill(Self.unavailable) }
          notices.send(.failed(error, count: arrivals.count))
        }
      }
    }
  }

  /// Adds a webhook to the next transaction.
  /// - Returns: The reply, which is known once the webhook is stored.
  func add(_ webhook: ReceivedWebhook) -> DeferredReply {
    let reply = DeferredReply(atMost: Self.limit, else: Self.unavailable, keepsAlive: true)
    if !queue.add(Arrival(webhook: webhook, reply: reply)) { reply.fulfill(Self.unavailable) }
    return reply
  }

  /// Stores what has been added, and ends the thread.
  func finish() {
    queue.close()
    thread.join()
  }
}
