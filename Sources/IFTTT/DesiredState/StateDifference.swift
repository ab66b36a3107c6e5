package import JSON

/// One difference between the desired and the present state of a connection.
package struct StateDifference: Sendable, Equatable {
  package enum Change: String, Sendable, CaseIterable { case added, changed, removed, enabled, disabled }

  package var id: String
  /// The address of the field or user feature; nil for the status of the connection.
  package var field: String?
  package var label: String?
  package var change: Change
  /// As a file shows it. Null if it is missing.
  package var wanted: JSONValue
  package var present: JSONValue
  /// The difference of the settings; nil for the status.
  package private(set) var setting: ConfigurationDifference?

  package init(
    id: String, field: String? = nil, label: String? = nil, change: Change, wanted: JSONValue, present: JSONValue
  ) {
    (self.id, self.field, self.label, self.change) = (id, field, label, change)
    (self.wanted, self.present) = (wanted, present)
  }
}

extension StateDifference {
  init(_ difference: ConfigurationDifference, of id: String) {
    self.init(
      id: id, field: difference.address, label: difference.label, change: Change(difference),
      wanted: difference.after.inFile, present: difference.before.inFile)
    setting = difference
  }
}

extension StateDifference.Change {
  /// A user feature that stays is enabled or disabled.
  fileprivate init(_ difference: ConfigurationDifference) {
    switch difference.change {
    case .added: self = .added
    case .removed: self = .removed
    case .changed:
      let isFeature = difference.place == nil
      self = isFeature ? (difference.after == true ? .enabled : .disabled) : .changed
    }
  }
}

extension JSONValue {
  fileprivate var inFile: JSONValue { FileValue(self)?.json ?? .null }
}
