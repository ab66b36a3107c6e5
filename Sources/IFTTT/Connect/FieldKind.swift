/// The type of value a field accepts (reference: connect-api.md, section 9).
package enum FieldKind: Sendable, Equatable {
  case text
  case textArea
  case select
  case groupedSelect
  case checkboxes
  case locationPoint
  case locationArea
  case locationEnter
  case locationExit
  case locationEnterOrExit
  /// An unknown kind, by its name in the response.
  case other(String)

  /// The two spellings of "enter or exit" are one kind (C10).
  package init(onWire name: String) {
    switch name {
    case "TEXT_FIELD": self = .text
    case "TEXT_AREA": self = .textArea
    case "COLLECTION_SELECT": self = .select
    case "DOUBLE_COLLECTION_SELECT": self = .groupedSelect
    case "CHECKBOX_MULTI": self = .checkboxes
    case "LOCATION_POINT": self = .locationPoint
    case "LOCATION_RADIUS": self = .locationArea
    case "LOCATION_ENTER": self = .locationEnter
    case "LOCATION_EXIT": self = .locationExit
    case "LOCATION_ENTER_OR_EXIT", "LOCATION_ENTER_AND_EXIT": self = .locationEnterOrExit
    default: self = .other(name)
    }
  }

  /// Infers the kind from a value, because old responses have no type; nil if the value's shape is inconclusive.
  package init?(of value: FieldValue) {
    switch value {
    case .text: self = .text
    case .option: self = .select
    case .options: self = .checkboxes
    case .location(let location): self = location.radius == nil ? .locationPoint : .locationArea
    case .other: return nil
    }
  }
}
