package import JSON

/// A user's configuration together with the connection's definition: every field with its value and address.
package struct ConfigurationForm: Sendable {
  /// The location of a field: the index of its user feature, counted from 0, and its set of fields.
  package struct FieldLocation: Sendable, Hashable {
    /// Nil for a feature that was never configured.
    package var instance: Int?
    package var step: ConfigurationStep
    package var field: String
  }

  package struct Entry: Sendable, Equatable {
    package var location: FieldLocation
    package var field: Field
    /// Null if absent.
    package var value: JSONValue
    /// The name of the user feature, or of a feature that was never configured.
    package var featureName: String
    /// The name within the feature: the field's id, for a field of a step after the step's name and a dot.
    package var name: String
    /// The canonical address, which is shown.
    package var address: String { "\(featureName).\(name)" }
  }

  package let connection: Connection
  package let configuration: UserConnection
  /// In the order of a form: each user feature, then the features that were never configured.
  package let entries: [Entry]

  package init(_ connection: Connection, _ configuration: UserConnection) {
    (self.connection, self.configuration) = (connection, configuration)
    var entries: [Entry] = []
    for (index, feature) in configuration.features.enumerated() {
      let token = configuration.token(of: index)
      let definition = connection.feature(feature.featureID)
      let groups = definition?.fieldGroups ?? []
      for (step, fields) in feature.fieldGroups(among: groups) {
        let values = feature.values(of: step)
        let known = Set(fields.map(\.id))
        // A value whose field the feature no longer has stays in the configuration until it is removed.
        let unlisted = values.filter { !known.contains($0.id) }.map(Field.init(unlisted:))
        for field in fields + unlisted {
          entries.append(
            Entry(
              location: FieldLocation(instance: index, step: step, field: field.id), field: field,
              value: values.first { $0.id == field.id }?.value ?? .null, featureName: token,
              name: step.prefix(among: groups.map(\.step)) + field.id))
        }
      }
    }
    for feature in connection.features where !configuration.features.contains(where: { $0.featureID == feature.id }) {
      for (step, fields) in feature.fieldGroups {
        entries += fields.map { field in
          Entry(
            location: FieldLocation(instance: nil, step: step, field: field.id), field: field, value: .null,
            featureName: feature.id, name: step.prefix(among: feature.fieldGroups.map(\.step)) + field.id)
        }
      }
    }
    self.entries = entries
  }

  package func entry(_ location: FieldLocation) -> Entry? { entries.first { $0.location == location } }
}

extension UserConnection {
  /// The canonical name of a user feature: its feature's id, with a number if there are several.
  package func token(of index: Int) -> String {
    let id = features[index].featureID
    guard let id else { return features[index].id ?? "#\(index + 1)" }
    let sameFeature = features.indices.filter { features[$0].featureID == id }
    guard sameFeature.count > 1, let occurrence = sameFeature.firstIndex(of: index) else { return id }
    return "\(id)#\(occurrence + 1)"
  }

  /// All names of a user feature.
  package func names(of index: Int) -> [String] {
    let feature = features[index]
    let occurrence = features[..<index].filter { $0.featureID == feature.featureID }.count + 1
    return [feature.id, feature.featureID, feature.featureID.map { "\($0)#\(occurrence)" }].compactMap(\.self)
  }
}

extension UserFeature {
  /// The stored values of one set of fields.
  package func values(of step: ConfigurationStep) -> [UserField] {
    step.kind == .feature ? fields : self[step.kind].first { $0.stepID == step.stepID }?.fields ?? []
  }

  /// The field groups of the feature, followed by the groups that only the configuration has.
  fileprivate func fieldGroups(
    among known: [(step: ConfigurationStep, fields: [Field])]
  ) -> [(step: ConfigurationStep, fields: [Field])] {
    var groups = known
    for kind in ConfigurationStep.Kind.allCases {
      let steps = kind == .feature ? [nil] : self[kind].map(\.stepID)
      for stepID in steps where !known.contains(where: { $0.step.kind == kind && $0.step.stepID == stepID }) {
        guard kind == .feature || stepID != nil else { continue }
        let id = featureID ?? ""
        groups.append((ConfigurationStep(kind: kind, featureID: id, stepID: stepID, typeID: stepID ?? id), []))
      }
    }
    return groups
  }
}

extension ConfigurationStep {
  /// The part of a field's name before its id: the step and a dot, or nothing for the feature's own fields.
  fileprivate func prefix(among others: [ConfigurationStep]) -> String {
    guard kind != .feature else { return "" }
    let isAlone = others.filter { $0.typeID == typeID }.count <= 1
    return "\(isAlone ? typeID : stepID ?? typeID)."
  }
}

extension Field {
  fileprivate init(unlisted field: UserField) {
    self.init(id: field.id, label: nil, type: field.type, isRequired: nil, isHidden: nil, defaultValue: .null)
  }
}

extension ConfigurationForm {
  /// The reason why an argument does not name exactly one field or user feature.
  package enum FieldAddressError: Error, Equatable {
    case unknown(String, near: [String])
    /// The possible meanings, each with a unique name.
    case ambiguous(String, [String])
  }

