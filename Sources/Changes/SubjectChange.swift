package import IFTTT
package import Session

/// The change of one subject to its target, as a state machine: an event in, at most one action out.
///
/// It has no side effects. The caller executes each action and reports its result as an event; nothing follows
/// ``Action/end(_:)``. Nothing is sent before the subject was read and its plan was approved.
package struct SubjectChange: Sendable {
  /// The subject, its target and the settings of its change.
  package struct Request: Sendable {
    package var subject: Subject
    package var target: TargetState
    package var options = ConnectionPlan.Options()
    /// Whether settings may be removed.
    package var allowsRemoval = false
    /// Whether the command has an option `--force`, which an error may suggest.
    package var offersForce = false
    /// The known options of the fields.
    package var fieldOptions: [ConfigurationStep: FieldOptions] = [:]
    /// Whether the plan may be made from a cached state.
    package var mayBeCached = false
    /// The state that the subject must still have, for an undo or redo; nil for any.
    package var expected: RecordedState?
    /// The record of an earlier part of the run; nil for a new subject.
    package var earlier: Earlier?

    package init(_ subject: Subject, _ target: TargetState) { (self.subject, self.target) = (subject, target) }
  }

  /// The record of an earlier part of the run.
  package struct Earlier: Sendable {
    /// The state before the run; nil if it was not read.
    package var before: RecordedState?
    /// Whether a request may have been sent.
    package var wasSent: Bool
    /// Its position in the journal.
    package var position: Int

    package init(before: RecordedState?, wasSent: Bool, position: Int) {
      (self.before, self.wasSent, self.position) = (before, wasSent, position)
    }
  }

  package enum Event: Sendable {
    case begun
    case read(SubjectState)
    case readFailed(Problem)
    case options(ConfigurationStep, FieldOptions)
    case optionsFailed(Problem)
    case approved
    case refused(Problem)
    /// The server accepted the step. Its response may have shown the subject.
    case accepted(SubjectState?)
    /// - Parameter isUnchanged: whether the request certainly changed nothing.
    case failed(Problem, isUnchanged: Bool)
  }

  package enum Action: Sendable {
    /// - Parameter isFresh: whether to fetch the subject even if the cache has a fresh state.
    case read(isFresh: Bool)
    case readOptions(ConfigurationStep)
    /// Waits for ``Event/approved`` or ``Event/refused(_:)``.
    case propose(ConnectionPlan)
    /// Sends a step, after the state before the run is recorded.
    case send(ChangeStep, before: RecordedState)
    case end(ChangeResult)
  }

  private enum Phase {
    case waiting, reading
    /// Needs field options.
    /// - Parameter isLater: whether a step has already been sent.
    case comparing(SubjectState, isLater: Bool)
    case proposing
    case sending(ChangeStep)
    /// Reads the effect of a step, which may have failed.
    case checking(ChangeStep, Problem?)
    case ended
  }

  package private(set) var request: Request
  private var phase = Phase.waiting
  private var options: [ConfigurationStep: FieldOptions] = [:]
  private var plan: ConnectionPlan?
  /// The steps that were not sent yet.
  private var steps: ArraySlice<ChangeStep> = []
  /// The state before the run; nil until it is read.
  package private(set) var before: RecordedState?
  /// The subject as last read or as the last response showed it; nil if it is unknown.
  private var latest: SubjectState?
  /// The settings as last read. IFTTT returns none for a disabled connection.
  private var settings: UserConnection?
  /// Whether a request was accepted, or had its effect.
  private var hasChanged = false
  /// The value of ``hasChanged`` before the last accepted step.
  private var hadChanged = false
  /// Whether a request was sent whose effect is unknown.
  private var isUncertain = false
  private var wasAttempted = false
  /// The last step that had its effect, until ``popCompleted()`` returns it.
  private var completed: ChangeStep?
  package private(set) var hasSent = false

  package init(_ request: Request) {
    (self.request, before, options) = (request, request.earlier?.before, request.fieldOptions)
  }

  /// Whether the plan disables a connection that cannot be enabled again.
  package var isIrreversible: Bool { plan?.isIrreversible == true }

  package mutating func receive(_ event: Event) -> Action? {
    switch (phase, event) {
    case (.waiting, .begun):
      phase = .reading
      // A connection may have become pending since it was cached, and would then be disabled for good.
      return .read(isFresh: !request.mayBeCached || request.target.status == .disabled)
    case (.reading, .read(let state)): return compare(state, isLater: false)
    case (.reading, .readFailed(let problem)): return end(problem)
    case (.comparing(let state, let isLater), .options(let step, let found)):
      options[step] = found
      return compare(state, isLater: isLater)
    case (.comparing, .optionsFailed(let problem)): return end(problem)
    case (.proposing, .approved): return next()
    case (.proposing, .refused(let problem)): return end(problem)
    case (.sending(let step), .accepted(let state)): return accept(step, state)
    case (.sending(let step), .failed(let problem, let isUnchanged)): return fail(step, problem, isUnchanged)
    case (.checking(let step, let problem), .read(let state)): return check(step, state, problem)
    case (.checking(_, let problem), .readFailed(let unread)):
      (latest, isUncertain) = (nil, true)
      return end(problem ?? .effectUnknown(of: request.subject, unread))
    default: return nil
    }
  }

  /// Returns the step that had its effect since the last call.
  mutating func popCompleted() -> ChangeStep? {
    defer { completed = nil }
    return completed
  }

  /// Forgets the settings of the proposed plan, which are large. The subject must be read again before it is changed,
  /// so this is only possible if no settings are sent.
  package mutating func forgetSettings() {
    guard case .proposing = phase, !request.target.namesConfiguration else { return }
    plan = plan?.withoutSettings
    latest?.connection = nil
    settings = nil
  }

  // MARK: Planning

  private mutating func compare(_ state: SubjectState, isLater: Bool) -> Action? {
    updateLatest(state)
    // A request that may have been sent before must not be repeated only because of --force.
    var planning = request.options
    if request.earlier?.wasSent == true { planning.isForced = false }
    let plan = ConnectionPlan(
      isLater ? request.target.settingsOnly : request.target, of: request.subject.name, state, options, planning)
    if let step = plan.missingOptions.first(where: { options[$0] == nil }) {
      phase = .comparing(state, isLater: isLater)
      return .readOptions(step)
    }
    if isLater {
      // An undo needs the settings, which IFTTT did not return for the disabled connection.
      before?.configuration = state.connection?.userConnection
    } else {
      before = request.earlier?.before ?? recorded(state)
      self.plan = plan
    }
    if let problem = Problem.obstacle(of: plan, request.subject, offersForce: request.offersForce) {
      return end(problem)
    }
    guard !plan.isEmpty else { return end() }
    if let expected = request.expected, !isLater, !expected.isStill(state) {
      return end(.changedSince(request.subject))
    }
    if plan.removals > 0, !request.allowsRemoval {
      return end(.removal(plan.differences.filter { $0.change == .removed }), removing: plan)
    }
    steps = plan.steps[...]
    guard !isLater else { return next() }
    phase = .proposing
    return .propose(plan)
  }

  /// The parts of a state that an undo of this change needs.
  private func recorded(_ state: SubjectState) -> RecordedState {
    request.target.namesConfiguration
      ? RecordedState(state) : RecordedState(status: state.status, configuration: nil)
  }

  /// The state after the run, with the settings that it left.
  private func recordedAfter(_ state: SubjectState) -> RecordedState {
    var after = recorded(state)
    if request.target.namesConfiguration, after.configuration == nil, hasSent { after.configuration = settings }
    return after
  }

  private mutating func updateLatest(_ state: SubjectState) {
    latest = state
    settings = state.connection?.userConnection ?? settings
  }

  // MARK: Sending

  private mutating func next() -> Action? {
    guard let step = steps.popFirst(), let before else { return end() }
    (phase, hasSent, wasAttempted) = (.sending(step), true, true)
    return .send(step, before: before)
  }

  private mutating func accept(_ step: ChangeStep, _ state: SubjectState?) -> Action? {
    (hadChanged, hasChanged) = (hasChanged, true)
    if before?.status == .unknown, let previous = state?.previous { before?.status = previous }
    // The response to a change may lack the subject; the response to a new configuration always does
    // (docs/api/connect.md U2).
    if let state, step.isSet || (state.status == step.status && !needsSettings(step, state)) {
      return check(step, state, nil)
    }
    phase = .checking(step, nil)
    return .read(isFresh: true)
  }

  private func needsSettings(_ step: ChangeStep, _ state: SubjectState) -> Bool {
    step == .enable && plan?.isComparedLater == true && state.connection?.userConnection == nil
  }

  private mutating func fail(_ step: ChangeStep, _ problem: Problem, _ isUnchanged: Bool) -> Action? {
    var problem = problem
    if case .configure(let wanted) = step, let connection = plan?.present.connection {
      let form = ConfigurationForm(connection, wanted)
      problem = ConfigurationErrors(form: form, options: options).explained(problem)
    }
    guard !isUnchanged else {
      // This request changed nothing, so a resumed run may send it again.
      hasSent = hasChanged
      return end(problem)
    }
    if step.isSet {
      // A plugin's fields cannot be read.
      (latest, isUncertain) = (nil, true)
      return end(problem)
    }
    phase = .checking(step, problem)
    return .read(isFresh: true)
  }

  /// Continues with the next step if this step had its effect.
  private mutating func check(_ step: ChangeStep, _ state: SubjectState, _ problem: Problem?) -> Action? {
    updateLatest(state)
    if let missing = Problem.missingEffect(of: step, on: state, request.subject) {
      // Settings may have been accepted in part.
      if problem == nil, step.status != nil { hasChanged = hadChanged }
      return end(problem ?? missing)
    }
    (hasChanged, completed) = (true, step)
    if step == .enable, plan?.isComparedLater == true { return compare(state, isLater: true) }
    return next()
  }

  // MARK: Results

  /// - Parameter plan: the plan that would remove settings.
  private mutating func end(_ problem: Problem? = nil, removing plan: ConnectionPlan? = nil) -> Action {
    phase = .ended
    let after = latest.map(recordedAfter)
    return .end(
      ChangeResult(
        subject: request.subject, before: before, after: isUncertain ? nil : after,
        isChanged: isChanged(to: after), hasSent: hasSent, wasAttempted: wasAttempted, isUncertain: isUncertain,
        latest: latest, removals: plan?.differences.filter { $0.change == .removed } ?? [],
        ignored: self.plan?.ignoredText, problem: problem))
  }

  private func isChanged(to after: RecordedState?) -> Bool {
    guard hasSent || request.earlier?.wasSent == true, !isUncertain, let before, let latest, after != nil else {
      return hasChanged
    }
    guard before.isStill(latest) else { return true }
    // If the state before is unknown, only the accepted request shows that something changed.
    let wasUnknown = before.configuration == nil && (request.target.namesConfiguration || before.status == .unknown)
    return wasUnknown && hasChanged
  }
}

