package import API
package import CommandContext
import Display
import JSON

extension OutputSchema {
  package static var changes: OutputSchema {
    let statuses = UserStatus.allCases.map(\.rawValue)
    return OutputSchema(
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

/// The result of a change to one connection or Applet.
package struct ChangeRow<ID: Hashable & CustomStringConvertible> {
  package var id: ID
  /// Unknown if no request was sent or the response had no status.
  package var status: UserStatus
  package var previous: UserStatus
  package var problem: Problem?
  /// Whether something other than the status changed; nil if the status alone shows the change.
  package var isChanged: Bool?

  package init(id: ID, status: UserStatus, previous: UserStatus, problem: Problem? = nil, isChanged: Bool? = nil) {
    self.id = id
    self.status = status
    self.previous = previous
    self.problem = problem
    self.isChanged = isChanged
  }

  /// The batch result: every id of a batch of changes has a row, including failed ones.
  package var result: BatchRun<ID>.Result { problem.map { .failed($0, row: json) } ?? .done(json) }

  private var json: [UInt8] {
    let row: JSONValue = [
      "id": JSONValue(id.description), "status": JSONValue(status.rawValue),
      "previous_status": JSONValue(previous.rawValue), "changed": JSONValue(isChanged ?? (status != previous)),
      "error": problem?.brief ?? .null,
    ]
    return row.bytes
  }
}
