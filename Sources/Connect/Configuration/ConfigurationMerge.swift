import JSON

// Joining what is stored with what is wanted, as pure functions: whatever both agree on stays as IFTTT sent it, to the
// byte, so that a configuration that was read and is put back changes nothing.
extension UserConnection {
  /// This one, brought to what another says.
  ///
  /// User features are told by their ids, else by their order among those of one feature; ids that are unknown here, as in
  /// a file from another user, are not taken over.
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

  /// Of each user feature of another configuration, where in this one the same is.
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
  /// As of user features: which step of a feature it is decides, then the order.
  package func pairing(with other: [UserStep]) -> [Int?] {
    pairs(self, other, { $0.id }) { $0.stepID == $1.stepID && $0.stepID != nil }
  }
}

extension [UserField] {
  /// In the stored order, what is new at the end.
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

/// Of each element of `other`, the index of its partner in `stored`: the one with its id, else the first that is alike and
/// is no other's partner by id.
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
