import API

/// A set of fields that has its options in one place: a feature's own, or those of one of its steps.
package struct ConfigurationStep: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    case feature, trigger, query, action

    package var plural: String { self == .query ? "queries" : rawValue + "s" }
  }

  package var kind: Kind
  package var featureID: String
  /// The step's id in the feature; nil for the feature's own fields.
  package var stepID: String?
  /// As URLs spell it: the feature's id, or `service.slug`.
  package var typeID: String
  /// Where IFTTT says that the options are.
  package var optionsURL: String?

  /// Tells it from the others of its connection.
  package var key: String { "\(featureID)/\(kind.plural)/\(stepID ?? "")/\(typeID)" }
}

extension Feature {
  /// The steps of one kind; of a feature's own fields none.
  package subscript(kind: ConfigurationStep.Kind) -> [Step] {
    switch kind {
    case .feature: []
    case .trigger: triggers
    case .query: queries
    case .action: actions
    }
  }

  /// Where fields stand, in the order in which a form shows them, with the fields.
  package var places: [(step: ConfigurationStep, fields: [Field])] {
    var places = [
      (
        step: ConfigurationStep(kind: .feature, featureID: id, stepID: nil, typeID: id, optionsURL: fieldOptionsURL),
        fields: fields
      )
    ]
    for kind in ConfigurationStep.Kind.allCases {
      for step in self[kind] {
        guard let typeID = step.prefixedID ?? step.id else { continue }
        places.append(
          (
            step: ConfigurationStep(
              kind: kind, featureID: id, stepID: step.id, typeID: typeID, optionsURL: step.fieldOptionsURL),
            fields: step.fields
          ))
      }
    }
    return places
  }
}

extension UserFeature {
  /// The configured steps of one kind; a feature's own fields are none.
  package subscript(kind: ConfigurationStep.Kind) -> [UserStep] {
    get {
      switch kind {
      case .feature: []
      case .trigger: triggers
      case .query: queries
      case .action: actions
      }
    }
    set {
      switch kind {
      case .feature: break
      case .trigger: triggers = newValue
      case .query: queries = newValue
      case .action: actions = newValue
      }
    }
  }
}

extension Connection {
  package func feature(_ id: String?) -> Feature? { features.first { $0.id == id } }

  /// The steps of one kind that a word names: by `service.slug` or by the slug alone. Those of several features that are
  /// the same step count once.
  package func stepIDs(_ kind: ConfigurationStep.Kind, named word: String? = nil) -> [String] {
    var found: [String] = []
    for step in features.flatMap({ $0[kind] }) {
      guard let id = step.prefixedID, word == nil || word == id || word == step.slug, !found.contains(id) else {
        continue
      }
      found.append(id)
    }
    return found
  }

  /// Whether it is on and nothing of it was ever configured: a sign that the configuration screen was skipped (U4). A
  /// connection without features has nothing to configure.
  package var showsNothingConfigured: Bool {
    ConnectAssumptions.emptyConfigurationIsPending && status == .enabled && userConnection?.features.isEmpty == true
      && !features.isEmpty
  }

  /// Whether what is remembered of it as pending is over: something runs, nothing can be configured, or the user has
  /// deleted it.
  package var endsPending: Bool {
    status == .neverEnabled || features.isEmpty
      || (status == .enabled && userConnection?.features.contains(where: \.isEnabled) == true)
  }
}
