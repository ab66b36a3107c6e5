package import JSON

// Merging a stored and a target configuration, as pure functions. Anything on which both agree stays byte for byte as
// IFTTT sent it, so that sending back an unchanged configuration changes nothing.
extension UserConnection {
  /// This configuration, updated to match another.
  ///
  /// User features are matched by id, otherwise by their order within one feature. Ids that are unknown here, as in a
  /// file from another user, are skipped.
  package func merged(with target: UserConnection) -> UserConnection {
    let pairs = pairing(with: target)
    return UserConnection(
      features: target.features.indices.map { index in
        guard let storedIndex = pairs[index] else {
          var new = target.features[index]
          new.id = nil
          for kind in ConfigurationStep.Kind.allCases { new[kind] = new[kind].map { $0.withoutID } }
          return new
        }
        return features[storedIndex].merged(with: target.features[index])
      })
  }

  /// For each user feature of another configuration, the index of its counterpart in this one.
  package func pairing(with other: UserConnection) -> [Int?] {
    pairs(features, other.features, { $0.id }) { $0.featureID == $1.featureID }
  }
}

extension UserFeature {
  fileprivate func merged(with target: UserFeature) -> UserFeature {
    var merged = self
    if let enabled = target.enabledOnWire, enabled != isEnabled { merged.enabledOnWire = enabled }
    merged.featureID = featureID ?? target.featureID
    merged.fields = fields.merged(with: target.fields)
    for kind in ConfigurationStep.Kind.allCases {
      let (stored, new) = (self[kind], target[kind])
      let pairs = stored.pairing(with: new)
      merged[kind] = new.indices.map { index in
        guard let storedIndex = pairs[index] else { return new[index].withoutID }
        var step = stored[storedIndex]
        step.stepID = step.stepID ?? new[index].stepID
        step.fields = step.fields.merged(with: new[index].fields)
        return step
      }
    }
    return merged
  }
}

extension UserStep {
  fileprivate var withoutID: UserStep { stepID == nil ? self : UserStep(id: nil, stepID: stepID, fields: fields) }
}

extension [UserStep] {
  /// Matches steps as user features are matched: by id, then by the step of the feature, then by order.
  package func pairing(with other: [UserStep]) -> [Int?] {
    pairs(self, other, { $0.id }) { $0.stepID == $1.stepID && $0.stepID != nil }
  }
}

extension [UserField] {
  /// In the stored order, with new fields at the end.
  fileprivate func merged(with target: [UserField]) -> [UserField] {
    var merged: [UserField] = []
    for field in self {
      guard var new = target.first(where: { $0.id == field.id }) else { continue }
      if FieldValue.isSame(field.value, new.value) { new.value = field.value } else if new.value.isNull { continue }
      new.type = field.type ?? new.type
      merged.append(new)
    }
    return merged + target.filter { new in !new.value.isNull && !contains { $0.id == new.id } }
  }
}

/// For each element of `other`, the index of its partner in `stored`: the element with the same id, otherwise the first
/// similar element that is not matched by id.
private func pairs<Element>(
  _ stored: [Element], _ other: [Element], _ id: (Element) -> String?, _ areAlike: (Element, Element) -> Bool
) -> [Int?] {
  var taken: Set<Int> = []
  var partners = other.map { element -> Int? in
    guard let elementID = id(element), let match = stored.firstIndex(where: { id($0) == elementID }),
      taken.insert(match).inserted
    else { return nil }
    return match
  }
  for index in other.indices where partners[index] == nil {
    guard let match = stored.indices.first(where: { !taken.contains($0) && areAlike(stored[$0], other[index]) })
    else { continue }
    taken.insert(match)
    partners[index] = match
  }
  return partners
}

extension UserConnection {
  /// Whether two configurations are equivalent for IFTTT, whatever their spelling. User features and steps are
  /// matched by id, otherwise by their order within their kind. Values are compared as in
  /// ``FieldValue/isSame(_:_:)``.
  ///
  /// A configuration without user features is equivalent to nil.
  package static func isSame(_ a: UserConnection?, _ b: UserConnection?) -> Bool {
    let (a, b) = (a ?? UserConnection(), b ?? UserConnection())
    return isSame(a.features, b.features, pairs: a.pairing(with: b)) { $0.isSame(as: $1) }
  }

