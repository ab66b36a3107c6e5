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
      && zip(b, pairs).allSatisfy { element, place in place.map { areSame(a[$0], element) } ?? false }
  }
}

extension UserFeature {
  fileprivate func isSame(as other: UserFeature) -> Bool {
    agree(id, other.id) && agree(featureID, other.featureID) && isEnabled == other.isEnabled
      && fields.isSame(as: other.fields)
      && ConfigurationStep.Kind.allCases.allSatisfy { kind in
        UserConnection.isSame(self[kind], other[kind], pairs: self[kind].pairing(with: other[kind])) {
          agree($0.id, $1.id) && agree($0.stepID, $1.stepID) && $0.fields.isSame(as: $1.fields)
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
private func agree(_ a: String?, _ b: String?) -> Bool { a == nil || b == nil || a == b }
