package import IFTTT
import JSON
package import Session

/// A state in the output: a status, and the settings by label.
package struct StateRow: OutputRecord {
  let status: UserStatus
  let settings: [(key: String, value: String)]

  init(status: UserStatus, settings: [(key: String, value: String)]) {
    (self.status, self.settings) = (status, settings)
  }

  init(_ state: SubjectState) {
    let form = state.connection.flatMap { connection in
      connection.userConnection.map { ConfigurationForm(connection, $0).shownSettings }
    }
    self.init(status: state.status, settings: form ?? [])
  }

  /// - Parameter connection: the connection as last fetched, as its definitions name the settings. Without it, a step's
  ///   settings are named by its id.
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