  /// Whether every element has an equivalent partner.
  fileprivate static func isSame<Element>(
    _ a: [Element], _ b: [Element], pairs: [Int?], _ areSame: (Element, Element) -> Bool
  ) -> Bool {
    a.count == b.count
      && zip(b, pairs).allSatisfy { element, index in index.map { areSame(a[$0], element) } ?? false }
  }
}

extension UserFeature {
  fileprivate func isSame(as other: UserFeature) -> Bool {
    idsMatch(id, other.id) && idsMatch(featureID, other.featureID) && isEnabled == other.isEnabled
      && fields.isSame(as: other.fields)
      && ConfigurationStep.Kind.allCases.allSatisfy { kind in
        UserConnection.isSame(self[kind], other[kind], pairs: self[kind].pairing(with: other[kind])) {
          idsMatch($0.id, $1.id) && idsMatch($0.stepID, $1.stepID) && $0.fields.isSame(as: $1.fields)
        }
      }
  }
}

extension [UserField] {
  /// A field without a value is equivalent to a missing field, and the order does not matter.
  fileprivate func isSame(as other: [UserField]) -> Bool {
    Set((self + other).map(\.id)).allSatisfy { id in
      FieldValue.isSame(first { $0.id == id }?.value, other.first { $0.id == id }?.value)
    }
  }
}

/// A missing id matches every id.
private func idsMatch(_ a: String?, _ b: String?) -> Bool { a == nil || b == nil || a == b }

// Single changes to a user's configuration, as pure functions. All other parts stay unchanged.
extension UserConnection {
  /// Sets a field, or removes its value if `value` is nil. A feature without a user feature gets one, which is
  /// enabled.
  package mutating func set(
    _ location: ConfigurationForm.FieldLocation, to value: JSONValue?, in connection: Connection
  ) {
    let index: Int
    if let instance = location.instance {
      index = instance
    } else if let feature = connection.feature(location.step.featureID) {
      index = add(feature)
    } else {
      return
    }
    let type = connection.feature(features[index].featureID)?.fieldGroups.first { $0.step == location.step }?.fields
      .first {
        $0.id == location.field
      }?.type
    features[index].change(location.step) { fields in
      // A field without a value is sent back as received.
      guard let value else {
        return fields.removeAll { $0.id == location.field && !FieldValue.isNothing($0.value) }
      }
      if let fieldIndex = fields.firstIndex(where: { $0.id == location.field }) {
        if !FieldValue.isSame(fields[fieldIndex].value, value) { fields[fieldIndex].value = value }
      } else {
        fields.append(UserField(id: location.field, type: type, value: value))
      }
    }
  }

  /// Adds another user feature of a feature, with the default values of its fields.
  /// - Returns: its index.
  @discardableResult
  package mutating func add(_ feature: Feature) -> Int {
    var new = UserFeature(id: nil, featureID: feature.id, enabledOnWire: true)
    for (step, fields) in feature.fieldGroups {
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

  package mutating func setEnabled(_ index: Int, to isEnabled: Bool) {
    if features[index].isEnabled != isEnabled { features[index].enabledOnWire = isEnabled }
  }

  package mutating func remove(_ index: Int) { features.remove(at: index) }
}

extension UserFeature {
  fileprivate mutating func change(_ step: ConfigurationStep, _ change: (inout [UserField]) -> Void) {
    guard step.kind != .feature else { return change(&fields) }
    if let stepIndex = self[step.kind].firstIndex(where: { $0.stepID == step.stepID }) {
      change(&self[step.kind][stepIndex].fields)
    } else {
      var new = UserStep(id: nil, stepID: step.stepID)
      change(&new.fields)
      self[step.kind].append(new)
    }
  }
}
