package import IFTTT
package import Session
package import Text

// The errors of changes, shared by all commands.
extension Problem {
  /// The reason why a subject cannot be changed to its target; nil if it can.
  package static func obstacle(of plan: ConnectionPlan, _ subject: Subject, offersForce: Bool = false) -> Problem? {
    let (noun, id) = (subject.noun, subject.name)
    switch plan.obstacle {
    case nil: return nil
    case .neverEnabled: return .neverEnabled(subject)
    case .pendingWhenDisabled:
      return .disabledWhilePending(id, noun, offersForce: offersForce)
    case .unknownStatus:
      let reason = subject.provider == .connect ? "IFTTT sent none for this user" : "its provider reported none"
      return Problem(
        .refused, "the status of \(noun) is unknown", reason: reason,
        hint: offersForce
          ? "Check the credentials: \(ifttt: "token verify"). --force sends the request anyway."
          : "Check the credentials: \(ifttt: "token verify").")
    case .unknownConfiguration:
      return Problem(
        .refused, "the settings of \(noun) are unknown", reason: "IFTTT sent none, so setting some could lose others",
        hint: "Set them with \(ifttt: "configure \(id)").")
    case .disabled:
      return Problem(
        .refused, "\(noun) is disabled", reason: "IFTTT rejects settings for a disabled connection",
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

  /// The problem of an undo, a redo or a resumed run if its original run was deleted from the journal.
  package static var runDeleted: Problem {
    Problem(
      .notFound, "the original run was deleted from the journal",
      hint: "Set the state with \(ifttt: "connections apply FILE").")
  }

  /// The problem of a subject that must be read while `--offline` is in effect.
  package static func neverFetched(_ noun: String) -> Problem {
    Problem(
      .network, "\(noun) was never fetched with these credentials",
      hint: "Run the command without --offline, or with the credentials of an earlier one.")
  }

  /// The problem of an accepted step whose effect the subject does not show; nil if it does.
  static func missingEffect(of step: ChangeStep, on state: SubjectState, _ subject: Subject) -> Problem? {
    if case .configure(let wanted) = step {
      return state.connection.flatMap { notApplied(wanted, of: $0) }
    }
    if case .set = step { return nil }
    let hasEffect = state.status == step.status || (step == .disable && state.status == .neverEnabled)
    return hasEffect ? nil : ineffective(subject, state.status)
  }

  /// The problem of a change that was accepted without effect.
  package static func ineffective(_ subject: Subject, _ status: UserStatus, code: Problem.Code = .refused) -> Problem {
    let provider = if case .plugin(let name) = subject.provider { "plugin '\(name)'" } else { "IFTTT" }
    let hint: Hint =
      subject.provider == .connect
      ? "Try again, or open its page: \(ifttt: "connections open \(subject.id)")."
      : "Try again, or change it at its provider."
    return Problem(
      code, "\(subject.noun) is still \(status.rawValue)",
      reason: "\(provider) accepted the request, but nothing changed", hint: hint)
  }

  /// The problem of an accepted change after which the subject could not be read.
  static func effectUnknown(of subject: Subject, _ readProblem: Problem) -> Problem {
    var problem = readProblem
    let provider = if case .plugin(let name) = subject.provider { "Plugin '\(name)'" } else { "IFTTT" }
    problem.message = "\(provider) accepted the change, but its effect is unknown: \(readProblem.message)"
    return problem
  }

  /// The problem of a subject that others have changed since the run that is undone or redone.
  static func changedSince(_ subject: Subject) -> Problem {
    Problem(
      .conflict, "\(subject.noun) was changed by others since", reason: "it is not in the state that the run left",
      hint: "Pass --force to revert it too.")
  }

  /// The problem of a subject that became pending after the confirmation.
  static func notConfirmed(_ subject: Subject, in session: Session) -> Problem {
    Problem(
      .confirmationRequired, "\(subject.noun) cannot be enabled again once it is disabled",
      reason: "it became pending after the change was confirmed", hint: session.confirmingHint)
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

  /// The problem of a configuration that IFTTT accepted but did not apply completely; nil if it did.
  /// - Parameter after: the connection as fetched after the change.
  package static func notApplied(_ wanted: UserConnection, of after: Connection) -> Problem? {
    let form = ConfigurationForm(after, after.userConnection ?? UserConnection())
    let unapplied = form.differences(to: wanted).filter { !$0.isOnlyLocationText }
    guard !unapplied.isEmpty else { return nil }
    return Problem(
      .refused, "IFTTT accepted the settings, but did not apply all of them",
      hint: "See the current settings: \(ifttt: "configure \(after.id)").",
      details: unapplied.map { Problem.Detail(parameter: $0.address, message: $0.summary) })
  }

  /// Replaces JSON Pointers to fields with the ids of the fields, for an endpoint that accepts fields by their ids.
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

/// Replaces the JSON Pointers in IFTTT's errors with the addresses of settings, and adds the values that each setting
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
    let separator = message.isEmpty ? "" : message.hasSuffix(".") ? " " : "; "
    return Problem.Detail(
      parameter: entries.map(\.address).joined(separator: ", "),
      message: accepted.isEmpty ? message : "\(message)\(separator)\(FieldValueError.list(accepted)).")
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
    func formEntries(_ step: String?, _ kind: ConfigurationStep.Kind, _ fields: [UserField], _ fieldIndex: String)
      -> [ConfigurationForm.Entry]
    {
      guard let index = Int(fieldIndex), fields.indices.contains(index) else { return [] }
      return form.entries.filter {
        $0.location.instance == instance && $0.location.step.kind == kind && $0.location.step.stepID == step
          && $0.location.field == fields[index].id
      }
    }
    if pointer[2] == "user_fields" { return formEntries(nil, .feature, feature.fields, pointer[3]) }
    guard pointer.count >= 6, pointer[4] == "user_fields", let index = Int(pointer[3]),
      let kind = ConfigurationStep.Kind.allCases.first(where: { "user_feature_\($0.plural)" == pointer[2] }),
      feature[kind].indices.contains(index)
    else { return [] }
    return formEntries(feature[kind][index].stepID, kind, feature[kind][index].fields, pointer[5])
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
