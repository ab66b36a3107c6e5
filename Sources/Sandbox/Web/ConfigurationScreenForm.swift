import HTTP
import JSON

/// The form of the configuration screen: one input for each field that is not hidden, named by the field's position.
enum ConfigurationScreenForm {
  /// The prefix of all input names.
  static let prefix = "c."

  /// The name of a feature's checkbox, such as `c.0.on`.
  static func switchName(_ feature: Int) -> String { "\(prefix)\(feature).on" }

  /// The name of a field's input, such as `c.0.fields.1` or `c.0.triggers2.0`.
  static func name(_ feature: Int, _ part: String, _ field: Int) -> String { "\(prefix)\(feature).\(part).\(field)" }

  static func part(_ kind: StepKind, _ step: Int) -> String { "\(kind.rawValue)\(step)" }

  /// A reader for a submitted form.
  struct Reading {
    private let visit: Visit
    private(set) var errors: [String: String] = [:]

    init(_ visit: Visit) { self.visit = visit }

    /// The features that were enabled.
    mutating func features(newID: () -> String) -> [SandboxFixtures.UserFeature] {
      var found: [SandboxFixtures.UserFeature] = []
      for (place, feature) in visit.thing.features.enumerated() where visit.filled(switchName(place)) != nil {
        var its = SandboxFixtures.UserFeature(id: newID(), feature: feature)
        its.values = values(feature.fields, place, "fields")
        for kind in StepKind.allCases {
          its[keyPath: kind.ofUser] = feature[keyPath: kind.ofFeature].enumerated().map { number, step in
            SandboxFixtures.UserStep(newID(), values: values(step.fields, place, part(kind, number)))
          }
        }
        found.append(its)
      }
      if found.isEmpty { errors[switchName(0)] = "Turn on at least one feature" }
      return found
    }

    private mutating func values(
      _ fields: [SandboxFixtures.Field], _ feature: Int, _ part: String
    ) -> [SandboxFixtures.Value?] {
      fields.enumerated().map { place, field in
        if field.isHidden { return field.preset }
        let name = ConfigurationScreenForm.name(feature, part, place)
        do throws(SandboxValueError) {
          let value = try field.value(from: json(field, name))
          if value == nil, field.isRequired { errors[name] = "Is required" }
          return value
        } catch {
          errors[name] = error.message
          return nil
        }
      }
    }

    /// The JSON that an API request would contain; null if nothing was filled in.
    private func json(_ field: SandboxFixtures.Field, _ name: String) -> JSONValue {
      switch field.type {
      case .textField, .textArea, .collectionSelect, .doubleCollectionSelect:
        return visit.filled(name).map { .string(withoutReturns($0)) } ?? .null
      case .checkboxMulti: return .array(visit.form.filter { $0.name == name }.map { .string($0.value) })
      case .locationPoint, .locationRadius, .locationEnter, .locationExit, .locationEnterOrExit:
        var place = JSONObject()
        for key in ["lat", "lng", "radius", "address"] {
          if let text = visit.filled("\(name).\(key)") { place[key] = .string(text) }
        }
        if place.members.isEmpty { return .null }
        place["description"] = place["address"] ?? ""
        return .object(place)
      }
    }

    /// Remove carriage returns, because browsers submit line breaks as two bytes.
    private func withoutReturns(_ text: String) -> String {
      String(decoding: text.utf8.filter { $0 != 0x0d }, as: UTF8.self)
    }
  }
}
