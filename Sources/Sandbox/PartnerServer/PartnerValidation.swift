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
        for (field, value) in zip(step.fields.indices, values) {
          guard let value else { continue }
          let call = PartnerCall(
            method: .post, path: ["triggers", step.slug, "fields", step.fields[field].id, "validate"],
            body: ["value": value.sent()], user: user?.id, connection: connection)
          guard let message = try rejection(call) else { continue }
          rejected.append(
            RejectedValue(feature: place, trigger: number, field: field, id: step.fields[field].id, message: message))
        }
      }
    }
    return rejected
  }

  /// Why the server rejects a value; nil if it accepts it, has no validation, or has not responded yet.
  private mutating func rejection(_ call: PartnerCall) throws(ErrorResponse) -> String? {
    if runtime?.missingEndpoints.contains(call.endpoint) == true { return nil }
    guard let response = partnerResponse(to: call), response.status != 404 else { return nil }
    guard let valid = response.data?["valid"]?.bool else { throw .downstream(response) }
    return valid ? nil : response.data?["message"]?.string ?? "Not a valid value for this field."
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
