package import IFTTT
package import Session
package import Text

extension Problem {
  /// The problem if IFTTT accepted a configuration without applying all of it; nil if it did.
  /// - Parameter after: the connection as fetched after the change.
  package static func notApplied(_ wanted: UserConnection, of after: Connection) -> Problem? {
    let form = ConfigurationForm(after, after.userConnection ?? UserConnection())
    let rest = form.differences(to: wanted).filter { !$0.isOnlyWords }
    guard !rest.isEmpty else { return nil }
    return Problem(
      .refused, "IFTTT accepted the settings, but did not apply all of them",
      hint: "See the current settings: \(ifttt: "configure \(after.id)").",
      details: rest.map { Problem.Detail(parameter: $0.address, message: $0.words) })
  }

  /// Replaces pointers with field names, for an endpoint that accepts fields by their ids.
  /// - Parameter hint: what to do about rejected values.
  package func namingFields(hint: Hint) -> Problem {
    guard status == 422 else { return self }
    var named = self
    for (place, detail) in details.enumerated() {
      guard let pointer = detail.parameter.map(ConfigurationErrors.tokens(of:)), pointer.count == 2,
        pointer[0] == "fields"
      else { continue }
      named.details[place].parameter = pointer[1]
      named.hint = hint
    }
    return named
  }
}

/// Translates IFTTT's error messages into the terms of the settings that were given: which field, and what it
/// accepts.
package struct ConfigurationErrors {
  let form: ConfigurationForm
  let options: [ConfigurationStep: FieldOptions]

  /// - Parameters:
  ///   - form: the configuration that was sent.
  ///   - options: the known options of its fields.
  package init(form: ConfigurationForm, options: [ConfigurationStep: FieldOptions]) {
    (self.form, self.options) = (form, options)
  }

  package func explained(_ problem: Problem) -> Problem {
    guard problem.status == 422 else { return problem }
    var explained = problem
    explained.details = problem.details.map(explained(_:))
    return explained
  }

  private func explained(_ detail: Problem.Detail) -> Problem.Detail {
    guard let pointer = detail.parameter else { return detail }
    let entries = entries(at: Self.tokens(of: pointer))
    guard let first = entries.first else { return detail }
    let accepted = options[first.place.step]?.options[first.place.field] ?? []
    let message = detail.message ?? ""
    let mark = message.isEmpty ? "" : message.hasSuffix(".") ? " " : "; "
    return Problem.Detail(
      parameter: entries.map(\.address).joined(separator: ", "),
      message: accepted.isEmpty ? message : "\(message)\(mark)\(FieldValueError.list(accepted)).")
  }

  /// Only `/fields/ID` is documented. Other pointers refer to the request body (U27).
  private func entries(at pointer: [String]) -> [ConfigurationForm.Entry] {
    if pointer.count == 2, pointer[0] == "fields" {
      return form.entries.filter { $0.place.instance != nil && $0.place.field == pointer[1] }
    }
    guard pointer.count >= 4, pointer[0] == "user_features", let instance = Int(pointer[1]),
      form.configuration.features.indices.contains(instance)
    else { return [] }
    let feature = form.configuration.features[instance]
    func found(_ step: String?, _ kind: ConfigurationStep.Kind, _ fields: [UserField], _ place: String)
      -> [ConfigurationForm.Entry]
    {
      guard let index = Int(place), fields.indices.contains(index) else { return [] }
      return form.entries.filter {
        $0.place.instance == instance && $0.place.step.kind == kind && $0.place.step.stepID == step
          && $0.place.field == fields[index].id
      }
    }
    if pointer[2] == "user_fields" { return found(nil, .feature, feature.fields, pointer[3]) }
    guard pointer.count >= 6, pointer[4] == "user_fields", let index = Int(pointer[3]),
      let kind = ConfigurationStep.Kind.allCases.first(where: { "user_feature_\($0.plural)" == pointer[2] }),
      feature[kind].indices.contains(index)
    else { return [] }
    return found(feature[kind][index].stepID, kind, feature[kind][index].fields, pointer[5])
  }

  fileprivate static func tokens(of pointer: String) -> [String] { pointer.split(separator: "/").map(unescaped) }

  /// Decodes a token of a JSON Pointer (RFC 6901, section 4).
  private static func unescaped(_ token: Substring) -> String {
    var text = ""
    var isEscaped = false
    for scalar in token.unicodeScalars {
      switch (isEscaped, scalar) {
      case (true, "1"): text += "/"
      case (true, "0"): text += "~"
      case (true, _): text.unicodeScalars.append(contentsOf: ["~", scalar])
      case (false, "~"): break
      case (false, _): text.unicodeScalars.append(scalar)
      }
      isEscaped = !isEscaped && scalar == "~"
    }
    return text
  }
}
