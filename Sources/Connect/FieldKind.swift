/// What sort of value a field takes (reference: connect-api.md, section 9).
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
  /// A kind that nobody knows yet, by its name on the wire.
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

  /// Worked out from a value, where an older answer has no type; nil where its shape says nothing.
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
