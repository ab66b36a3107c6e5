package import JSON

/// One difference between two configurations of a user.
package struct ConfigurationDifference: Sendable, Equatable {
  package enum Change: String, Sendable, CaseIterable { case added, changed, removed }

  package var change: Change
  /// The address of the field, user feature or step.
  package var address: String
  package var label: String?
  /// Nil for a user feature or a step.
  package var location: ConfigurationForm.FieldLocation?
  /// Null if absent. For a user feature, whether it is enabled.
  package var before: JSONValue
  package var after: JSONValue
}

extension ConfigurationForm {
  /// The changes from this configuration to another, in the order of the form.
  package func differences(to target: UserConnection) -> [ConfigurationDifference] {
    let new = ConfigurationForm(connection, target)
    let pairs = configuration.pairing(with: target)
    var differences: [ConfigurationDifference] = []
    for (index, pair) in pairs.enumerated() {
      differences += new.differences(of: index, since: pair, of: self)
    }
    for index in configuration.features.indices where !pairs.contains(index) {
      differences.append(feature(index, .removed, before: .bool(configuration.features[index].isEnabled), after: .null))
      differences += entries.filter { $0.location.instance == index && !FieldValue.isNothing($0.value) }.map {
        $0.difference(.removed, before: $0.value, after: .null)
      }
    }
    return differences
  }

  /// The changes of one user feature.
  /// - Parameter oldIndex: its index in the old configuration; nil if it was added.
  private func differences(
    of index: Int, since oldIndex: Int?, of old: ConfigurationForm
  ) -> [ConfigurationDifference] {
    let isEnabled = configuration.features[index].isEnabled
    var differences: [ConfigurationDifference] = []
    if let oldIndex {
      let wasEnabled = old.configuration.features[oldIndex].isEnabled
      if wasEnabled != isEnabled {
        differences.append(feature(index, .changed, before: .bool(wasEnabled), after: .bool(isEnabled)))
      }
    } else {
      differences.append(feature(index, .added, before: .null, after: .bool(isEnabled)))
    }
    for entry in entries where entry.location.instance == index {
      let stored = oldIndex.flatMap { old.value(of: entry.location, in: $0) }
      let isPresent = value(of: entry.location, in: index) != nil
      switch (stored, isPresent) {
      // An empty list of checkboxes counts as a missing value, so setting it is a removal.
      case (nil, true) where entry.value == .array([]), (.array([]), false): break
      case (let stored?, true) where entry.value == .array([]) && !FieldValue.isNothing(stored):
        differences.append(entry.difference(.removed, before: stored, after: entry.value))
      case (nil, true): differences.append(entry.difference(.added, before: .null, after: entry.value))
      case (let stored?, false): differences.append(entry.difference(.removed, before: stored, after: .null))
      case (let stored?, true) where !FieldValue.isSame(stored, entry.value):
        differences.append(entry.difference(.changed, before: stored, after: entry.value))
      default: break
      }
    }
    if let oldIndex {
      differences += steps(of: index, since: old.configuration.features[oldIndex], oldIndex, of: old)
    }
    // Fields that only the old configuration has.
    if let oldIndex {
      let rest = old.entries.filter { entry in
        entry.location.instance == oldIndex && entry.value != .array([])
          && !entries.contains {
            $0.location.instance == index && $0.location.step == entry.location.step
              && $0.location.field == entry.location.field
          }
      }
      differences += rest.map { $0.difference(.removed, before: $0.value, after: .null) }
    }
    return differences
  }

  /// Added and removed steps without fields, which no field difference would show.
  private func steps(
    of index: Int, since stored: UserFeature, _ oldIndex: Int, of old: ConfigurationForm
  ) -> [ConfigurationDifference] {
    ConfigurationStep.Kind.allCases.flatMap { kind -> [ConfigurationDifference] in
      let (stored, new) = (stored[kind], configuration.features[index][kind])
      let pairs = stored.pairing(with: new)
      let removed = stored.indices.filter { !pairs.contains($0) && stored[$0].fields.isEmpty }.map {
        old.step(stored[$0], kind, of: oldIndex, .removed)
      }
      return removed
        + new.indices.filter { pairs[$0] == nil && new[$0].fields.isEmpty }.map {
          step(new[$0], kind, of: index, .added)
        }
    }
  }

  private func step(
    _ step: UserStep, _ kind: ConfigurationStep.Kind, of index: Int, _ change: ConfigurationDifference.Change
  ) -> ConfigurationDifference {
    let definition = connection.feature(configuration.features[index].featureID)?[kind].first { $0.id == step.stepID }
    let name = definition?.prefixedID ?? step.stepID ?? step.id ?? ""
    return ConfigurationDifference(
      change: change, address: "\(configuration.token(of: index)).\(name)", label: definition?.label, location: nil,
      before: .null, after: .null)
  }

  /// The value of a field; nil if the user feature does not have the field at all.
  private func value(of location: FieldLocation, in index: Int) -> JSONValue? {
    configuration.features[index].values(of: location.step).first { $0.id == location.field }?.value
  }

  private func feature(
    _ index: Int, _ change: ConfigurationDifference.Change, before: JSONValue, after: JSONValue
  ) -> ConfigurationDifference {
    ConfigurationDifference(
      change: change, address: configuration.token(of: index),
      label: connection.feature(configuration.features[index].featureID)?.title, location: nil, before: before,
      after: after)
  }
}

extension ConfigurationForm.Entry {
  fileprivate func difference(
    _ change: ConfigurationDifference.Change, before: JSONValue, after: JSONValue
  ) -> ConfigurationDifference {
    ConfigurationDifference(
      change: change, address: address, label: field.label, location: location, before: before, after: after)
  }
}

extension ConfigurationDifference {
  /// Whether only the address or map of a location differs. IFTTT may fill those in; the location itself is as
  /// requested.
  package var isOnlyLocationText: Bool {
    guard case .location(let a)? = FieldValue(before), case .location(let b)? = FieldValue(after) else { return false }
    return a.isAt(b)
  }
}
