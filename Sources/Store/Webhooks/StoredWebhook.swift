import JSON
package import World

/// A webhook as received, before it is stored.
package struct ReceivedWebhook: Sendable, Equatable {
  package struct Header: Sendable, Equatable {
    package var name: String
    package var value: String
    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  package var receivedAt: Timestamp
  /// The kind of object it concerns, such as `connection`.
  package var type: String
  /// The event that happened to the object, such as `enabled`.
  package var event: String
  /// The `X-Request-ID`; nil if there was none.
  package var requestID: String?
  /// The header fields, without credentials.
  package var headers: [Header]
  /// The bytes as received.
  package var body: [UInt8]

  package init(
    receivedAt: Timestamp, type: String, event: String, requestID: String?, headers: [Header], body: [UInt8]
  ) {
    (self.receivedAt, self.type, self.event, self.requestID) = (receivedAt, type, event, requestID)
    (self.headers, self.body) = (headers, body)
  }
}

/// A webhook in the store.
package struct StoredWebhook: Sendable, Equatable {
  /// The id that the user sees.
  package var number: Int64
  package var webhook: ReceivedWebhook
  /// Whether an earlier webhook has the same request id.
  package var isRepeated: Bool
  /// The state of its forwarding; nil if it is not forwarded.
  package var forwarding: WebhookForwarding?
  /// The state of its command; nil if no command runs for it.
  package var execution: WebhookExecution?

  package init(
    number: Int64, webhook: ReceivedWebhook, isRepeated: Bool, forwarding: WebhookForwarding?,
    execution: WebhookExecution? = nil
  ) {
    (self.number, self.webhook, self.isRepeated) = (number, webhook, isRepeated)
    (self.forwarding, self.execution) = (forwarding, execution)
  }
}

/// The forwarding of a webhook to another server.
package struct WebhookForwarding: Sendable, Equatable {
  package enum State: String, Sendable, CaseIterable {
    /// It is sent when it is due, for the first time or again.
    case waiting
    case delivered
    /// The server rejected it. It is not sent again automatically.
    case rejected
  }

  package var url: String
  package var state: State
  /// The status of the last response; nil without a response.
  package var status: Int?
  package var tries: Int
  /// The reason the last attempt failed; nil if it did not.
  package var problem: String?

  /// The problem of a webhook that was sent without a response, and may have arrived.
  package static let unanswered = "the run ended before the server responded, so the webhook may have arrived"

  package init(url: String, state: State = .waiting, status: Int? = nil, tries: Int = 0, problem: String? = nil) {
    (self.url, self.state, self.status, self.tries, self.problem) = (url, state, status, tries, problem)
  }
}

/// The run of the command of `--exec` for a webhook.
package struct WebhookExecution: Sendable, Equatable {
  package enum State: String, Sendable, CaseIterable {
    /// The command has not ended yet, or has not started.
    case waiting
    case succeeded
    /// The command ended with another status than 0. It does not run again.
    case failed
  }

  package var state: State
  /// The exit status of the command; nil if it has none.
  package var status: Int?

  package init(state: State, status: Int? = nil) { (self.state, self.status) = (state, status) }
}

/// The webhooks that a command applies to: by type, by event or by both.
package struct WebhookFilter: Sendable, Equatable {
  package var type: String?
  package var event: String?

  package init(type: String? = nil, event: String? = nil) { (self.type, self.event) = (type, event) }

  package func matches(type: String, event: String) -> Bool {
    (self.type ?? type) == type && (self.event ?? event) == event
  }
}

extension ReceivedWebhook {
  var headersText: String {
    JSONValue.array(headers.map { .array([.string($0.name), .string($0.value)]) }).text
  }
}

extension StoredWebhook {
  /// The columns that ``init(_:)`` reads.
  static let columns = """
    number, received_at, type, event, request_id, is_repeated, headers, body, forward_to, forward_state, \
    forward_status, forward_tries, forward_problem, exec_state, exec_status
    """

  init(_ row: borrowing Statement) {
    let pairs = (try? JSONValue(parsing: row["headers"]))?.array ?? []
    webhook = ReceivedWebhook(
      receivedAt: row["received_at"], type: row["type"], event: row["event"], requestID: row["request_id"],
      headers: pairs.compactMap { pair in
        guard let pair = pair.array, pair.count == 2, let name = pair[0].string, let value = pair[1].string else {
          return nil
        }
        return ReceivedWebhook.Header(name, value)
      },
      body: row["body"])
    number = row["number"]
    isRepeated = row["is_repeated"]
    if let url: String = row["forward_to"], let state = WebhookForwarding.State(rawValue: row["forward_state"]) {
      forwarding = WebhookForwarding(
        url: url, state: state, status: row["forward_status"], tries: row["forward_tries"],
        problem: row["forward_problem"])
    }
    if let state = WebhookExecution.State(rawValue: row["exec_state"]) {
      execution = WebhookExecution(state: state, status: row["exec_status"])
    }
  }
}

/// Counts of stored webhooks.
package struct WebhookCounts: Sendable, Equatable {
  package var all = 0
  /// The number of webhooks that wait to be forwarded.
  package var toForward = 0
  /// The number of webhooks that wait for their command.
  package var toExecute = 0
  /// The number of the newest webhook.
  package var newest: Int64 = 0

  package init(all: Int = 0, toForward: Int = 0, toExecute: Int = 0, newest: Int64 = 0) {
    (self.all, self.toForward, self.toExecute, self.newest) = (all, toForward, toExecute, newest)
  }
}
