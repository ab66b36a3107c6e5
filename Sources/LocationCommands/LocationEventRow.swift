import CommandContext
import Display
import JSON
import Store
import Time
import World

extension WaitingLocationEvent {
  /// The state of an event in the queue or, after it was sent, the outcome.
  enum Status: String, CaseIterable {
    /// It is sent with the next upload.
    case waiting
    /// IFTTT rejected it; it is sent again only on request.
    case refused
    case accepted
  }

  func row(_ status: Status? = nil) -> [UInt8] {
    let row: JSONValue = [
      "record_id": .string(recordID), "region": .string(event.region), "connection": JSONValue(event.connection),
      "event": .string(event.kind), "occurred_at": .string(event.occurredAt.rfc3339),
      "recorded_at": .string(recordedAt.rfc3339),
      "status": .string((status ?? (isRefused ? .refused : .waiting)).rawValue), "tries": JSONValue(tries),
      "tried_at": JSONValue(triedAt?.rfc3339), "problem": JSONValue(problem),
    ]
    return row.bytes
  }
}

extension OutputSchema {
  static func locationEvents(_ name: String) -> OutputSchema {
    OutputSchema(
      name: name,
      record: RecordSchema([
        "record_id": .string, "region": .string, "connection": .optionalString, "event": .string,
        "occurred_at": .string, "recorded_at": .string,
        "status": .word(WaitingLocationEvent.Status.allCases.map(\.rawValue)), "tries": .int,
        "tried_at": .optionalString, "problem": .optionalString,
      ]),
      columns: [
        Column("OCCURRED AT", "occurred_at", overflow: .keep), Column("EVENT", "event", overflow: .keep),
        Column("REGION", "region", overflow: .elide(least: 8)), Column("CONNECTION", "connection", overflow: .keep),
        Column("STATUS", "status", style: .status, overflow: .keep), Column("PROBLEM", "problem"),
      ])
  }
}