  /// The field with the given address: `FEATURE.FIELD` or `FEATURE.STEP.FIELD`. FEATURE is a feature's id, `ID#2` for
  /// the second of its user features, or a user feature's id. STEP is `service.slug`, `slug` or the step's id. Parts
  /// may be omitted if the rest is unambiguous.
  /// - Throws: ``FieldAddressError``.
  package func entry(named word: String) throws(FieldAddressError) -> Entry {
    for names in [fullNames, shortNames] {
      let matches = entries.filter { names($0).contains(word) }
      if matches.count == 1 { return matches[0] }
      if matches.count > 1 { throw .ambiguous(word, matches.map(\.address)) }
    }
    throw .unknown(word, near: entries.map(\.address))
  }

  /// The index of the user feature with the given name.
  package func instance(named word: String) throws(FieldAddressError) -> Int {
    let indices = configuration.features.indices
    let matches = indices.filter { configuration.names(of: $0).contains(word) }
    if matches.count == 1 { return matches[0] }
    if matches.count > 1 { throw .ambiguous(word, matches.map(configuration.token)) }
    throw .unknown(word, near: indices.map(configuration.token))
  }

  private func features(of entry: Entry) -> [String] {
    entry.location.instance.map(configuration.names) ?? [
      entry.location.step.featureID, "\(entry.location.step.featureID)#1",
    ]
  }

  private func steps(of entry: Entry) -> [String] {
    let step = entry.location.step
    guard step.kind != .feature else { return [] }
    // `service.slug` also matches its slug.
    let slug = step.typeID.firstIndex(of: ".").map { String(step.typeID[step.typeID.index(after: $0)...]) }
    return [step.typeID, slug, step.stepID].compactMap(\.self)
  }

  private func fullNames(_ entry: Entry) -> [String] {
    let (steps, field) = (steps(of: entry), entry.location.field)
    return features(of: entry).flatMap { feature in
      steps.isEmpty ? ["\(feature).\(field)"] : steps.map { "\(feature).\($0).\(field)" }
    }
  }

  private func shortNames(_ entry: Entry) -> [String] {
    let field = entry.location.field
    return features(of: entry).map { "\($0).\(field)" } + steps(of: entry).map { "\($0).\(field)" } + [field]
  }

  /// One field with an invalid value.
  package struct Fault: Sendable, Equatable {
    package var entry: Entry
    package var fault: FieldValueError
  }

  /// Problems that prevent sending the configuration: required fields without a value, values that are not among the
  /// options, and invalid locations (docs/api/activation.md §11). Only enabled user features are checked.
  ///
  /// - Parameters:
  ///   - stored: IFTTT's configuration. Unchanged values are only checked for being required.
  ///   - options: the known options. The options of a step that is missing here are not checked.
  package func faults(since stored: UserConnection, _ options: [ConfigurationStep: FieldOptions]) -> [Fault] {
    evaluated(since: stored, options, isTouched: true).compactMap { entry, fault in
      fault.map { Fault(entry: entry, fault: $0) }
    }
  }

  /// Stored values of dropdowns and checkboxes that are no longer among the options and were not changed.
  package func outdated(since stored: UserConnection, _ options: [ConfigurationStep: FieldOptions]) -> [Fault] {
    evaluated(since: stored, options, isTouched: false).compactMap { entry, fault in
      guard let fault, case .noOption = fault else { return nil }
      return Fault(entry: entry, fault: fault)
    }
  }

  private func evaluated(
    since stored: UserConnection, _ options: [ConfigurationStep: FieldOptions], isTouched: Bool
  ) -> [(Entry, FieldValueError?)] {
    let pairs = stored.pairing(with: configuration)
    return entries.compactMap { entry in
      guard let instance = entry.location.instance, configuration.features[instance].isEnabled else { return nil }
      let before = pairs[instance].map { stored.features[$0].values(of: entry.location.step) } ?? []
      let old = before.first { $0.id == entry.location.field }
      let isSame = old.map { FieldValue.isSame($0.value, entry.value) } ?? false
      if entry.field.isRequired == true, entry.isEmpty {
        return isTouched ? (entry, FieldValueError.needsValue) : nil
      }
      guard isSame != isTouched, !entry.isEmpty else { return nil }
      return (entry, entry.fault(options[entry.location.step]))
    }
  }
}

extension ConfigurationForm.Entry {
  /// Whether it has no value.
  package var isEmpty: Bool {
    switch FieldValue(value) {
    case nil: true
    case .text(let text): text.isEmpty
    case .options(let options): options.isEmpty
    case .option(let option): option.value.isEmpty
    case .location, .other: false
    }
  }

  /// The reason why the value is invalid for the field; nil if it is valid.
  /// - Parameter options: the options of the step; nil if they are unknown.
  fileprivate func fault(_ options: FieldOptions?) -> FieldValueError? {
    let kind = field.kind ?? .text
    if kind.takesOptions {
      guard let options else { return nil }
      let valid = options.options[location.field] ?? []
      let values: [String]
      switch FieldValue(value) {
      case .option(let option): values = [option.value]
      case .text(let text): values = [text]
      case .options(let options): values = options.map(\.value)
      case .location, .other, nil: return .noOption(value.text, valid)
      }
      let unlisted = values.first { value in !valid.contains { $0.value == value } }
      return unlisted.map { FieldValueError.noOption($0, valid) }
    }
    do throws(FieldValueError) { try kind.check(value) } catch { return error }
    return nil
  }
}
