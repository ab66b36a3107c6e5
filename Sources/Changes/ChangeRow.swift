package import IFTTT
import Output
package import Session

/// The result of a change to one connection or Applet.
package struct ChangeRow: OutputRecord {
  package var id: String
  /// Unknown if no request was sent or the response had no status.
  package var status: UserStatus
  package var previous: UserStatus
  package var problem: Problem?
  /// Whether something other than the status changed; nil if the status alone shows the change.
  package var isChanged: Bool?

  package init(
    id: some CustomStringConvertible, status: UserStatus, previous: UserStatus, problem: Problem? = nil,
    isChanged: Bool? = nil
  ) {
    self.id = id.description
    self.status = status
    self.previous = previous
    self.problem = problem
    self.isChanged = isChanged
  }

  /// The batch result: every id of a batch of changes has a row, including failed ones.
  package func result<ID>() -> BatchRun<ID>.Result { problem.map { .failed($0, row: bytes) } ?? .done(bytes) }

  /// The same row with the options in effect added to the commands that its error suggests.
  package func completed(in session: Session) -> ChangeRow {
    var row = self
    row.problem = problem?.completed(with: session.suggestions)
    return row
  }

  package static var fields: Fields {
    [
      Field("id", "The id of the connection or Applet", column: "ID", overflow: .keep) { $0.id },
      Field("status", "The status after the change", column: "STATUS", style: .status, overflow: .keep) { $0.status },
      Field("previous_status", "The status before the change", column: "PREVIOUS", style: .dim, overflow: .keep) {
        $0.previous
      },
      Field("changed", "Whether anything changed", column: "CHANGED") { $0.isChanged ?? ($0.status != $0.previous) },
      Field("error", "Why the change failed; null if it succeeded") { $0.problem?.brief },
    ]
  }
}
