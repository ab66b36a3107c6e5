import HTTP
import JSON

extension Emulator {
  /// The values that the partner's server rejects. Only triggers have a validation.
  mutating func rejectedValues(
    of features: [SandboxFixtures.UserFeature], in connection: String, for user: SandboxFixtures.User?
  ) throws(ErrorResponse) -> [RejectedValue] {
    guard runtime != nil else { return [] }
    var rejected: [RejectedValue] = []
    for (place, feature) in features.enumerated() where feature.isEnabled {
      for (number, step) in feature.feature.triggers.enumerated() where isOwn(step) {
        let values = feature.triggers.indices.contains(number) ? feature.triggers[number]?.values ?? [] : []
        for call in step.validations(of: values, for: user, in: connection) {
          for (id, message) in try rejections(call) {
            guard let field = step.fields.firstIndex(where: { $0.id == id }) else { continue }
            rejected.append(RejectedValue(feature: place, trigger: number, field: field, id: id, message: message))
          }
        }
      }
    }
    return rejected
  }

  /// The fields whose values the server rejects, and why; none if it accepts them, has no validation, or has not
  /// responded yet.
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

/// A field whose value a partner's server rejects, and why.
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
  /// The position of the user feature, of the trigger in it, and of the field in that.
  let feature: Int
  let trigger: Int
  let field: Int
  /// The id of the field.
  let id: String
  let message: String
}
