package import JSON

/// A user's configuration together with the connection's definition: every field with its value and address.
package struct ConfigurationForm: Sendable {
  /// The position of a field: the index of its user feature, counted from 0, and its set of fields.
  package struct Place: Sendable, Hashable {
    /// Nil for a feature that was never configured.
    package var instance: Int?
    package var step: ConfigurationStep
    package var field: String
  }

  package struct Entry: Sendable, Equatable {
    package var place: Place
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
      let places = definition?.places ?? []
      for (step, fields) in feature.places(among: places) {
        let values = feature.values(of: step)
        let known = Set(fields.map(\.id))
        // A value whose field the feature no longer has stays in the configuration until it is removed.
        let strays = values.filter { !known.contains($0.id) }.map(Field.init(stray:))
        for field in fields + strays {
          entries.append(
            Entry(
              place: Place(instance: index, step: step, field: field.id), field: field,
              value: values.first { $0.id == field.id }?.value ?? .null, featureName: token,
              name: step.prefix(among: places.map(\.step)) + field.id))
        }
      }
    }
    for feature in connection.features where !configuration.features.contains(where: { $0.featureID == feature.id }) {
      for (step, fields) in feature.places {
        entries += fields.map { field in
          Entry(
            place: Place(instance: nil, step: step, field: field.id), field: field, value: .null,
            featureName: feature.id, name: step.prefix(among: feature.places.map(\.step)) + field.id)
        }
      }
    }
    self.entries = entries
  }

  package func entry(_ place: Place) -> Entry? { entries.first { $0.place == place } }
}

extension UserConnection {
  /// The canonical name of a user feature: its feature's id, with a number if there are several.
  package func token(of index: Int) -> String {
    let id = features[index].featureID
    guard let id else { return features[index].id ?? "#\(index + 1)" }
    let alike = features.indices.filter { features[$0].featureID == id }
    guard alike.count > 1, let place = alike.firstIndex(of: index) else { return id }
    return "\(id)#\(place + 1)"
  }

  /// All names of a user feature.
  package func names(of index: Int) -> [String] {
    let feature = features[index]
    let place = features[..<index].filter { $0.featureID == feature.featureID }.count + 1
    return [feature.id, feature.featureID, feature.featureID.map { "\($0)#\(place)" }].compactMap(\.self)
  }
}

extension UserFeature {
  /// The stored values of one set of fields.
  package func values(of step: ConfigurationStep) -> [UserField] {
    step.kind == .feature ? fields : self[step.kind].first { $0.stepID == step.stepID }?.fields ?? []
  }

  /// The places of the feature, followed by those that only the configuration has.
  fileprivate func places(
    among known: [(step: ConfigurationStep, fields: [Field])]
  ) -> [(step: ConfigurationStep, fields: [Field])] {
    var places = known
    for kind in ConfigurationStep.Kind.allCases {
      let steps = kind == .feature ? [nil] : self[kind].map(\.stepID)
      for stepID in steps where !known.contains(where: { $0.step.kind == kind && $0.step.stepID == stepID }) {
        guard kind == .feature || stepID != nil else { continue }
        let id = featureID ?? ""
        places.append((ConfigurationStep(kind: kind, featureID: id, stepID: stepID, typeID: stepID ?? id), []))
      }
    }
    return places
  }
}

extension ConfigurationStep {
  /// What precedes a field's id in its name: the step and a dot, or nothing for the feature's own fields.
  fileprivate func prefix(among others: [ConfigurationStep]) -> String {
    guard kind != .feature else { return "" }
    let isAlone = others.filter { $0.typeID == typeID }.count <= 1
    return "\(isAlone ? typeID : stepID ?? typeID)."
  }
}

extension Field {
  fileprivate init(stray field: UserField) {
    self.init(id: field.id, label: nil, type: field.type, isRequired: nil, isHidden: nil, defaultValue: .null)
  }
}
