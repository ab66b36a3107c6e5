import Changes
import CommandLine
package import IFTTT
package import JSON
import Output
package import Session
import Text

/// A field or user feature of a connection with its value, or a change to it.
package struct ConfigurationRow: OutputRecord {
  var address: String
  var field: IFTTT.Field?
  var label: String?
  var value: JSONValue
  var previous = JSONValue.null
  var change: ConfigurationDifference.Change?

  package init(
    address: String, field: IFTTT.Field? = nil, label: String? = nil, value: JSONValue, previous: JSONValue = .null,
    change: ConfigurationDifference.Change? = nil
  ) {
    (self.address, self.field, self.label) = (address, field, label)
    (self.value, self.previous, self.change) = (value, previous, change)
  }

  package static let fields: Fields = [
    Field(
      "field", "The address, as --set accepts it; a user feature has a row of its own", column: "FIELD",
      overflow: .fieldAddress
    ) { $0.address },
    Field("label", "The label of the field, or the title of the feature", column: "LABEL") { $0.label },
    Field("type", "The field's type at IFTTT") { $0.field?.type },
    Field("required", "Whether the field must have a value") { $0.field?.isRequired ?? false },
    Field("hidden", "Whether IFTTT hides the field") { $0.field?.isHidden ?? false },
    Field("value", "The value; for a user feature, whether it is on") { $0.value },
    Field("shown", "The value as text", column: "VALUE", columnNumber: 4) { $0.shown },
    Field("previous_value", "The value before the change") { $0.previous },
    Field("change", "The kind of change; null if unchanged", column: "CHANGE") { $0.change },
  ]

  private var shown: String {
    if field == nil, case .bool(let isOn) = value { return isOn ? "on" : "off" }
    return value.asFieldValue
  }
}

extension ConfigurationDifference.Change: OutputValue {}

extension ConfigurationForm {
  /// A row for each user feature, followed by one for each of its fields with its value.
  var rows: [ConfigurationRow] {
    var reported: Set<Int> = []
    return entries.flatMap { entry -> [ConfigurationRow] in
      let row = ConfigurationRow(
        address: entry.address, field: entry.field, label: entry.field.label, value: entry.value)
      guard let instance = entry.location.instance, reported.insert(instance).inserted else { return [row] }
      let feature = configuration.features[instance]
      let head = ConfigurationRow(
        address: configuration.token(of: instance), label: connection.feature(feature.featureID)?.title,
        value: .bool(feature.isEnabled))
      return [head, row]
    }
  }

  /// A row for each difference. This form is the one before the change.
  func rows(of differences: [ConfigurationDifference], to wanted: UserConnection) -> [ConfigurationRow] {
    let new = ConfigurationForm(connection, wanted)
    return differences.map { difference in
      let field = difference.location.flatMap { (difference.change == .removed ? entry($0) : new.entry($0))?.field }
      return ConfigurationRow(
        address: difference.address, field: field, label: difference.label, value: difference.after,
        previous: difference.before, change: difference.change)
    }
  }
}

/// Help text that several commands and errors share.
package enum ConfigurationHelp {
  package static let credentials = keyOrToken + " Without a service key, only reading is possible, with the user token."
  /// For commands that only change something.
  package static let keyOrToken = """
    Uses the service key, on behalf of the user that --user-id names. --as user uses the user token instead.
    """
}

extension ConfigurationForm {
  /// Returns the field that an argument names.
  /// - Throws: `invalid_parameters` if it matches no field, or several.
  func named(_ word: String) throws -> Entry {
    do throws(FieldAddressError) { return try entry(named: word) } catch { throw Problem(error, kind: "field") }
  }

  /// Returns the user feature that an argument names.
  func feature(named word: String) throws -> Int {
    do throws(FieldAddressError) { return try instance(named: word) } catch { throw Problem(error, kind: "feature") }
  }
}

extension Problem {
  init(_ error: ConfigurationForm.FieldAddressError, kind: String) {
    switch error {
    case .unknown(let word, let all):
      let near = NearestNames.of(word, amongPaths: all)
      let shown = near.isEmpty ? all : near
      self.init(
        .invalidParameters, "there is no \(kind) '\(word)'",
        hint: shown.isEmpty
          ? "The connection has none."
          : "\(near.isEmpty ? "Available" : "Did you mean"): \(shown.joined(separator: ", ")).")
    case .ambiguous(let word, let meanings):
      self.init(
        .invalidParameters, "'\(word)' matches more than one \(kind)",
        hint: "Use one of: \(meanings.joined(separator: ", ")).")
    }
  }
}
