package import HTTP
import JSON

/// A set of fields that shares one source of options: a feature's own fields, or those of one of its steps.
package struct ConfigurationStep: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    case feature, trigger, query, action

    package var plural: String { self == .query ? "queries" : rawValue + "s" }
  }

  package var kind: Kind
  package var featureID: String
  /// The step's id in the feature; nil for the feature's own fields.
  package var stepID: String?
  /// The name in URLs: the feature's id, or `service.slug`.
  package var typeID: String
  /// The URL of the options, if IFTTT sent one.
  package var optionsURL: String?

  /// A unique key within the connection.
  package var key: String { "\(featureID)/\(kind.plural)/\(stepID ?? "")/\(typeID)" }
}

extension Feature {
  /// The steps of one kind; empty for a feature's own fields.
  package subscript(kind: ConfigurationStep.Kind) -> [Step] {
    switch kind {
    case .feature: []
    case .trigger: triggers
    case .query: queries
    case .action: actions
    }
  }

  /// The field groups of the feature in the order of a form, with their fields.
  package var fieldGroups: [(step: ConfigurationStep, fields: [Field])] {
    var groups = [
      (
        step: ConfigurationStep(kind: .feature, featureID: id, stepID: nil, typeID: id, optionsURL: fieldOptionsURL),
        fields: fields
      )
    ]
    for kind in ConfigurationStep.Kind.allCases {
      for step in self[kind] {
        guard let typeID = step.prefixedID ?? step.id else { continue }
        groups.append(
          (
            step: ConfigurationStep(
              kind: kind, featureID: id, stepID: step.id, typeID: typeID, optionsURL: step.fieldOptionsURL),
            fields: step.fields
          ))
      }
    }
    return groups
  }
}

extension UserFeature {
  /// The configured steps of one kind; empty for a feature's own fields.
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

  /// The steps of one kind with a given name: `service.slug`, or the slug alone. A step that several features share
  /// is returned once.
  package func stepIDs(_ kind: ConfigurationStep.Kind, named word: String? = nil) -> [String] {
    var ids: [String] = []
    for step in features.flatMap({ $0[kind] }) {
      guard let id = step.prefixedID, word == nil || word == id || word == step.slug, !ids.contains(id) else {
        continue
      }
      ids.append(id)
    }
    return ids
  }

  /// Whether the connection is enabled and none of it was ever configured, which suggests that the configuration screen
  /// was skipped (docs/api/connect.md U4). A connection without features has nothing to configure.
  package var showsNothingConfigured: Bool {
    status == .enabled && userConnection?.features.isEmpty == true && !features.isEmpty
  }

  /// Whether a stored pending mark no longer applies: a feature runs, there is nothing to configure, or the user has
  /// deleted the connection.
  package var endsPending: Bool {
    status == .neverEnabled || features.isEmpty
      || (status == .enabled && userConnection?.features.contains(where: \.isEnabled) == true)
  }
}

/// The values that the fields of one step accept, for one user (docs/api/connect.md §7.8).
package struct FieldOptions: Sendable, Equatable {
  /// By field, in display order. A field without options is absent.
  package var options: [String: [FieldValue.Option]]
  /// In the order received.
  package var fields: [String]

  package init(_ options: KeyValuePairs<String, [FieldValue.Option]> = [:]) {
    self.options = Dictionary(options.map { ($0.key, $0.value) }) { $1 }
    fields = options.map(\.key)
  }

  /// - Throws: ``APIError``; unreadable if the response contains no options.
  package init(_ response: Response) throws(APIError) {
    let object = try response.object()
    guard let all = object.object("options") else { throw response.unreadable("it contains no options") }
    self.init()
    for (field, value) in all.members {
      guard let elements = value.array else { continue }
      if options[field] == nil { fields.append(field) }
      options[field] = elements.compactMap { $0.object.flatMap(FieldValue.Option.init(reading:)) }
    }
  }

  /// The options from a cached response; nil if it is invalid.
  package init?(cachedResponse body: [UInt8]) {
    guard let options = try? FieldOptions(Response(status: 200, body: body)) else { return nil }
    self = options
  }
}

extension FieldValue.Option {
  /// The unambiguous name of an option if labels repeat: `Shared > Boat`.
  package var path: String {
    let name = label ?? value
    return group.map { "\($0) > \(name)" } ?? name
  }

  var json: JSONValue { ["group": JSONValue(group), "label": JSONValue(label), "value": .string(value)] }
}

extension [FieldValue.Option] {
  /// The options with the given value, otherwise the given label, otherwise the given group and label.
  /// - Returns: several options if labels repeat; empty if none matches.
  package func named(_ word: String) -> [FieldValue.Option] {
    for name in [{ $0.value }, { $0.label ?? $0.value }, { $0.path }] as [(FieldValue.Option) -> String] {
      let matches = filter { name($0) == word }
      // The same option under two headings counts once.
      if !matches.isEmpty { return Set(matches.map(\.value)).count == 1 ? [matches[0]] : matches }
    }
    return []
  }
}
