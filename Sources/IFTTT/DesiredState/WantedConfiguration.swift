import JSON

/// The configuration that a connection should have: the stored configuration with the changes of its entry in a file.
package struct WantedConfiguration {
  /// An error in a part of the entry.
  package struct Fault: Equatable {
    /// The path below the connection, such as `features[0].fields.scene`.
    package var path: String
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
  private var instanceIndices: [Int] = []

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
    let entries = Dictionary(grouping: ConfigurationForm(connection, configuration).entries) { $0.location.instance }
    for (index, feature) in desired.enumerated() { apply(feature, at: index, entries[instanceIndices[index]] ?? []) }
    guard faults.isEmpty, missingOptions.isEmpty else { return }
    let removals = surplus(beyond: desired)
    // Nothing is sent, so nothing has to be valid.
    guard configuration != stored || !removals.isEmpty else { return }
    check(desired)
    for index in removals { configuration.remove(index) }
  }

  /// Finds the user feature of each entry, and adds missing user features.
  private mutating func pair(_ desired: [DesiredFeature]) {
    var taken: [String: Int] = [:]
    for (index, feature) in desired.enumerated() {
      let sameFeature = stored.features.indices.filter { stored.features[$0].featureID == feature.feature }
      let occurrence = taken[feature.feature, default: 0]
      taken[feature.feature] = occurrence + 1
      if occurrence < sameFeature.count {
        instanceIndices.append(sameFeature[occurrence])
      } else if let definition = connection.feature(feature.feature) {
        instanceIndices.append(configuration.add(definition))
      } else {
        let known = connection.features.map(\.id).joined(separator: ", ")
        faults.append(
          Fault(
            path: "features[\(index)].feature",
            message: known.isEmpty ? "the connection has no features" : "the connection's features are \(known)"))
      }
    }
  }

  /// - Parameter entries: the fields of its user feature.
  private mutating func apply(_ feature: DesiredFeature, at index: Int, _ entries: [ConfigurationForm.Entry]) {
    let instance = instanceIndices[index]
    if let isEnabled = feature.isEnabled { configuration.setEnabled(instance, to: isEnabled) }
    for (name, value) in feature.fields {
      let path = "features[\(index)].fields.\(name)"
      guard let entry = entries.first(where: { $0.name == name }) else {
        let known = entries.map(\.name).joined(separator: ", ")
        faults.append(
          Fault(
            path: path, message: known.isEmpty ? "the feature has no fields" : "the feature's fields are \(known)"))
        continue
      }
      guard !FileValue.isSame(value, asStored: entry.value) else { continue }
      set(entry, to: value, at: path)
    }
  }

  private mutating func set(_ entry: ConfigurationForm.Entry, to value: JSONValue, at path: String) {
    // Without the field, IFTTT could use its default value.
    if value == .array([]), entry.field.kind == .checkboxes {
      return configuration.set(entry.location, to: value, in: connection)
    }
    if FieldValue.isNothing(value) { return configuration.set(entry.location, to: nil, in: connection) }
    let step = entry.location.step
    if entry.field.kind?.takesOptions == true, options[step] == nil {
      if !missingOptions.contains(step) { missingOptions.append(step) }
      return
    }
    do throws(FieldValueError) {
      let accepted = options[step]?.options[entry.location.field] ?? []
      configuration.set(entry.location, to: try entry.field.value(of: value, accepted), in: connection)
    } catch {
      faults.append(Fault(path: path, message: error.description))
    }
  }

  /// Checks the whole configuration as `configure` does.
  private mutating func check(_ desired: [DesiredFeature]) {
    for fault in ConfigurationForm(connection, configuration).faults(since: stored, options) {
      let index = instanceIndices.firstIndex { $0 == fault.entry.location.instance }
      // A user feature that the file does not name stays as it is, even if it lacks a value.
      guard let index else { continue }
      faults.append(
        Fault(path: "features[\(index)].fields.\(fault.entry.name)", message: fault.fault.description))
    }
  }

  /// The indices of user features beyond those that the file has for the same feature, the last first.
  private func surplus(beyond desired: [DesiredFeature]) -> [Int] {
    stored.features.indices.reversed().filter { index in
      guard !instanceIndices.contains(index), let id = stored.features[index].featureID else { return false }
      return desired.contains { $0.feature == id }
    }
  }
}
