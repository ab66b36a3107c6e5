import JSON

extension ConfigurationForm {
  /// One field with an invalid value.
  package struct Fault: Sendable, Equatable {
    package var entry: Entry
    package var fault: FieldValueError
  }

  /// Problems that prevent sending the configuration: required fields without a value, values that are not among the
  /// options, and invalid locations (reference: connect-api.md, section 11). Only enabled user features are checked.
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
      guard let fault, case .noOption = fault.cause else { return nil }
      return Fault(entry: entry, fault: fault)
    }
  }

  private func evaluated(
    since stored: UserConnection, _ options: [ConfigurationStep: FieldOptions], isTouched: Bool
  ) -> [(Entry, FieldValueError?)] {
    let pairs = stored.pairing(with: configuration)
    return entries.compactMap { entry in
      guard let instance = entry.place.instance, configuration.features[instance].isEnabled else { return nil }
      let before = pairs[instance].map { stored.features[$0].values(of: entry.place.step) } ?? []
      let old = before.first { $0.id == entry.place.field }
      let isSame = old.map { FieldValue.isSame($0.value, entry.value) } ?? false
      if entry.field.isRequired == true, entry.isEmpty {
        return isTouched ? (entry, FieldValueError(.needsValue)) : nil
      }
      guard isSame != isTouched, !entry.isEmpty else { return nil }
      return (entry, entry.fault(options[entry.place.step]))
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

  /// Why the value is invalid for the field.
  /// - Parameter options: the options of the step; nil if they are unknown.
  fileprivate func fault(_ options: FieldOptions?) -> FieldValueError? {
    let kind = field.kind ?? .text
    if kind.takesOptions {
      guard let options else { return nil }
      let valid = options.options[place.field] ?? []
      let values: [String]
      switch FieldValue(value) {
      case .option(let option): values = [option.value]
      case .text(let text): values = [text]
      case .options(let options): values = options.map(\.value)
      case .location, .other, nil: return FieldValueError(.noOption(value.text, valid))
      }
      let stray = values.first { value in !valid.contains { $0.value == value } }
      return stray.map { FieldValueError(.noOption($0, valid)) }
    }
    guard kind.isLocation else { return nil }
    guard case .location(let location)? = FieldValue(value) else { return FieldValueError(.noLocation(value.text)) }
    do throws(FieldValueError) { _ = try location.checked(for: kind) } catch { return error }
    return nil
  }
}
