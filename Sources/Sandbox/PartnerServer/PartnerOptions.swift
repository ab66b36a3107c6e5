import HTTP
import JSON

extension Emulator {
  /// Returns the response of the partner's server to a call; nil if it has not arrived yet. In that case the result of
  /// the current evaluation is discarded, so callers continue with any value.
  mutating func partnerResponse(to call: PartnerCall) -> PartnerResponse? {
    if let known = lookups.known[call.key] { return known }
    if !lookups.missing.contains(call) { lookups.missing.append(call) }
    return nil
  }

  /// Whether the step belongs to the service whose server is connected.
  func isOwn(_ step: SandboxFixtures.Step) -> Bool { runtime.map { $0.service == step.service.slug } ?? false }

  /// Returns the connection with the options that the partner's server has for the user. Without a server, these are
  /// the options of the fixtures.
  /// - Parameters:
  ///   - name: The full name of the only step whose options are needed; nil for all.
  ///   - areShown: Whether an earlier page showed the options. They then stay the same.
  mutating func withCurrentOptions(
    _ connection: SandboxFixtures.Connection, for user: SandboxFixtures.User?, of name: String? = nil,
    areShown: Bool = false
  ) throws(ErrorResponse) -> SandboxFixtures.Connection {
    guard runtime != nil else { return connection }
    var connection = connection
    for featureIndex in connection.features.indices {
      for kind in StepKind.allCases {
        for stepIndex in connection.features[featureIndex][keyPath: kind.ofFeature].indices {
          let step = connection.features[featureIndex][keyPath: kind.ofFeature][stepIndex]
          guard isOwn(step), name == nil || step.name == name else { continue }
          for fieldIndex in step.fields.indices where step.fields[fieldIndex].type.hasOptions {
            let call = PartnerCall(
              method: .post, path: [kind.rawValue, step.slug, "fields", step.fields[fieldIndex].id, "options"],
              body: [:],
              user: user?.id, connection: connection.id)
            guard let options = try options(call, areShown: areShown) else { continue }
            connection.features[featureIndex][keyPath: kind.ofFeature][stepIndex].fields[fieldIndex].options = options
          }
        }
      }
    }
    return connection
  }

  /// The subject with the current options in its connection and its configuration.
  mutating func withCurrentOptions(
    _ subject: RequestSubject, of name: String? = nil
  ) throws(ErrorResponse) -> RequestSubject {
    guard runtime != nil else { return subject }
    let connection = try withCurrentOptions(subject.connection, for: subject.user, of: name)
    var configuration = subject.configuration
    for index in configuration.features.indices {
      let id = configuration.features[index].feature.id
      if let current = connection.features.first(where: { $0.id == id }) {
        configuration.features[index].feature = current
      }
    }
    return RequestSubject(
      seeded: SeededConnection(connection), user: subject.user, configuration: configuration)
  }

  /// The options of a field; nil if the server has none, or has not responded yet.
  private mutating func options(
    _ call: PartnerCall, areShown: Bool
  ) throws(ErrorResponse) -> [SandboxFixtures.Option]? {
    if runtime?.missingEndpoints.contains(call.endpoint) == true { return nil }
    let shown = areShown ? runtime?.shownOptions[call.key] : nil
    guard let response = shown ?? partnerResponse(to: call), response.status != 404 else { return nil }
    guard let items = response.data?.array else { throw .downstream(response) }
    runtime?.shownOptions[call.key] = response
    return items.flatMap { item -> [SandboxFixtures.Option] in
      guard let group = item["values"]?.array else { return [Self.option(item, group: nil)].compactMap(\.self) }
      return group.compactMap { Self.option($0, group: item["label"]?.string) }
    }
  }

  private static func option(_ item: JSONValue, group: String?) -> SandboxFixtures.Option? {
    guard let value = item["value"]?.string ?? item["value"]?.number?.text else { return nil }
    return SandboxFixtures.Option(value, item["label"]?.string ?? value, group: group)
  }
}

