package import IFTTT
package import JSON
package import Output
import PluginProtocol
package import Session
import Text

/// A row of a dry run: the state of a subject before and after the change, and the requests that would be sent.
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
  /// The rows of a dry run. A table has no column for settings, which are printed on stderr instead.
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

  /// A request in the form that a plugin receives.
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

/// A state in the output: a status, and the settings by label.
package struct StateRow: OutputRecord {
  let status: UserStatus
  package let settings: [(key: String, value: String)]

  init(status: UserStatus, settings: [(key: String, value: String)]) {
    (self.status, self.settings) = (status, settings)
  }

  init(_ state: SubjectState) {
    let form = state.connection.flatMap { connection in
      connection.userConnection.map { ConfigurationForm(connection, $0).shownSettings }
    }
    self.init(status: state.status, settings: form ?? [])
  }

  /// - Parameter connection: the connection as last fetched, whose definitions name the settings. If nil, the names are
  ///   the ids of the feature and the field.
  package init(_ state: RecordedState, of connection: Connection?) {
    if let connection, let configuration = state.configuration {
      self.init(status: state.status, settings: ConfigurationForm(connection, configuration).shownSettings)
      return
    }
    var settings: [(key: String, value: String)] = []
    for feature in state.configuration?.features ?? [] {
      let fields = feature.fields + ConfigurationStep.Kind.allCases.flatMap { feature[$0].flatMap(\.fields) }
      settings += fields.map { (key: "\(feature.featureID ?? "").\($0.id)", value: $0.value.asFieldValue) }
    }
    self.init(status: state.status, settings: settings)
  }

  package static let fields: Fields = [
    Field("status", "The status") { $0.status },
    Field("fields", "The settings: from the address of a field to its label, or to its value without one") {
      OutputMap($0.settings)
    },
  ]
}

extension ConfigurationForm {
  /// The fields with a value, by address.
  var shownSettings: [(key: String, value: String)] {
    entries.filter { !$0.value.isNull }.map { (key: $0.address, value: $0.value.asFieldValue) }
  }
}

/// The result of a change to one connection or Applet.
package struct ChangeRow: OutputRecord {
  package var id: String
  /// Unknown if no request was sent or the response had no status.
  package var status: UserStatus
  package var previous: UserStatus
  package var problem: Problem?
  /// Whether anything changed; nil to compare the two statuses.
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
