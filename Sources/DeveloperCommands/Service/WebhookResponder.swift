package import HTTP
import JSON
import Session
import Store
import Text
import World

/// Responds to IFTTT's webhooks. A webhook that is accepted goes to the writer, which acknowledges it once it is stored.
final class WebhookResponder: HTTPResponder {
  private let key: Secret?
  private let clock: any Clock
  private let writer: WebhookWriter
  private var log: RejectionLog

  /// - Parameter key: The service key that requests must have; nil to accept every request from this machine.
  init(key: Secret?, clock: any Clock, writer: WebhookWriter, notices: Mailbox<ListenNotice>) {
    (self.key, self.clock, self.writer) = (key, clock, writer)
    log = RejectionLog(notices)
  }

  func respond(to request: ReceivedRequest) -> Reply {
    guard let path = WebhookPath(target: request.target) else {
      return reject(
        404, "no such path", "Webhooks are sent to \(WebhookPath.base)/TYPE/EVENT.", request)
    }
    guard request.method == "POST" else {
      var reply = reject(405, "not a POST", "Only POST is allowed.", request)
      reply.fields.append(HeaderField("Allow", "POST"))
      return reply
    }
    if let key {
      guard let receivedKey = request.field("IFTTT-Service-Key") else {
        return reject(401, "no service key", "The IFTTT-Service-Key header is missing.", request)
      }
      guard ExactText.sameInConstantTime(receivedKey, key.revealed) else {
        return reject(401, "wrong service key", "The service key is wrong.", request)
      }
    } else if request.field("Origin") != nil {
      // Without a key, any web page that the user visits could send webhooks to this machine.
      return reject(403, "sent by a web page", "Requests from web pages are not accepted.", request)
    }
    // Clients such as PowerShell send a byte order mark. It would be an error for the readers of the stored webhook.
    let body = (try? TextStart.removed(from: request.body)) ?? request.body
    do throws(JSONError) {
      guard try JSONValue(parsing: body).object != nil else {
        return reject(400, "the body is not a JSON object", "The body is not a JSON object.", request)
      }
    } catch {
      return reject(400, "the body is not JSON: \(error)", "The body is not JSON: \(error)", request)
    }
    return Reply(
      deferred: writer.add(
        ReceivedWebhook(
          receivedAt: clock.now(), type: path.type, event: path.event, requestID: request.field("X-Request-ID"),
          headers: stored(request.fields), body: body)))
  }

  /// The header fields without credentials, which are never stored.
  private func stored(_ fields: [HeaderField]) -> [ReceivedWebhook.Header] {
    fields.filter { field in !Header.isCredential(field.name) && (key.map { $0.revealed != field.value } ?? true) }
      .map { ReceivedWebhook.Header($0.name, $0.value) }
  }

  private func reject(_ status: Int, _ reason: String, _ message: String, _ request: ReceivedRequest) -> Reply {
    report(status, reason, RequestLine(method: request.method, target: request.target))
    return .error(status, message)
  }

  /// Reports a request that the server itself rejects, for example because its body is too long.
  func noteRejection(_ status: Int, _ reason: String, of request: RequestLine?) {
    report(status, reason.prefix(1).lowercased() + reason.dropFirst(), request)
  }

  private func report(_ status: Int, _ reason: String, _ request: RequestLine?) {
    log.add(Rejection(status: status, reason: reason, request: request), at: clock.monotonic())
  }
}

/// A request that was not accepted.
package struct Rejection: Sendable, Equatable {
  var status: Int
  var reason: String
  /// The request line; nil if none was received.
  var request: RequestLine?
  /// The number of other requests with the same status that were rejected since the last notice.
  var more = 0

  package init(status: Int, reason: String, request: RequestLine?) {
    (self.status, self.reason, self.request) = (status, reason, request)
  }

  package var description: String {
    var subject = "a request"
    if let request {
      let target = request.target
      subject = "\(request.method.prefix(20)) \(target.count <= 200 ? target[...] : target.prefix(200) + "…")"
    }
    let others = more == 0 ? "" : more == 1 ? " (and 1 other)" : " (and \(more) others)"
    return "Rejected \(subject) with \(status): \(reason)\(others)"
  }
}

/// Reports rejected requests, at most one per second and status: a client that sends thousands must not flood the
/// terminal.
struct RejectionLog {
  private let notices: Mailbox<ListenNotice>
  private var seen: [Int: (reportedAt: Duration, more: Int)] = [:]

  init(_ notices: Mailbox<ListenNotice>) { self.notices = notices }

  mutating func add(_ rejection: Rejection, at now: Duration) {
    if let last = seen[rejection.status], now - last.reportedAt < .seconds(1) {
      seen[rejection.status]?.more += 1
      return
    }
    var rejection = rejection
    rejection.more = seen[rejection.status]?.more ?? 0
    seen[rejection.status] = (now, 0)
    notices.send(.rejected(rejection))
  }
}

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
/// many of them, and a slow command of `--exec` or a slow `--forward` server delays no acknowledgment.
final class WebhookWriter: Sendable {
  private struct Arrival: Sendable {
    let webhook: ReceivedWebhook
    let reply: DeferredReply
  }

  /// The maximum number of webhooks in one transaction.
  private static let batch = 256
  /// The time within which a webhook must be stored. After that, the response asks the client to send it again.
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
  /// - Returns: The reply, which is sent once the webhook is stored.
  func add(_ webhook: ReceivedWebhook) -> DeferredReply {
    let reply = DeferredReply(atMost: Self.limit, else: Self.unavailable, keepsAlive: true)
    if !queue.add(Arrival(webhook: webhook, reply: reply)) { reply.fulfill(Self.unavailable) }
    return reply
  }

  /// Stores the webhooks that were added, and ends the thread.
  func finish() {
    queue.close()
    thread.join()
  }
}
