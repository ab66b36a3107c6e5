import API
import ActivationCommands
import Batch
import CommandContext
import Connect
import DesiredState
import HTTP
import Hints

/// The change of one connection to its target state, as a chain of requests: fetch, enable, fetch, configure, fetch,
/// disable, as far as it needs them.
struct StateChange {
  let client: ConnectClient
  /// Changes the status. Only called if a plan does.
  let changing: () throws -> Result<ConnectClient, Problem>
  /// Whether settings may be removed.
  let allowsRemoval: Bool
  let run: any StateChangeRun

  /// Fetches the connection, and changes what differs from its target.
  func chain(to target: TargetState) -> RequestChain {
    client.chain(showing: target.id) { result in
      switch result {
      case .failure(let failure):
        return try run.end(
          StateChangeResult(id: target.id, problem: Problem(failure, subject: "connection '\(target.id)'")))
      case .success(let answer):
        let present = answer.connection
        let progress = Progress(plan: try run.plan(target, present, [:]))
        return try compare(progress, present) { plan, options in try chain(for: plan, options) }
      }
    }
  }

  /// Executes a plan.
  /// - Parameter options: the known options of its fields.
  func chain(for plan: ConnectionPlan, _ options: [ConfigurationStep: FieldOptions] = [:]) throws -> RequestChain {
    var progress = Progress(plan: plan)
    guard !plan.isEmpty else { return try end(progress) }
    if plan.change != nil {
      // Without credentials for the status, the settings must not change either.
      switch try changing() {
      case .success(let client): progress.changer = client
      case .failure(let problem): return try end(progress, problem, isUnchanged: true)
      }
    }
    try run.willChange(plan)
    return try plan.change == .enable ? enable(progress) : configure(progress, plan, options)
  }

  /// A connection on its way.
  struct Progress {
    let plan: ConnectionPlan
    /// The connection as last fetched.
    var latest: FetchedConnection?
    /// Whether IFTTT accepted a change.
    var hasChanged = false
    /// Changes the status, if the plan does.
    var changer: ConnectClient?

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
      try run.accepted(.enable, progress.plan)
      guard progress.plan.isComparedLater, let latest = progress.latest?.connection else {
        return try end(progress)
      }
      // IFTTT shows the settings only now, and an undo needs them.
      let before = RecordedState(status: progress.plan.present.status, configuration: latest.userConnection)
      try run.correct(progress.id, before: before)
      return try compare(progress, latest) { plan, options in try configure(progress, plan, options) }
    }
  }

  private func disable(_ progress: Progress) throws -> RequestChain {
    try run.willDisable(progress.latest?.connection ?? progress.plan.present)
    return try change(progress, .disable) { progress in
      try run.accepted(.disable, progress.plan)
      return try end(progress)
    }
  }

  /// Changes the status and fetches the connection, unless the response shows what is needed.
  private func change(
    _ progress: Progress, _ change: ConnectClient.Change, then: @escaping (Progress) throws -> RequestChain
  ) throws -> RequestChain {
    guard let changer = progress.changer else { return .end }
    let wanted: Connection.Status = change == .enable ? .enabled : .disabled
    func finish(_ progress: Progress) throws -> RequestChain {
      let status = progress.latest?.connection.status ?? .unknown
      let isRight = status == wanted || (change == .disable && status == .neverEnabled)
      return isRight ? try then(progress) : try end(progress, .ineffective(progress.id, status))
    }
    return try changer.chain(changing: progress.id, change, starting: { try run.willSend(progress.id) }) {
      result in
      switch result {
      case .failure(let failure): return try end(progress, failure)
      case .success(let answer?) where answer.connection.status == wanted && progress.isShown(by: answer):
        return try finish(progress.after(answer))
      case .success: return try fetch(progress, then: finish)
      }
    }
  }

  // MARK: Settings

  /// Compares a connection that was just fetched with its target, and fetches the options that this needs.
  private func compare(
    _ progress: Progress, _ present: Connection, _ options: [ConfigurationStep: FieldOptions] = [:],
    then: @escaping (ConnectionPlan, [ConfigurationStep: FieldOptions]) throws -> RequestChain
  ) throws -> RequestChain {
    let plan = try run.plan(progress.plan.target, present, options)
    if let step = plan.missingOptions.first(where: { options[$0] == nil }) {
      return client.chain(optionsOf: step, of: progress.id) { result in
        switch result {
        case .failure(let failure): return try end(progress, failure)
        case .success(let found):
          return try compare(progress, present, options.merging([step: found]) { $1 }, then: then)
        }
      }
    }
    if let problem = try run.problem(of: plan) { return try end(progress, problem) }
    guard allowsRemoval || !plan.removes else { return try end(progress, .removal([plan])) }
    return try then(plan, options)
  }

  private func configure(
    _ progress: Progress, _ plan: ConnectionPlan, _ options: [ConfigurationStep: FieldOptions] = [:]
  ) throws -> RequestChain {
    guard let wanted = plan.configuration else { return try disableOrEnd(progress) }
    return client.chain(
      configuring: progress.id, wanted.requestBody, starting: { try run.willSend(progress.id) }
    ) { result in
      if case .failure(let failure) = result {
        let form = ConfigurationForm(plan.present, wanted)
        return try end(progress, failure) { ConfigurationErrors(form: form, options: options).explained($0) }
      }
      try run.accepted(wanted, of: progress.id)
      return try fetch(progress) { progress in
        if let after = progress.latest?.connection, let problem = Problem.notApplied(wanted, of: after) {
          return try end(progress, problem)
        }
        return try disableOrEnd(progress)
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
    client.chain(showing: progress.id) { result in
      switch result {
      case .success(let answer): return try then(progress.after(answer))
      case .failure(let failure):
        var problem = Problem(failure, subject: progress.plan.subject)
        problem.message = "IFTTT accepted the change, but its effect is unknown: \(problem.message)"
        return try end(progress, problem)
      }
    }
  }

  private func end(
    _ progress: Progress, _ failure: APIError, explained: (Problem) -> Problem = { $0 }
  ) throws -> RequestChain {
    let isUnchanged = failure.leavesNothingChanged && !progress.hasChanged
    return try end(progress, explained(Problem(failure, subject: progress.plan.subject)), isUnchanged: isUnchanged)
  }

  /// - Parameter isUnchanged: whether the connection certainly has its state before the run.
  private func end(
    _ progress: Progress, _ problem: Problem? = nil, isUnchanged: Bool = false
  ) throws -> RequestChain {
    let plan = progress.plan
    return try run.end(
      StateChangeResult(
        id: plan.id, before: plan.present.status, latest: progress.latest, isChanged: progress.hasChanged,
        isUnchanged: isUnchanged, problem: problem))
  }
}

extension ConnectionPlan {
  var subject: String { "connection '\(id)'" }
}

extension Problem {
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