extension ChangeStep {
  fileprivate var isSet: Bool { if case .set = self { true } else { false } }
}

/// The result of the change of one subject.
package struct ChangeResult: Sendable {
  package var subject: Subject
  /// The state before the run; nil if it could not be read.
  package var before: RecordedState?
  /// The state after the run, as far as it was read; nil if it is unknown.
  package var after: RecordedState?
  /// Whether the subject differs from its state before the run.
  package var isChanged = false
  /// Whether a request may have been sent.
  package var hasSent = false
  /// Whether a request was attempted, even if it certainly changed nothing.
  package var wasAttempted = false
  /// Whether a request was sent and its effect could not be read.
  package var isUncertain = false
  /// The subject as last read.
  package var latest: SubjectState?
  /// The settings that the change would have removed without permission.
  package var removals: [StateDifference] = []
  /// A sentence about parts of the target that have no effect.
  package var ignored: String?
  package var problem: Problem?

  /// The same result without settings, which are large.
  package var withoutSettings: ChangeResult {
    var result = self
    result.latest = nil
    result.before?.configuration = nil
    result.after?.configuration = nil
    return result
  }

  /// Whether the states before and after the run have settings.
  var hasSettings: Bool { before?.configuration != nil || after?.configuration != nil }

  /// Whether the same change may succeed later, so that a resumed run retries it.
  var isRetryable: Bool { problem?.isRetryable == true }

  package var row: ChangeRow {
    ChangeRow(id: subject.name, status: status, previous: previous, problem: problem, isChanged: isChanged)
  }

  package var status: UserStatus { after?.status ?? .unknown }
  package var previous: UserStatus { before?.status ?? .unknown }
}
