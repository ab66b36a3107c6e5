import IFTTT
import Output
import Session

/// The notifications of one request to the Realtime API.
struct NotificationBatch {
  let number: BatchNumber
  let notifications: ArraySlice<RealtimeNotification>
  /// The same for every attempt, so that IFTTT can recognize a retry.
  let requestID: RequestID

  /// The number of a batch, starting at 1, as errors name it.
  struct BatchNumber: Hashable, CustomStringConvertible {
    let value: Int
    var description: String { "batch \(value)" }
  }
}

/// The result of one batch of notifications.
struct NotifiedBatchRow: OutputRecord {
  enum Status: String, CaseIterable, OutputValue { case accepted, failed }

  let batch: NotificationBatch
  var problem: Problem?

  static let fields: Fields = [
    Field("batch", "The number of the batch, counted from 1", column: "BATCH", style: .number) {
      $0.batch.number.value
    },
    Field("items", "The number of notifications in the batch", column: "ITEMS", style: .number) {
      $0.batch.notifications.count
    },
    Field("status", "Whether IFTTT accepted the batch", column: "STATUS", overflow: .keep) {
      $0.problem == nil ? Status.accepted : .failed
    },
    Field("error", "Why the batch failed; null if it was accepted") { $0.problem?.brief },
    Field("request_id", "The X-Request-ID that was sent with the batch", column: "REQUEST ID", overflow: .keep) {
      $0.batch.requestID.description
    },
  ]
}
