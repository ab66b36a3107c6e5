import CommandContext
import Display
import JSON
import Location
import Store
import Time
import World

/// A transition as printed by `location replay`.
struct ReplayRow {
  enum Status: String, CaseIterable {
    /// The status in a dry run.
    case notSent = "not_sent"
    case accepted, waiting, refused
  }

  let crossing: Transition
  let connectionName: String
  var recordID: String?
  var status: Status

  var bytes: [UInt8] {
    let row: JSONValue = [
      "at": JSONValue(crossing.time?.rfc3339), "event": .string(crossing.kind.rawValue),
      "region": .string(crossing.region.id), "label": JSONValue(crossing.region.label),
      "connection": .string(crossing.region.connection), "connection_name": .string(connectionName),
      "lat": .number(JSONNumber(crossing.place.latitude)), "lng": .number(JSONNumber(crossing.place.longitude)),
      "record_id": JSONValue(recordID), "status": .string(status.rawValue),
    ]
    return row.bytes
  }
}

extension WaitingLocationEvent.Status {
  var inReplay: ReplayRow.Status {
    switch self {
    case .waiting: .waiting
    case .refused: .refused
    case .accepted: .accepted
    }
  }
}

extension OutputSchema {
  static var replay: OutputSchema {
    OutputSchema(
      name: "location-replay",
      record: RecordSchema([
        "at": .optionalString, "event": .word(["entry", "exit"]), "region": .string, "label": .optionalString,
        "connection": .string, "connection_name": .string, "lat": .number, "lng": .number,
        "record_id": .optionalString, "status": .word(ReplayRow.Status.allCases.map(\.rawValue)),
      ]),
      columns: [
        Column("AT", "at", overflow: .keep), Column("EVENT", "event", overflow: .keep), Column("LABEL", "label"),
        Column("CONNECTION", "connection", overflow: .keep),
        Column("STATUS", "status", style: .status, overflow: .keep),
        Column("REGION", "region", overflow: .elide(least: 8)),
      ])
  }
}