extension SandboxFixtures.FieldType {
  var hasOptions: Bool {
    switch self {
    case .collectionSelect, .doubleCollectionSelect, .checkboxMulti: true
    default: false
    }
  }
}

extension ErrorResponse {
  /// Returns the error for a partner's server that failed or did not respond.
  static func downstream(_ response: PartnerResponse) -> ErrorResponse {
    ErrorResponse(
      status: 502, code: "emulator_downstream",
      message: response.status == nil || response.status == 200
        ? "The service's server failed: \(response.problem)"
        : "The service's server responded with \(response.status ?? 0): \(response.problem)")
  }
}

extension Emulator {
  /// The values that the partner's server rejects. Only triggers have a validation.
  mutating func rejectedValues(
    of features: [SandboxFixtures.UserFeature], in connection: String, for user: SandboxFixtures.User?
  ) throws(ErrorResponse) -> [RejectedValue] {
    guard runtime != nil else { return [] }
    var rejected: [RejectedValue] = []
    for (index, feature) in features.enumerated() where feature.isEnabled {
      for (number, step) in feature.feature.triggers.enumerated() where isOwn(step) {
        let values = feature.triggers.indices.contains(number) ? feature.triggers[number]?.values ?? [] : []
        for call in step.validations(of: values, for: user, in: connection) {
          for (id, message) in try rejections(call) {
            guard let field = step.fields.firstIndex(where: { $0.id == id }) else { continue }
            rejected.append(RejectedValue(feature: index, trigger: number, field: field, id: id, message: message))
          }
        }
      }
    }
    return rejected
  }

  /// Returns the fields whose values the server rejects, with the reasons; empty if it accepts them, has no validation,
  /// or has not responded yet.
  private mutating func rejections(_ call: PartnerCall) throws(ErrorResponse) -> [PartnerRejection] {
    if runtime?.missingEndpoints.contains(call.endpoint) == true { return [] }
    guard let response = partnerResponse(to: call), response.status != 404 else { return [] }
    guard let rejections = response.rejections(of: call) else { throw .downstream(response) }
    return rejections
  }
}

extension SandboxFixtures.Step {
  /// The requests that validate the values: one for each, or a single one if they depend on each other.
  fileprivate func validations(
    of values: [SandboxFixtures.Value?], for user: SandboxFixtures.User?, in connection: String
  ) -> [PartnerCall] {
    let values = fieldValues(values)
    func call(_ path: [String], _ body: JSONObject) -> PartnerCall {
      PartnerCall(
        method: .post, path: ["triggers", slug] + path + ["validate"], body: body, user: user?.id,
        connection: connection)
    }
    if isContextual { return values.members.isEmpty ? [] : [call([], ["values": .object(values)])] }
    return values.members.map { field, value in call(["fields", field], ["value": value]) }
  }
}

/// A field whose value a partner's server rejects, and the reason.
typealias PartnerRejection = (field: String, message: String)

extension PartnerResponse {
  /// The rejections in the response to a request that validates values; nil if it cannot be read.
  func rejections(of call: PartnerCall) -> [PartnerRejection]? {
    let fields = call.path.dropFirst(2).dropLast()
    let results: [(key: String, value: JSONValue)]? =
      if let field = fields.last { data.map { [(field, $0)] } } else { data?.object?.members }
    guard let results, results.allSatisfy({ $0.value["valid"]?.bool != nil }) else { return nil }
    return results.filter { $0.value["valid"] == false }.map { field, result in
      (field, result["message"]?.string ?? "Not a valid value for this field.")
    }
  }
}

/// A value of a trigger's field that the partner's server rejected.
struct RejectedValue {
  /// The position of the user feature, of the trigger in the feature, and of the field in the trigger.
  let feature: Int
  let trigger: Int
  let field: Int
  /// The id of the field.
  let id: String
  let message: String
}
