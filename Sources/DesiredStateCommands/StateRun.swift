import API
import ActivationCommands
import Batch
import CommandContext
import Connect
import DesiredState
import HTTP
import Hints
import JSON
import Store

/// Gives connections their target states, in parallel. Each is a chain of requests: enable, fetch, configure, fetch,
/// disable, as far as its plan needs them.
final class StateRun {
  typealias Report = BatchRun<ConnectionID>.Report

  private let state: PresentState
  private let planning: StatePlanning
  /// Changes the status; nil if no plan does.
  private let changing: ConnectClient?
  private let journal: StateJournal
  private let allowsRemoval: Bool
  private let report: Report
  private var session: Session { state.session }

  /// - Parameter allowsRemoval: whether settings may be removed that only a fetch during the run shows.
  init(
    _ state: PresentState, changing: ConnectClient?, _ journal: StateJournal, allowsRemoval: Bool, _ report: Report
  ) {
    (self.state, self.changing, self.journal) = (state, changing, journal)
    (self.allowsRemoval, self.report) = (allowsRemoval, report)
    planning = StatePlanning(state: state)
  }

  func run(_ plans: [ConnectionPlan]) throws {
    guard !plans.isEmpty else { return }
    if plans.count > 1 { report.begin("Changing", of: plans.count) }
    var rest = plans[...]
    let skipped = try state.client.run {
      guard let plan = rest.popFirst() else { return .end }
      report.starting(plan.id)
      let progress = Progress(plan: plan)
      return .chain(try plan.change == .enable ? self.enable(progress) : self.configure(progress, plan))
    }
    guard let skipped else { return }
    for plan in rest { _ = try end(Progress(plan: plan), Problem(.http(.skipped(skipped)), subject: plan.subject)) }
  }

  /// One connection on its way.
  private struct Progress {
    let plan: ConnectionPlan
    /// The connection as last fetched.
    var latest: FetchedConnection?
    /// Whether IFTTT accepted a change.
    var hasChanged = false

    var id: ConnectionID { plan.id }

    /// Whether a response to a change has what the rest of the chain needs: it may lack the settings.
    func isShown(by answer: FetchedConnection) -> Bool {
      !plan.isComparedLater || answer.connection.userConnection != nil
    }

    func after(_ answer: FetchedConnection) -> Progress {
      var progress = self
      (progress.latest, progress.hasChanged) = (answer, true)
      return progress
    }
  }

  // MARK: Status

  private func enable(_ progress: Progress) throws -> RequestChain {
    try change(progress, .enable) { progress in
      self.session.usage.record(.enable, of: progress.id, before: progress.plan.present.status)
      guard progress.plan.isComparedLater, let latest = progress.latest?.connection else {
        return try self.end(progress)
      }
      // IFTTT shows the settings only now, and an undo needs them.
      let before = RecordedState(status: progress.plan.present.status, configuration: latest.userConnection)
      try self.journal.correct(progress.id, before: before)
      return try self.compare(progress, latest)
    }
  }

  private func disable(_ progress: Progress) throws -> RequestChain {
    // A disabled connection does not show that it cannot be enabled again, so remember it.
    if try session.pendingConnections.isPending(progress.latest?.connection ?? progress.plan.present) {
      try session.pendingConnections.mark(progress.id)
    }
    return try change(progress, .disable) { progress in
      self.session.usage.record(.disable, of: progress.id, before: progress.plan.present.status)
      return try self.end(progress)
    }
  }

  /// Changes the status and fetches the connection, unless the response shows what is needed.
  private func change(
    _ progress: Progress, _ change: ConnectClient.Change, then: @escaping (Progress) throws -> RequestChain
  ) throws -> RequestChain {
    guard let changing else { return .end }
    let wanted: Connection.Status = change == .enable ? .enabled : .disabled
    func finish(_ progress: Progress) throws -> RequestChain {
      let status = progress.latest?.connection.status ?? .unknown
      let isRight = status == wanted || (change == .disable && status == .neverEnabled)
      return isRight ? try then(progress) : try end(progress, .stays(progress.id, status))
    }
    return try changing.chain(changing: progress.id, change, starting: { try self.journal.send(progress.id) }) {
      result in
      switch result {
      case .failure(let failure): return try self.end(progress, failure)
      case .success(let answer?) where answer.connection.status == wanted && progress.isShown(by: answer):
        return try finish(progress.after(answer))
      case .success: return try self.fetch(progress, then: finish)
      }
    }
  }

