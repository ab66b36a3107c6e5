import IFTTT
import Output
import Session

/// A difference between a file and IFTTT.
struct DifferenceRow: OutputRecord {
  let difference: StateDifference

  static let fields: Fields = [
    Field("id", "The id of the connection", column: "ID", overflow: .keep) { $0.difference.id },
    Field(
      "field", "The address of the field or feature; null for the connection's status", column: "FIELD",
      overflow: .keep
    ) { $0.difference.field },
    Field("change", "What applying the file would do", column: "CHANGE", overflow: .keep) { $0.difference.change },
    Field("wanted", "The value in the file; null if it is missing", column: "WANTED") { $0.difference.wanted },
    Field("present", "The value at IFTTT; null if it is missing", column: "PRESENT") { $0.difference.present },
  ]
}

extension StateDifference.Change: OutputValue {}
