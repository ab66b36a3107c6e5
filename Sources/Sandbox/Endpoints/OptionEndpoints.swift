import HTTP
import JSON

extension Emulator {
  /// `GET …/field_options`: the options of all fields of a feature or step. Fields without options are omitted.
  mutating func options(
    of place: OptionsPlace, connection id: String, _ credential: RequestCredential, _ request: Request
  ) throws(ErrorResponse) -> EmulatorResponse {
    let subject = try withCurrentOptions(subject(id, credential, request), of: place.step ?? "")
    guard let fields = fields(at: place, in: subject.connection) else {
      throw .unknownPart("feature, trigger, query or action")
    }
    var options = JSONObject()
    for field in fields where !field.options.isEmpty && options[field.id] == nil {
      options[field.id] = .array(field.options.map(\.json))
    }
    return EmulatorResponse(body: JSONValue.object(["type": "field_options", "options": .object(options)]).bytes)
  }

  /// `POST …/user_connection/refresh`: updates the option labels in the user's configuration to the current ones.
  mutating func refresh(
    connection id: String, _ credential: RequestCredential, _ request: Request
  ) throws(ErrorResponse) -> EmulatorResponse {
    let subject = try withCurrentOptions(subject(id, credential, request))
    var configuration = subject.configuration
    configuration.features = configuration.features.map(\.relabelled)
    if configuration != subject.configuration { set(configuration, of: subject.user, in: subject.seeded) }
    return EmulatorResponse(status: 204)
  }

  /// The fields of the feature or step, or nil if it does not exist.
  private func fields(at place: OptionsPlace, in connection: SandboxFixtures.Connection) -> [SandboxFixtures.Field]? {
    switch place {
    case .feature(let id): return connection.features.first { $0.id == id }?.fields
    case .step(let kind, let name, let feature):
      let steps = connection.features.filter { feature == nil || $0.id == feature }
        .flatMap { $0[keyPath: kind.ofFeature] }.filter { $0.name == name }
      return steps.isEmpty ? nil : steps.flatMap(\.fields)
    }
  }
}

extension OptionsPlace {
  fileprivate var step: String? { if case .step(_, let name, _) = self { name } else { nil } }
}

extension SandboxFixtures.UserFeature {
  fileprivate var relabelled: Self {
    var copy = self
    copy.values = relabelled(values, of: feature.fields)
    for kind in StepKind.allCases {
      copy[keyPath: kind.ofUser] = zip(feature[keyPath: kind.ofFeature], self[keyPath: kind.ofUser]).map { step, its in
        its.map { SandboxFixtures.UserStep($0.id, values: relabelled($0.values, of: step.fields)) }
      }
    }
    return copy
  }

  private func relabelled(_ values: [SandboxFixtures.Value?], of fields: [SandboxFixtures.Field]) -> [SandboxFixtures
    .Value?]
  {
    zip(fields, values).map { field, value in value.map(field.relabelled) }
  }
}
