import CommandContext
import Connect
import Display
import JSON

extension OutputSchema {
  /// The options that each field of a connection accepts, one row per option.
  static var fieldOptions: OutputSchema {
    OutputSchema(
      name: "connections-options",
      record: RecordSchema([
        "field": .string, "feature": .string, "step": .optionalString, "field_label": .optionalString,
        "type": .optionalString, "accepts": .string, "group": .optionalString, "label": .optionalString,
        "value": .optionalString, "chosen": .bool,
      ]),
      columns: [
        Column("FIELD", "field", overflow: .fieldAddress), Column("ACCEPTS", "accepts"), Column("GROUP", "group"),
        Column("LABEL", "label"), Column("VALUE", "value", overflow: .keep), Column("CHOSEN", "chosen"),
      ])
  }
}

extension Column.Overflow {
  /// Elides the middle: an address starts with the feature and ends with the field, which identify it.
  static var fieldAddress: Column.Overflow { .elide(least: 30) }
}

extension FieldKind {
  /// The values that `--set` accepts, for people.
  var accepted: String {
    switch self {
    case .text: "text"
    case .textArea: "multi-line text"
    case .select, .groupedSelect: "an option"
    case .checkboxes: "options"
    case .locationPoint: "lat,lng"
    case .locationArea, .locationEnter, .locationExit, .locationEnterOrExit: "lat,lng,radius"
    case .other(let name): "\(name), as JSON"
    }
  }
}

extension ConfigurationForm.Entry {
  var kind: FieldKind { field.kind ?? .text }

  /// One row per option, or one row for a field without options.
  func optionRows(_ options: FieldOptions?) -> [[UInt8]] {
    let options = options?.options[place.field] ?? []
    return options.isEmpty ? [row(nil)] : options.map(row)
  }

  private func row(_ option: FieldValue.Option?) -> [UInt8] {
    let row: JSONValue = [
      "field": .string(address), "feature": .string(place.step.featureID),
      "step": place.step.kind == .feature ? .null : .string(place.step.typeID), "field_label": JSONValue(field.label),
      "type": JSONValue(field.type), "accepts": .string(kind.accepted), "group": JSONValue(option?.group),
      "label": JSONValue(option?.label), "value": JSONValue(option?.value), "chosen": .bool(isChosen(option)),
    ]
    return row.bytes
  }

  private func isChosen(_ option: FieldValue.Option?) -> Bool {
    guard let option else { return false }
    switch FieldValue(value) {
    case .option(let chosen): return chosen.value == option.value
    case .text(let text): return text == option.value
    case .options(let chosen): return chosen.contains { $0.value == option.value }
    case .location, .other, nil: return false
    }
  }
}
