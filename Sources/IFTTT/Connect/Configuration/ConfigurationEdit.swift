package import JSON

// Single changes to a user's configuration, as pure functions. All other parts stay unchanged.
extension UserConnection {
  /// Sets a field, or removes its value if `value` is nil. A feature without a user feature gets one, which is
  /// enabled.
  package mutating func set(_ place: ConfigurationForm.Place, to value: JSONValue?, in connection: Connection) {
    let index: Int
    if let instance = place.instance {
      index = instance
    } else if let feature = connection.feature(place.step.featureID) {
      index = add(feature)
    } else {
      return
    }
    let type = connection.feature(features[index].featureID)?.places.first { $0.step == place.step }?.fields.first {
      $0.id == place.field
    }?.type
    features[index].change(place.step) { fields in
      // A field without a value is sent back as received.
      guard let value else {
        return fields.removeAll { $0.id == place.field && !FieldValue.isNothing($0.value) }
      }
      if let at = fields.firstIndex(where: { $0.id == place.field }) {
        if !FieldValue.isSame(fields[at].value, value) { fields[at].value = value }
      } else {
        fields.append(UserField(id: place.field, type: type, value: value))
      }
    }
  }

  /// Adds another user feature of a feature, with the default values of its fields.
  /// - Returns: its index.
  @discardableResult
  package mutating func add(_ feature: Feature) -> Int {
    var new = UserFeature(id: nil, featureID: feature.id, enabledOnWire: true)
    for (step, fields) in feature.places {
      let values = fields.compactMap { field -> UserField? in
        guard !field.defaultValue.isNull else { return nil }
        return UserField(id: field.id, type: field.type, value: field.defaultValue)
      }
      if step.kind == .feature {
        new.fields = values
      } else if let id = step.stepID {
        new[step.kind].append(UserStep(id: nil, stepID: id, fields: values))
      }
    }
    features.append(new)
    return features.count - 1
  }

  package mutating func turn(_ index: Int, on isEnabled: Bool) {
    if features[index].isEnabled != isEnabled { features[index].enabledOnWire = isEnabled }
  }

  package mutating func remove(_ index: Int) { features.remove(at: index) }
}

extension UserFeature {
  fileprivate mutating func change(_ step: ConfigurationStep, _ change: (inout [UserField]) -> Void) {
    guard step.kind != .feature else { return change(&fields) }
    if let at = self[step.kind].firstIndex(where: { $0.stepID == step.stepID }) {
      change(&self[step.kind][at].fields)
    } else {
      var new = UserStep(id: nil, stepID: step.stepID)
      change(&new.fields)
      self[step.kind].append(new)
    }
  }
}
