import Output
import Session
import Store
import World

extension WaitingLocationEvent {
  /// The state of an event in the queue or, after it was sent, the outcome.
  enum Status: String, CaseIterable, OutputValue {
    /// It is sent with the next upload.
    case waiting
    /// IFTTT rejected it; it is sent again only on request.
    case refused
    case accepted
  }

  func row(_ status: Status? = nil) -> LocationEventRow {
    LocationEventRow(waiting: self, status: status ?? (isRefused ? .refused : .waiting))
  }
}

/// A location event of the queue, as it is printed.
struct LocationEventRow: OutputRecord {
  let waiting: WaitingLocationEvent
  let status: WaitingLocationEvent.Status

  static let fields: Fields = [
    Field("record_id", "The event's id in the queue") { $0.waiting.recordID },
    Field("region", "The region's id", column: "REGION", overflow: .elide(least: 8)) { $0.waiting.event.region },
    Field("connection", "The connection's id", column: "CONNECTION", overflow: .keep) {
      $0.waiting.event.connection
    },
    Field("event", "Whether the region was entered or left", column: "EVENT", overflow: .keep, place: 2) {
      $0.waiting.event.kind
    },
    Field("occurred_at", "The time of the event", column: "OCCURRED AT", overflow: .keep, place: 1) {
      $0.waiting.event.occurredAt
    },
    Field("recorded_at", "The time at which it was added to the queue") { $0.waiting.recordedAt },
    Field("status", "The state in the queue, or the outcome", column: "STATUS", style: .status, overflow: .keep) {
      $0.status
    },
    Field("tries", "The number of attempts to send it") { $0.waiting.tries },
    Field("tried_at", "The time of the last attempt") { $0.waiting.triedAt },
    Field("problem", "Why the last attempt failed", column: "PROBLEM") { $0.waiting.problem },
  ]
}
