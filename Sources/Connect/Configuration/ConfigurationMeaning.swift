extension UserConnection {
  /// Whether both mean the same to IFTTT, however each is spelled: user features and steps are told by their ids, else by
  /// their order among their kind, and values are compared as ``FieldValue/isSame(_:_:)`` does.
  ///
  /// A configuration without any user feature is the same as none.
  package static func isSame(_ a: UserConnection?, _ b: UserConnection?) -> Bool {
    let (a, b) = (a ?? UserConnection(), b ?? UserConnection())
    return isSame(a.features, b.features, pairs: a.pairing(with: b)) { $0.isSame(as: $1) }
  }

  /// Whether every element has a partner that means the same.
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
  /// A field without a value is the same as no field, and their order says nothing.
  fileprivate func isSame(as other: [UserField]) -> Bool {
    Set((self + other).map(\.id)).allSatisfy { id in
      FieldValue.isSame(first { $0.id == id }?.value, other.first { $0.id == id }?.value)
    }
  }
}

/// An id that one of both leaves out says nothing.
private func agree(_ a: String?, _ b: String?) -> Bool { a == nil || b == nil || a == b }
