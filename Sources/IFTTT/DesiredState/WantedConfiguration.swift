import JSON

/// The configuration that a connection should have: the stored one, changed as its entry in a file says.
package struct WantedConfiguration {
  /// An error in a part of the entry.
  package struct Fault: Equatable {
    /// The position below the connection, such as `features[0].fields.scene`.
    package var place: String
    package var message: String
  }

  package private(set) var configuration: UserConnection
  package private(set) var faults: [Fault] = []
  /// The steps whose options are needed to read or check values, and are unknown.
  package private(set) var missingOptions: [ConfigurationStep] = []

  private let connection: Connection
  private let stored: UserConnection
  private let options: [ConfigurationStep: FieldOptions]
  /// The indices of user features, by the index of the file's features.
  private var places: [Int] = []

  /// - Parameters:
  ///   - connection: the connection as fetched, with a user's configuration.
  ///   - options: the known options of its fields.
  package init(
    _ desired: [DesiredFeature], of connection: Connection, _ options: [ConfigurationStep: FieldOptions] = [:]
  ) {
    (self.connection, self.options) = (connection, options)
    stored = connection.userConnection ?? UserConnection()
    configuration = stored
    pair(desired)
    guard faults.isEmpty else { return }
    let entries = Dictionary(grouping: ConfigurationForm(connection, configuration).entries) { $0.place.instance }
    for (index, feature) in desired.enumerated() { apply(feature, at: index, entries[places[index]] ?? []) }
    guard faults.isEmpty, missingOptions.isEmpty else { return }
    let removals = surplus(beyond: desired)
    // Nothing is sent, so nothing has to be valid.
    guard configuration != stored || !removals.isEmpty else { return }
    check(desired)
    for index in removals { configuration.remove(index) }
  }

  /// Finds the user feature of each entry, and adds those that are missing.
  private mutating func pair(_ desired: [DesiredFeature]) {
    var taken: [String: Int] = [:]
    for (index, feature) in desired.enumerated() {
      let alike = stored.features.indices.filter { stored.features[$0].featureID == feature.feature }
      let turn = taken[feature.feature, default: 0]
      taken[feature.feature] = turn + 1
      if turn < alike.count {
        places.append(alike[turn])
      } else if let definition = connection.feature(feature.feature) {
        places.append(configuration.add(definition))
      } else {
        let known = connection.features.map(\.id).joined(separator: ", ")
        faults.append(
          Fault(
            place: "features[\(index)].feature",
            message: known.isEmpty ? "the connection has no features" : "the connection's features are \(known)"))
      }
    }
  }

  /// - Parameter entries: the fields of its user feature.
  private mutating func apply(_ feature: DesiredFeature, at index: Int, _ entries: [ConfigurationForm.Entry]) {
    let instance = places[index]
    if let isEnabled = feature.isEnabled { configuration.turn(instance, on: isEnabled) }
    for (name, value) in feature.fields {
      let place = "features[\(index)].fields.\(name)"
      guard let entry = entries.first(where: { $0.name == name }) else {
        let known = entries.map(\.name).joined(separator: ", ")
        faults.append(
          Fault(
            place: place, message: known.isEmpty ? "the feature has no fields" : "the feature's fields are \(known)"))
        continue
      }
      guard !FileValue.isSame(value, asStored: entry.value) else { continue }
      set(entry, to: value, at: place)
    }
  }

  private mutating func set(_ entry: ConfigurationForm.Entry, to value: JSONValue, at place: String) {
    // Without the field, IFTTT could use its default value.
    if value == .array([]), entry.field.kind == .checkboxes {
      return configuration.set(entry.place, to: value, in: connection)
    }
    if FieldValue.isNothing(value) { return configuration.set(entry.place, to: nil, in: connection) }
    let step = entry.place.step
    if entry.field.kind?.takesOptions == true, options[step] == nil {
      if !missingOptions.contains(step) { missingOptions.append(step) }
      return
    }
    do throws(FieldValueError) {
      let accepted = options[step]?.options[entry.place.field] ?? []
      configuration.set(entry.place, to: try entry.field.value(of: value, accepted), in: connection)
    } catch {
      faults.append(Fault(place: place, message: error.words))
    }
  }

  /// Checks the whole configuration as `configure` does.
  private mutating func check(_ desired: [DesiredFeature]) {
    for fault in ConfigurationForm(connection, configuration).faults(since: stored, options) {
      let index = places.firstIndex { $0 == fault.entry.place.instance }
      // A user feature that the file does not name stays as it is, even if it lacks a value.
      guard let index else { continue }
      faults.append(
        Fault(place: "features[\(index)].fields.\(fault.entry.name)", message: fault.fault.words))
    }
  }

  /// The indices of user features beyond those that the file has for the same feature, the last first.
  private func surplus(beyond desired: [DesiredFeature]) -> [Int] {
    stored.features.indices.reversed().filter { index in
      guard !places.contains(index), let id = stored.features[index].featureID else { return false }
      return desired.contains { $0.feature == id }
    }
  }
}
