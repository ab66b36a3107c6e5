import IFTTT
package import JSON
package import Output
import PluginProtocol
package import Session
import Text

/// What a dry run shows for one subject: its state before and after, and the requests that would be sent.
package struct PlannedChange: OutputRecord {
  let subject: Subject
  let before: StateRow
  let after: StateRow
  let requests: [PlannedStep]

  package static let fields: Fields = [
    Field("id", "The id of the connection or Applet", ) { $0.subject.name },
    Field("provider", "The provider plugin; null for IFTTT") { $0.subject.plugin },
    Field("user_id", "The user's id on your service; null for the profile's own user") { $0.subject.userID },
    Field("before", "The state before the change") { $0.before },
    Field("after", "The state after the change") { $0.after },
    Field("requests", "The requests that would be sent") { $0.requests },
  ]
}

extension OutputSchema {
  /// The rows of a dry run. A table shows the settings on stderr.
  package static func plannedChanges(ofUsers: Bool) -> OutputSchema {
    OutputSchema.many(PlannedChange.self).changingColumns { $0 = Column.ofStates(ofUsers: ofUsers) }
  }
}

extension Column {
  /// The columns of subjects with their states before and after.
  package static func ofStates(ofUsers: Bool) -> [Column] {
    (ofUsers ? [Column("USER", "user_id", overflow: .keep)] : []) + [
      Column("ID", "id", overflow: .keep),
      Column("BEFORE", "before.status", style: .status, overflow: .keep),
      Column("AFTER", "after.status", style: .status, overflow: .keep),
    ]
  }
}

extension PlannedStep: OutputValue {
  package static var schema: JSONObject {
    ["anyOf": [.object(PlannedRequest.schema), .object(PluginRequest.schema)]]
  }

  package var json: JSONValue {
    switch self {
    case .http(let request): request.json
    case .plugin(let method, let params): PluginRequest(method: method, params: params).json
    }
  }

  /// A request as a plugin receives it.
  private struct PluginRequest: OutputRecord {
    let method: String
    let params: JSONValue

    static let fields: Fields = [
      Field("method", "The method of the plugin") { $0.method },
      Field("params", "The parameters") { $0.params },
    ]
  }
}

extension PlannedChange {
  init(_ plan: ConnectionPlan, of subject: Subject, _ requests: [PlannedStep]) {
    (self.subject, self.requests) = (subject, requests)
    let present = plan.present
    before = StateRow(present)
    let status: UserStatus? = plan.change?.status
    let settings = present.connection.flatMap { connection in
      plan.configuration.map { ConfigurationForm(connection, $0).shownSettings }
    }
    let values = plan.values?.members.map { (key: $0.key, value: $0.value.asFieldValue) }
    after = StateRow(status: status ?? present.status, settings: values ?? settings ?? before.settings)
  }

  /// A subject that already has its target.
  init(unchanged result: ChangeResult) {
    subject = result.subject
    before = StateRow(status: result.status, settings: result.latest.map(StateRow.init)?.settings ?? [])
    (after, requests) = (before, [])
  }

  /// Whether anything would be sent.
  var isChange: Bool { !requests.isEmpty }
}

extension Session {
  /// The output of a dry run of changes.
  func dryRun(of rows: [PlannedChange]) -> Output {
    var output = Output.rows(rows.map(\.bytes), as: .plannedChanges(ofUsers: false))
    if rows.contains(where: \.isChange) { noteSandbox() } else { console.note("Nothing would be sent.") }
    guard options.usesExitCode, rows.contains(where: \.isChange) else { return output }
    output.verdict = { throw Problem(.differs, "something would change") }
    return output
  }
}
