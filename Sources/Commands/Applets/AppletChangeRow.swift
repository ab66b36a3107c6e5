import API
import Applets
import JSON

/// What became of one Applet in a run that changes; in JSON as that of a connection.
struct AppletChangeRow {
  var id: AppletID
  /// Unknown where IFTTT did not say, or was not asked.
  var status: Applet.Status
  var previous: Applet.Status
  var problem: Problem?

  fileprivate var json: [UInt8] {
    let row: JSONValue = [
      "id": JSONValue(id.description), "status": JSONValue(status.rawValue),
      "previous_status": JSONValue(previous.rawValue), "changed": JSONValue(status != previous),
      "error": problem?.brief ?? .null,
    ]
    return row.bytes
  }
}

extension RunOverMany where ID == AppletID {
  /// A run that changes: every id has a row, those that failed too.
  func changes(_ work: @escaping ((AppletChangeRow) throws -> Void) throws -> Void) -> Output {
    output(as: .changes) { report in
      try work { row in
        try report(row.id, row.problem.map { .failed($0, row: row.json) } ?? .done(row.json))
      }
    }
  }
}