  // MARK: Settings

  /// Compares the settings of a connection that was just enabled.
  private func compare(
    _ progress: Progress, _ latest: Connection, _ options: [ConfigurationStep: FieldOptions] = [:]
  ) throws -> RequestChain {
    let plan = try planning.plan(progress.plan.target, latest, options)
    if let step = plan.missingOptions.first(where: { options[$0] == nil }) {
      return state.client.chain(optionsOf: step, of: progress.id) { result in
        switch result {
        case .failure(let failure): return try self.end(progress, failure)
        case .success(let found):
          return try self.compare(progress, latest, options.merging([step: found]) { $1 })
        }
      }
    }
    if let problem = try planning.problem(of: plan) { return try end(progress, problem) }
    guard allowsRemoval || !plan.removes else { return try end(progress, .removal([plan])) }
    return try configure(progress, plan, options)
  }

  private func configure(
    _ progress: Progress, _ plan: ConnectionPlan, _ options: [ConfigurationStep: FieldOptions] = [:]
  ) throws -> RequestChain {
    guard let wanted = plan.configuration else { return try disableOrEnd(progress) }
    return state.client.chain(
      configuring: progress.id, wanted.requestBody, starting: { try self.journal.send(progress.id) }
    ) { result in
      if case .failure(let failure) = result {
        let form = ConfigurationForm(plan.present, wanted)
        return try self.end(progress, failure) { ConfigurationErrors(form: form, options: options).explained($0) }
      }
      if wanted.features.contains(where: \.isEnabled) { try self.session.pendingConnections.clear(progress.id) }
      return try self.fetch(progress) { progress in
        if let after = progress.latest?.connection, let problem = Problem.notApplied(wanted, of: after) {
          return try self.end(progress, problem)
        }
        return try self.disableOrEnd(progress)
      }
    }
  }

  private func disableOrEnd(_ progress: Progress) throws -> RequestChain {
    try progress.plan.change == .disable ? disable(progress) : end(progress)
  }

  // MARK: Results

  /// Fetches the connection after a change.
  private func fetch(
    _ progress: Progress, then: @escaping (Progress) throws -> RequestChain
  ) throws -> RequestChain {
    state.client.chain(showing: progress.id) { result in
      switch result {
      case .success(let answer): return try then(progress.after(answer))
      case .failure(let failure):
        var problem = Problem(failure, subject: progress.plan.subject)
        problem.message = "IFTTT accepted the change, but its effect is unknown: \(problem.message)"
        return try self.end(progress, problem)
      }
    }
  }

  private func end(
    _ progress: Progress, _ failure: APIError, explained: (Problem) -> Problem = { $0 }
  ) throws -> RequestChain {
    if failure.leavesNothingChanged, !progress.hasChanged { try journal.fail(progress.id) }
    return try end(progress, explained(Problem(failure, subject: progress.plan.subject)))
  }

  private func end(_ progress: Progress, _ problem: Problem? = nil) throws -> RequestChain {
    let (id, before) = (progress.id, progress.plan.present.status)
    if let latest = progress.latest {
      try state.keep(latest)
      if problem == nil { try journal.finish(id, RecordedState(latest.connection)) }
    }
    let row = ChangeRow(
      id: id, status: progress.latest?.connection.status ?? (problem == nil ? before : .unknown), previous: before,
      problem: problem?.completed(with: session.suggestions), isChanged: progress.hasChanged)
    try report(id, row.result)
    return .end
  }
}

extension ConnectionPlan {
  var subject: String { "connection '\(id)'" }
}

extension Problem {
  fileprivate static func stays(_ id: ConnectionID, _ status: Connection.Status) -> Problem {
    Problem(
      .refused, "connection '\(id)' is still \(status.rawValue)",
      reason: "IFTTT accepted the request, but nothing changed",
      hint: "Try again, or open its page: \(ifttt: "connections open \(id)").")
  }

  /// The problem of settings that would be removed without permission.
  static func removal(_ plans: [ConnectionPlan]) -> Problem {
    let removed = plans.flatMap(\.differences).filter { $0.change == .removed }
    let what = removed.count == 1 ? "a setting" : "\(removed.count) settings"
    return Problem(
      .refused, "this would remove \(what)", reason: "the file does not have them",
      hint: "Add them to the file, or pass --allow-removal.",
      details: removed.map {
        Problem.Detail(parameter: "\($0.id) \($0.field ?? "")", message: $0.present.asFieldValue)
      })
  }
}
