package import World

/// One thing that IFTTT did with a connection, and why.
package struct ActivityRecord: Sendable, Equatable {
  package enum Step: String, Sendable, CaseIterable {
    /// The service sent a Realtime notification.
    case notified
    case polled
    case found
    case queried
    case ran
    case skipped
    /// A request failed. An action or query is tried again, unless the next row says that it was given up.
    case failed
    case givenUp = "given_up"
    case options
    case validated
    case webhookSent = "webhook_sent"
    /// The user has a new access token.
    case refreshed
    case identityDeleted = "identity_deleted"
    /// The service or the configuration probably has a mistake, which IFTTT would not report.
    case warning
  }

  package enum Cause: String, Sendable, CaseIterable {
    /// The server started, and the connection was enabled already.
    case start
    case enabled, updated, disabled
    case schedule, notification, event
    /// The server rejected an access token.
    case unauthorized
    /// A request of the service or its app.
    case request
  }

  package var number = 0
  package let at: Timestamp
  package let step: Step
  package let cause: Cause
  package var connection: String?
  package var user: String?
  /// The endpoint below `/ifttt/v1`, or a step of another service such as `tidebook.add_entry`.
  package var endpoint: String?
  package var identity: String?
  package var event: String?
  /// The status of the response.
  package var status: Int?
  package var detail: String?

  init(_ step: Step, _ cause: Cause, at: Timestamp) { (self.step, self.cause, self.at) = (step, cause, at) }
}

/// The most recent activity, up to a fixed number of records.
package struct ActivityLog: Sendable {
  package static let limit = 1000
  /// A ring buffer once it is full; the oldest record is at `next`.
  private var kept: [ActivityRecord] = []
  private var next = 0
  package private(set) var count = 0

  package init() {}

  mutating func add(_ record: ActivityRecord) {
    var record = record
    count += 1
    record.number = count
    if kept.count < Self.limit {
      kept.append(record)
    } else {
      kept[next] = record
      next = (next + 1) % Self.limit
    }
  }

  /// All records, from oldest to newest.
  package var all: [ActivityRecord] { Array(kept[next...] + kept[..<next]) }
}
