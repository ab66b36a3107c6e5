import HTTP
import JSON
import Text

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
  struct Reader {
    private let visit: Visit
    private(set) var errors: [String: String] = [:]

    init(_ visit: Visit) { self.visit = visit }

    /// The features that were enabled.
    mutating func features(newID: () -> String) -> [SandboxFixtures.UserFeature] {
      var features: [SandboxFixtures.UserFeature] = []
      let shown = visit.subject.connection.features.enumerated()
      for (index, feature) in shown where visit.filled(switchName(index)) != nil {
        var userFeature = SandboxFixtures.UserFeature(id: newID(), feature: feature)
        userFeature.values = values(feature.fields, index, "fields")
        for kind in StepKind.allCases {
          userFeature[keyPath: kind.ofUser] = feature[keyPath: kind.ofFeature].enumerated().map { number, step in
            SandboxFixtures.UserStep(newID(), values: values(step.fields, index, part(kind, number)))
          }
        }
        features.append(userFeature)
      }
      if features.isEmpty { errors[switchName(0)] = "Turn on at least one feature" }
      return features
    }

    private mutating func values(
      _ fields: [SandboxFixtures.Field], _ feature: Int, _ part: String
    ) -> [SandboxFixtures.Value?] {
      fields.enumerated().map { index, field in
        if field.isHidden { return field.preset }
        let name = ConfigurationScreenForm.name(feature, part, index)
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
        var location = JSONObject()
        for key in ["lat", "lng", "radius", "address"] {
          if let text = visit.filled("\(name).\(key)") { location[key] = .string(text) }
        }
        if location.members.isEmpty { return .null }
        location["description"] = location["address"] ?? ""
        return .object(location)
      }
    }

    /// Remove carriage returns, because browsers submit line breaks as two bytes.
    private func withoutReturns(_ text: String) -> String {
      String(decoding: text.utf8.filter { $0 != 0x0d }, as: UTF8.self)
    }
  }
}

/// The inputs of the configuration screen, filled with the submitted values or with the fields' defaults.
struct FormInputs {
  let visit: Visit
  let errors: [String: String]

  var all: [HTML] { visit.subject.connection.features.enumerated().map { feature($1, $0) } }

  private var isSubmitted: Bool { visit.form.contains { $0.name.hasPrefix(ConfigurationScreenForm.prefix) } }

  private func feature(_ feature: SandboxFixtures.Feature, _ index: Int) -> HTML {
    let name = ConfigurationScreenForm.switchName(index)
    let isOn = isSubmitted ? visit.filled(name) != nil : true
    var parts = inputs(feature.fields, index, "fields", nil)
    for kind in StepKind.allCases {
      for (number, step) in feature[keyPath: kind.ofFeature].enumerated() {
        parts += inputs(step.fields, index, ConfigurationScreenForm.part(kind, number), step)
      }
    }
    let description: HTML? = feature.description.map { "<p class=\"soft\" dir=\"auto\">\($0)</p>" }
    return """
      <fieldset><legend>\(.name(feature.title))</legend>\(description)\
      <label class="check"><input type="checkbox" name="\(name)" value="on"\(checked(isOn))> On</label>\(error(name))\
      \(parts)</fieldset>
      """
  }

  private func inputs(
    _ fields: [SandboxFixtures.Field], _ feature: Int, _ part: String, _ step: SandboxFixtures.Step?
  ) -> [HTML] {
    let shown = fields.enumerated().filter { !$1.isHidden }
    guard !shown.isEmpty else { return [] }
    let inputs = shown.map { input($1, ConfigurationScreenForm.name(feature, part, $0)) }
    guard let step else { return inputs }
    return [
      "<fieldset><legend>\(.name(step.label)) <small>\(.name(step.service.name))</small></legend>\(inputs)</fieldset>"
    ]
  }

  private func input(_ field: SandboxFixtures.Field, _ name: String) -> HTML {
    let mark: HTML = field.isRequired ? "" : " <span class=\"soft\">(optional)</span>"
    let label: HTML = "<label for=\"\(name)\">\(.name(field.label))\(mark)</label>"
    let text = visit.filled(name) ?? (isSubmitted ? "" : startText(field))
    let input: HTML
    switch field.type {
    case .textField: input = "<input id=\"\(name)\" name=\"\(name)\" value=\"\(text)\" dir=\"auto\">"
    case .textArea:
      input = "<textarea id=\"\(name)\" name=\"\(name)\" rows=\"3\" dir=\"auto\">\n\(text)</textarea>"
    case .collectionSelect, .doubleCollectionSelect: input = select(field, name, chosen: text)
    case .checkboxMulti:
      return "<fieldset><legend>\(.name(field.label))\(mark)</legend>\(boxes(field, name))\(error(name))</fieldset>"
    case .locationPoint, .locationRadius, .locationEnter, .locationExit, .locationEnterOrExit:
      return "<fieldset><legend>\(.name(field.label))\(mark)</legend>\(location(field, name))\(error(name))</fieldset>"
    }
    return "\(label)\(input)\(error(name))"
  }

  private func select(_ field: SandboxFixtures.Field, _ name: String, chosen: String) -> HTML {
    let parts: [HTML] = field.options.grouped(by: \.group).map { group in
      let options: [HTML] = group.elements.map { option in
        let selected: HTML = option.value == chosen ? " selected" : ""
        return "<option value=\"\(option.value)\"\(selected)>\(option.label)</option>"
      }
      guard let heading = group.key else { return "\(options)" }
      return "<optgroup label=\"\(heading)\">\(options)</optgroup>"
    }
    return "<select id=\"\(name)\" name=\"\(name)\"><option value=\"\">Choose…</option>\(parts)</select>"
  }

  private func boxes(_ field: SandboxFixtures.Field, _ name: String) -> [HTML] {
    var chosen = Set(visit.form.filter { $0.name == name }.map(\.value))
    if !isSubmitted, case .options(let options) = field.preset { chosen = Set(options.map(\.value)) }
    return field.options.map { option in
      """
      <label class="check"><input type="checkbox" name="\(name)" value="\(option.value)"\
      \(checked(chosen.contains(option.value)))> \(.name(option.label))</label>
      """
    }
  }

  private func location(_ field: SandboxFixtures.Field, _ name: String) -> HTML {
    let start = isSubmitted ? nil : field.start?.json
    let keys = [("lat", "Latitude"), ("lng", "Longitude"), ("radius", "Radius in meters"), ("address", "Address")]
      .filter { $0.0 != "radius" || field.type != .locationPoint }
    let inputs: [HTML] = keys.map { key, label in
      let value = visit.filled("\(name).\(key)") ?? start?[key]?.string ?? start?[key]?.number?.text ?? ""
      return """
        <label>\(label)<input name="\(name).\(key)" value="\(value)" dir="auto"></label>
        """
    }
    return "<div class=\"places\">\(inputs)</div>"
  }

  private func startText(_ field: SandboxFixtures.Field) -> String {
    switch field.preset {
    case .text(let text): text
    case .option(let value, _, _): value
    default: ""
    }
  }

  private func checked(_ isOn: Bool) -> HTML { isOn ? " checked" : "" }

  private func error(_ name: String) -> HTML? { errors[name].map { "<p class=\"error\">\($0)</p>" } }
}
