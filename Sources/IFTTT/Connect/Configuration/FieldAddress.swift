import JSON

extension ConfigurationForm {
  /// Why an argument does not name exactly one field or user feature.
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
      let found = entries.filter { names($0).contains(word) }
      if found.count == 1 { return found[0] }
      if found.count > 1 { throw .ambiguous(word, found.map(\.address)) }
    }
    throw .unknown(word, near: entries.map(\.address))
  }

  /// The index of the user feature with the given name.
  package func instance(named word: String) throws(FieldAddressError) -> Int {
    let indices = configuration.features.indices
    let found = indices.filter { configuration.names(of: $0).contains(word) }
    if found.count == 1 { return found[0] }
    if found.count > 1 { throw .ambiguous(word, found.map(configuration.token)) }
    throw .unknown(word, near: indices.map(configuration.token))
  }

  private func features(of entry: Entry) -> [String] {
    entry.place.instance.map(configuration.names) ?? [entry.place.step.featureID, "\(entry.place.step.featureID)#1"]
  }

  private func steps(of entry: Entry) -> [String] {
    let step = entry.place.step
    guard step.kind != .feature else { return [] }
    // `service.slug` also matches its slug.
    let slug = step.typeID.firstIndex(of: ".").map { String(step.typeID[step.typeID.index(after: $0)...]) }
    return [step.typeID, slug, step.stepID].compactMap(\.self)
  }

  private func fullNames(_ entry: Entry) -> [String] {
    let (steps, field) = (steps(of: entry), entry.place.field)
    return features(of: entry).flatMap { feature in
      steps.isEmpty ? ["\(feature).\(field)"] : steps.map { "\(feature).\($0).\(field)" }
    }
  }

  private func shortNames(_ entry: Entry) -> [String] {
    let field = entry.place.field
    return features(of: entry).map { "\($0).\(field)" } + steps(of: entry).map { "\($0).\(field)" } + [field]
  }
}
