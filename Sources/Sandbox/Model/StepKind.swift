/// The kind of a step, with the API's names for it.
enum StepKind: String, CaseIterable {
  case triggers, queries, actions

  /// The singular: `trigger`, `query` or `action`.
  var word: String {
    switch self {
    case .triggers: "trigger"
    case .queries: "query"
    case .actions: "action"
    }
  }

  var ofFeature: WritableKeyPath<SandboxFixtures.Feature, [SandboxFixtures.Step]> {
    switch self {
    case .triggers: \.triggers
    case .queries: \.queries
    case .actions: \.actions
    }
  }

  var ofUser: WritableKeyPath<SandboxFixtures.UserFeature, [SandboxFixtures.UserStep?]> {
    switch self {
    case .triggers: \.triggers
    case .queries: \.queries
    case .actions: \.actions
    }
  }
}
