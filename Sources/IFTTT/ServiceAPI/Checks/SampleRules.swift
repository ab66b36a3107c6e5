import JSON

/// The rules for the samples that `test/setup` returns.
struct SampleRules {
  private let setup: TestSetup
  private let plan: ServiceTestPlan
  private var definition: ServiceDefinition? { plan.definition }

  init(_ setup: TestSetup, of plan: ServiceTestPlan) { (self.setup, self.plan) = (setup, plan) }

  var finding: Finding {
    let (problems, deviations) = (faults + gaps, missingActions)
    let words = distinct(problems + deviations).joined(separator: "; ")
    return words.isEmpty ? .passed : problems.isEmpty ? .warning(words) : .failed(words)
  }

  private func distinct(_ problems: [String]) -> [String] {
    var seen: Set<String> = []
    return problems.filter { seen.insert($0).inserted }
  }

  /// What the samples show to be wrong, without the definition.
  private var faults: [String] {
    var problems = setup.malformed.map { "\($0) has an unexpected form" }
    problems += setup.misplaced.map { "\($0.found) must be \($0.expected)" }
    problems += setup.validations.filter { $0.valid == nil || $0.invalid == nil }.map {
      "samples.triggerFieldValidations.\($0.trigger).\($0.field) needs \"valid\" and \"invalid\""
    }
    for trigger in setup.validations.map(\.trigger) where setup.sample(.triggers, trigger) == nil {
      problems.append("samples.triggers.\(trigger) is missing")
    }
    return problems
  }

  /// The documentation wants samples of all actions. IFTTT's own sample services name some of them only in
  /// `actionRecordSkipping`, or not at all if they have no fields.
  private var missingActions: [String] {
    let known = setup.skipped.map(\.slug) + (definition?.steps[.actions] ?? []).filter(\.fields.isEmpty).map(\.slug)
    return known.filter { setup.sample(.actions, $0) == nil }.map { "samples.actions.\($0) is missing" }
  }

  /// What the definition names and the samples lack.
  private var gaps: [String] {
    guard let definition else { return [] }
    var problems: [String] = []
    if definition.usesSignIn == true, setup.accessToken == nil, plan.givenToken == nil {
      problems.append("accessToken is missing, but users sign in to the service")
    }
    // IFTTT's documentation does not mention samples of queries (C37).
    for kind in [ServiceStepKind.triggers, .actions] {
      for step in definition.steps[kind] ?? [] where !step.fields.isEmpty && setup.sample(kind, step.slug) == nil {
        problems.append("samples.\(kind).\(step.slug) is missing")
      }
    }
    for step in definition.steps[.triggers] ?? [] {
      for field in step.fields where field.isValidated {
        if !setup.validations.contains(where: { $0.trigger == step.slug && $0.field == field.slug }) {
          problems.append("samples.triggerFieldValidations.\(step.slug).\(field.slug) is missing")
        }
      }
    }
    return problems
  }
}
