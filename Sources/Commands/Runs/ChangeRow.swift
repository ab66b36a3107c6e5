import API
import Display
import JSON

extension Shape {
  static var changes: Shape {
    let statuses = UserStatus.allCases.map(\.rawValue)
    return Shape(
      name: "changes",
      record: RecordSchema([
        "id": .string, "status": .word(statuses), "previous_status": .word(statuses), "changed": .bool,
        "error": .optionalRecord(
          RecordSchema(["code": .string, "message": .string, "hint": .optionalString, "status": .optionalInt])),
      ]),
      columns: [
        Column("ID", "id", overflow: .keep), Column("STATUS", "status", style: .status, overflow: .keep),
        Column("PREVIOUS", "previous_status", style: .dim, overflow: .keep), Column("CHANGED", "changed"),
        Column("ERROR", "error.message").inDataOnly,
      ])
  }
}

/// What became of one connection or Applet in a run that changes.
struct ChangeRow<ID: Hashable & CustomStringConvertible> {
  var id: ID
  /// Unknown where IFTTT did not say, or was not asked.
  var status: UserStatus
  var previous: UserStatus
  var problem: Problem?

  /// Every id of a run that changes has a row, those that failed too.
  var result: RunOverMany<ID>.Result { problem.map { .failed($0, row: json) } ?? .done(json) }

  private var json: [UInt8] {
    let row: JSONValue = [
      "id": JSONValue(id.description), "status": JSONValue(status.rawValue),
      "previous_status": JSONValue(previous.rawValue), "changed": JSONValue(status != previous),
      "error": problem?.brief ?? .null,
    ]
    return row.bytes
  }
}
