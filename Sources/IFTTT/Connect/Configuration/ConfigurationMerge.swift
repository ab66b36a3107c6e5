import JSON

// Merging a stored and a wanted configuration, as pure functions. Anything on which both agree stays byte for byte as
// IFTTT sent it, so that sending back an unchanged configuration changes nothing.
extension UserConnection {
  /// This configuration, updated to match another.
  ///
  /// User features are matched by id, otherwise by their order within one feature. Ids that are unknown here, as in a
  /// file from another user, are dropped.
  package func merged(with wanted: UserConnection) -> UserConnection {
    let pairs = pairing(with: wanted)
    return UserConnection(
      features: wanted.features.indices.map { index in
        guard let place = pairs[index] else {
          var new = wanted.features[index]
          new.id = nil
          for kind in ConfigurationStep.Kind.allCases { new[kind] = new[kind].map { $0.withoutID } }
          return new
        }
        return features[place].merged(with: wanted.features[index])
      })
  }

  /// For each user feature of another configuration, the index of its counterpart in this one.
  package func pairing(with other: UserConnection) -> [Int?] {
    pairs(features, other.features, { $0.id }) { $0.featureID == $1.featureID }
  }
}

extension UserFeature {
  fileprivate func merged(with wanted: UserFeature) -> UserFeature {
    var merged = self
    if let enabled = wanted.enabledOnWire, enabled != isEnabled { merged.enabledOnWire = enabled }
    merged.featureID = featureID ?? wanted.featureID
    merged.fields = fields.merged(with: wanted.fields)
    for kind in ConfigurationStep.Kind.allCases {
      let (stored, new) = (self[kind], wanted[kind])
      let pairs = stored.pairing(with: new)
      merged[kind] = new.indices.map { index in
        guard let place = pairs[index] else { return new[index].withoutID }
        var step = stored[place]
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
  fileprivate func merged(with wanted: [UserField]) -> [UserField] {
    var merged: [UserField] = []
    for field in self {
      guard var new = wanted.first(where: { $0.id == field.id }) else { continue }
      if FieldValue.isSame(field.value, new.value) { new.value = field.value } else if new.value.isNull { continue }
      new.type = field.type ?? new.type
      merged.append(new)
    }
    return merged + wanted.filter { new in !new.value.isNull && !contains { $0.id == new.id } }
  }
}

/// For each element of `other`, the index of its partner in `stored`: the one with the same id, otherwise the first
/// similar one that is not matched by id.
private func pairs<Element>(
  _ stored: [Element], _ other: [Element], _ id: (Element) -> String?, _ areAlike: (Element, Element) -> Bool
) -> [Int?] {
  var taken: Set<Int> = []
  var found = other.map { element -> Int? in
    guard let wanted = id(element), let place = stored.firstIndex(where: { id($0) == wanted }),
      taken.insert(place).inserted
    else { return nil }
    return place
  }
  for index in other.indices where found[index] == nil {
    guard let place = stored.indices.first(where: { !taken.contains($0) && areAlike(stored[$0], other[index]) })
    else { continue }
    taken.insert(place)
    found[index] = place
  }
  return found
}
