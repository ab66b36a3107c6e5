package import JSON
package import Text

/// The response of `test/setup`: a user's access token, and values for the fields (reference: service-api.md,
/// section 8).
package struct TestSetup: Sendable {
  /// Nil for a service without sign-in. A missing key, null and an empty string mean the same.
  package var accessToken: Secret?
  /// The fields of each trigger, query and action, by slug.
  package var fields: [ServiceStepKind: [(slug: String, fields: JSONObject)]] = [:]
  /// A valid and an invalid value of each trigger field that is validated.
  package var validations: [Validation] = []
  /// Fields with which an action must be skipped.
  package var skipped: [(slug: String, fields: JSONObject)] = []
  /// The parts that have an unexpected form, such as `samples.triggers.lamp_switched_on`.
  package var malformed: [String] = []
  /// The parts that are one level too deep: where they are, and where IFTTT reads them.
  package var misplaced: [(found: String, expected: String)] = []

  package struct Validation: Sendable {
    package let trigger: String
    package let field: String
    package let valid: JSONValue?
    package let invalid: JSONValue?
  }

  package init() {}

  /// - Parameter data: the member `data` of the response.
  package init(_ data: JSONObject) {
    switch data["accessToken"] {
    case nil, .null, .string(""): break
    case .string(let text)?:
      accessToken = Secret(parsing: text)
      if accessToken == nil { malformed.append("accessToken") }
    default: malformed.append("accessToken")
    }
    guard case .object(let samples)? = data["samples"] else {
      malformed.append("samples")
      return
    }
    for kind in ServiceStepKind.allCases { fields[kind] = objects(samples, kind.rawValue, orEmpty: true) }
    skipped = objects(samples, "actionRecordSkipping")
    for (trigger, fields) in objects(samples, "triggerFieldValidations") {
      for (field, values) in fields.members {
        guard case .object(let values) = values else {
          malformed.append("samples.triggerFieldValidations.\(trigger).\(field)")
          continue
        }
        validations.append(
          Validation(trigger: trigger, field: field, valid: values["valid"], invalid: values["invalid"]))
      }
    }
  }

  /// The members of `samples` that belong to triggers or actions and are easily nested in those.
  private static let parts = ["triggerFieldValidations", "actionRecordSkipping"]

  package func sample(_ kind: ServiceStepKind, _ slug: String) -> JSONObject? {
    fields[kind]?.first { $0.slug == slug }?.fields
  }

  /// - Parameter orEmpty: Whether a value of an unexpected form counts as no fields: its endpoint exists, so the
  ///   other checks can be made.
  private mutating func objects(
    _ samples: JSONObject, _ key: String, orEmpty: Bool = false
  ) -> [(slug: String, fields: JSONObject)] {
    // Ruby and PHP write an empty map as an empty array.
    guard let value = samples[key], !value.isNull, value != .array([]) else { return [] }
    guard case .object(let members) = value else {
      malformed.append("samples.\(key)")
      return []
    }
    return members.members.compactMap { slug, fields in
      if Self.parts.contains(slug) {
        misplaced.append(("samples.\(key).\(slug)", "samples.\(slug)"))
        return nil
      }
      for part in Self.parts where fields[part]?.object != nil {
        misplaced.append(("samples.\(key).\(slug).\(part)", "samples.\(part).\(slug)"))
      }
      switch fields {
      case .object(let fields): return (slug, fields)
      case .null, .array([]): return (slug, [:])
      default:
        malformed.append("samples.\(key).\(slug)")
        return orEmpty ? (slug, [:]) : nil
      }
    }
  }
}
