package import IFTTT
package import Session
package import Text

// The errors of a change: each has its text here, whichever command it is for.
extension Problem {
  /// Why a subject cannot get its target; nil if it can.
  package static func obstacle(of plan: ConnectionPlan, _ subject: Subject, offersForce: Bool = false) -> Problem? {
    let (noun, id) = (subject.noun, subject.name)
    switch plan.obstacle {
    case nil: return nil
    case .neverEnabled: return .neverEnabled(subject)
    case .pendingWhenDisabled:
      return .disabledWhilePending(id, noun, offersForce: offersForce)
    case .unknownStatus:
      let why = subject.provider == .connect ? "IFTTT sent none for this user" : "its provider reported none"
      return Problem(
        .refused, "the status of \(noun) is unknown", reason: why,
        hint: offersForce
          ? "Check the credentials: \(ifttt: "token verify"). --force sends the request anyway."
          : "Check the credentials: \(ifttt: "token verify").")
    case .unknownConfiguration:
      return Problem(
        .refused, "the settings of \(noun) are unknown", reason: "IFTTT sent none, so setting some could lose others",
        hint: "Set them with \(ifttt: "configure \(id)").")
    case .disabled:
      return Problem(
        .refused, "\(noun) is disabled", reason: "IFTTT accepts no settings of a connection that its user disabled",
        hint: "Enable it: \(ifttt: "connections enable \(id)").")
    case .invalid(let faults):
      let location = plan.target.path.map { "\($0)." } ?? ""
      let first = faults.first
      return Problem(
        .invalidParameters, "\(location)\(first?.path ?? ""): \(first?.message ?? "")",
        hint: "\(ifttt: "connections options \(id)") shows what each field accepts.",
        details: faults.map { Problem.Detail(parameter: location + $0.path, message: $0.message) })
    }
  }

  /// The problem of a subject that the user must enable in a browser first.
  package static func neverEnabled(_ subject: Subject) -> Problem {
    let command: SuggestedCommand =
      subject.provider == .applets ? "applets activate \(subject.id)" : "connections activate \(subject.name)"
    return Problem(
      .neverEnabled, "\(subject.noun) was never enabled",
      reason: "the user must enable it in a browser the first time; IFTTT has no endpoint for this",
      hint: "Run \(ifttt: command).")
  }

  /// The problem of a subject that must be read, while the network may not be used.
  package static func neverFetched(_ noun: String) -> Problem {
    Problem(.network, "\(noun) was never fetched", hint: "Run the command without --offline.")
  }

  /// The problem of a step that was accepted and that the subject does not show; nil if it does.
  static func missingEffect(of step: ChangeStep, on state: SubjectState, _ subject: Subject) -> Problem? {
    if case .configure(let wanted) = step {
      return state.connection.flatMap { notApplied(wanted, of: $0) }
    }
    if case .set = step { return nil }
    let isRight = state.status == step.status || (step == .disable && state.status == .neverEnabled)
    return isRight ? nil : ineffective(subject, state.status)
  }

  /// The problem of a change that was accepted without effect.
  package static func ineffective(_ subject: Subject, _ status: UserStatus, code: Problem.Code = .refused) -> Problem {
    let who = if case .plugin(let name) = subject.provider { "plugin '\(name)'" } else { "IFTTT" }
    let page: Hint =
      subject.provider == .connect
      ? "Try again, or open its page: \(ifttt: "connections open \(subject.id)")."
      : "Try again, or change it at its provider."
    return Problem(
      code, "\(subject.noun) is still \(status.rawValue)", reason: "\(who) accepted the request, but nothing changed",
      hint: page)
  }

  /// The problem of a change that was accepted, after which the subject could not be read.
  static func effectUnknown(of subject: Subject, _ unread: Problem) -> Problem {
    var problem = unread
    let who = if case .plugin(let name) = subject.provider { "Plugin '\(name)'" } else { "IFTTT" }
    problem.message = "\(who) accepted the change, but its effect is unknown: \(unread.message)"
    return problem
  }

  /// The problem of a subject that others have changed since the run that is undone.
  static func changedSince(_ subject: Subject) -> Problem {
    Problem(
      .conflict, "\(subject.noun) was changed by others since", reason: "it is not in the state that the run left",
      hint: "Pass --force to revert it too.")
  }

  /// The problem of a subject that became pending after the confirmation.
  static func notAsked(_ subject: Subject, in session: Session) -> Problem {
    Problem(
      .confirmationRequired, "\(subject.noun) cannot be enabled again once it is disabled",
      reason: "this became known only after the change was confirmed", hint: session.confirmingHint)
  }

  /// The problem of settings that would be removed without permission.
  package static func removal(_ removed: [StateDifference]) -> Problem {
    let settings = removed.count == 1 ? "a setting" : "\(removed.count) settings"
    return Problem(
      .refused, "this would remove \(settings)", reason: "the file does not have them",
      hint: "Add them to the file, or pass --allow-removal.",
      details: removed.map {
        Problem.Detail(parameter: "\($0.id) \($0.field ?? "")", message: $0.present.asFieldValue)
      })
  }

  /// The problem if IFTTT accepted a configuration without applying all of it; nil if it did.
  /// - Parameter after: the connection as fetched after the change.
  package static func notApplied(_ wanted: UserConnection, of after: Connection) -> Problem? {
    let form = ConfigurationForm(after, after.userConnection ?? UserConnection())
    let rest = form.differences(to: wanted).filter { !$0.isOnlyLocationText }
    guard !rest.isEmpty else { return nil }
    return Problem(
      .refused, "IFTTT accepted the settings, but did not apply all of them",
      hint: "See the current settings: \(ifttt: "configure \(after.id)").",
      details: rest.map { Problem.Detail(parameter: $0.address, message: $0.summary) })
  }

  /// Replaces pointers with field names, for an endpoint that accepts fields by their ids.
  /// - Parameter hint: what to do about rejected values.
  package func namingFields(hint: Hint) -> Problem {
    guard status == 422 else { return self }
    var named = self
    for (index, detail) in details.enumerated() {
      guard let pointer = detail.parameter.map(ConfigurationErrors.tokens(of:)), pointer.count == 2,
        pointer[0] == "fields"
      else { continue }
      named.details[index].parameter = pointer[1]
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
    let accepted = options[first.location.step]?.options[first.location.field] ?? []
    let message = detail.message ?? ""
    let mark = message.isEmpty ? "" : message.hasSuffix(".") ? " " : "; "
    return Problem.Detail(
      parameter: entries.map(\.address).joined(separator: ", "),
      message: accepted.isEmpty ? message : "\(message)\(mark)\(FieldValueError.list(accepted)).")
  }

  /// Only `/fields/ID` is documented. Other pointers refer to the request body (docs/api/connect.md U27).
  private func entries(at pointer: [String]) -> [ConfigurationForm.Entry] {
    if pointer.count == 2, pointer[0] == "fields" {
      return form.entries.filter { $0.location.instance != nil && $0.location.field == pointer[1] }
    }
    guard pointer.count >= 4, pointer[0] == "user_features", let instance = Int(pointer[1]),
      form.configuration.features.indices.contains(instance)
    else { return [] }
    let feature = form.configuration.features[instance]
    func found(_ step: String?, _ kind: ConfigurationStep.Kind, _ fields: [UserField], _ fieldIndex: String)
      -> [ConfigurationForm.Entry]
    {
      guard let index = Int(fieldIndex), fields.indices.contains(index) else { return [] }
      return form.entries.filter {
        $0.location.instance == instance && $0.location.step.kind == kind && $0.location.step.stepID == step
          && $0.location.field == fields[index].id
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
