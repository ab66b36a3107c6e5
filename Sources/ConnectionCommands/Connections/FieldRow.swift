import IFTTT
import Output
import Session

/// An option that a field of a connection accepts, or a field without options.
struct FieldOptionRow: OutputRecord {
  let entry: ConfigurationForm.Entry
  let option: FieldValue.Option?

  static let fields: Fields = [
    Field("field", "The address of the field, as --set accepts it", column: "FIELD", overflow: .fieldAddress) {
      $0.entry.address
    },
    Field("feature", "The feature's id") { $0.entry.place.step.featureID },
    Field("step", "The step that the field belongs to; null for a field of the feature") {
      $0.entry.place.step.kind == .feature ? nil : $0.entry.place.step.typeID
    },
    Field("field_label", "The field's label") { $0.entry.field.label },
    Field("type", "The field's type at IFTTT") { $0.entry.field.type },
    Field("accepts", "The values that the field accepts", column: "ACCEPTS") { $0.entry.kind.accepted },
    Field("group", "The group of the option", column: "GROUP") { $0.option?.group },
    Field("label", "The option's label", column: "LABEL") { $0.option?.label },
    Field("value", "The option's value", column: "VALUE", overflow: .keep) { $0.option?.value },
    Field("chosen", "Whether the stored configuration has this option", column: "CHOSEN") { $0.isChosen },
  ]

  private var isChosen: Bool {
    guard let option else { return false }
    switch FieldValue(entry.value) {
    case .option(let chosen): return chosen.value == option.value
    case .text(let text): return text == option.value
    case .options(let chosen): return chosen.contains { $0.value == option.value }
    case .location, .other, nil: return false
    }
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
  func optionRows(_ options: FieldOptions?) -> [FieldOptionRow] {
    let options = options?.options[place.field] ?? []
    guard !options.isEmpty else { return [FieldOptionRow(entry: self, option: nil)] }
    return options.map { FieldOptionRow(entry: self, option: $0) }
  }
}
