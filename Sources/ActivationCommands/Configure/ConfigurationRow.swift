import Batch
package import CommandContext
import Connect
import Display
import JSON

extension OutputSchema {
  /// The fields of a connection with their values, or the changes to them.
  package static var configuration: OutputSchema {
    let row = """
      "type": "object",
      "properties": {
        "field": { "description": "As --set names it; a user feature stands for itself.", "type": "string" },
        "label": { "type": ["string", "null"] },
        "type": { "type": ["string", "null"] },
        "required": { "type": "boolean" },
        "hidden": { "type": "boolean" },
        "value": { "description": "Of a user feature, whether it is on." },
        "shown": { "description": "The value in words.", "type": "string" },
        "previous_value": { "description": "What it was before a change." },
        "change": { "enum": ["added", "changed", "removed", null] }
      },
      "required": ["field", "label", "type", "required", "hidden", "value", "shown", "previous_value", "change"],
      "additionalProperties": false
      """
    let start = #""$schema": "https://json-schema.org/draft/2020-12/schema", "title":"#
    return OutputSchema(
      name: "configure",
      record: RecordSchema(
        one: #"{ \#(start) "A field", \#(row) }"#,
        list: #"{ \#(start) "Fields", "type": "array", "items": { \#(row) } }"#),
      columns: [
        Column("FIELD", "field", overflow: .fieldAddress), Column("LABEL", "label"), Column("CHANGE", "change"),
        Column("VALUE", "shown"),
      ])
  }
}

/// A row of ``OutputSchema/configuration``.
struct ConfigurationRow {
  var address: String
  var field: Field?
  var label: String?
  var value: JSONValue
  var previous = JSONValue.null
  var change: ConfigurationDifference.Change?

  private var shown: String {
    if field == nil, case .bool(let isOn) = value { return isOn ? "on" : "off" }
    return value.asFieldValue
  }

  var bytes: [UInt8] {
    let row: JSONValue = [
      "field": .string(address), "label": JSONValue(label), "type": JSONValue(field?.type),
      "required": .bool(field?.isRequired ?? false), "hidden": .bool(field?.isHidden ?? false), "value": value,
      "shown": .string(shown), "previous_value": previous, "change": JSONValue(change?.rawValue),
    ]
    return row.bytes
  }
}

extension ConfigurationForm {
  /// A row for each user feature, followed by one for each of its fields with its value.
  var rows: [[UInt8]] {
    var told: Set<Int> = []
    return entries.flatMap { entry -> [[UInt8]] in
      let row = ConfigurationRow(
        address: entry.address, field: entry.field, label: entry.field.label, value: entry.value
      ).bytes
      guard let instance = entry.place.instance, told.insert(instance).inserted else { return [row] }
      let feature = configuration.features[instance]
      let head = ConfigurationRow(
        address: configuration.token(of: instance), label: connection.feature(feature.featureID)?.title,
        value: .bool(feature.isEnabled))
      return [head.bytes, row]
    }
  }

  /// A row for each difference. This form is the one before the change.
  func rows(of differences: [ConfigurationDifference], to wanted: UserConnection) -> [[UInt8]] {
    let new = ConfigurationForm(connection, wanted)
    return differences.map { difference in
      let field = difference.place.flatMap { (difference.change == .removed ? entry($0) : new.entry($0))?.field }
      return ConfigurationRow(
        address: difference.address, field: field, label: difference.label, value: difference.after,
        previous: difference.before, change: difference.change
      ).bytes
    }
  }
}

extension ConfigurationDifference {
  /// One line for people, without the heading.
  var words: String {
    let name = label.map { "\(address) (\($0))" } ?? address
    var (old, new) = (shown(before), shown(after))
    // Two options may have the same name, or two locations the same address.
    if change == .changed, old == new { (old, new) = (spelt(before), spelt(after)) }
    switch change {
    case .added: return new.isEmpty ? name : "\(name): \(new)"
    case .changed: return "\(name): \(old) → \(new)"
    case .removed: return old.isEmpty ? name : "\(name): \(old)"
    }
  }

  private func spelt(_ value: JSONValue) -> String {
    guard let option = value["value"]?.string else { return value.string ?? value.text }
    return "\(value.asFieldValue) (\(option))"
  }

  private func shown(_ value: JSONValue) -> String {
    if case .bool(let isOn) = value { return place == nil ? (isOn ? "on" : "off") : value.text }
    return value.asFieldValue
  }
}
