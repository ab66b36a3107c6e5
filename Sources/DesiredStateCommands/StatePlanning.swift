import API
import Batch
import CommandContext
import Connect
import DesiredState
import Hints
import Store

/// The plans for the connections of a file.
struct StatePlanning {
  let state: PresentState
  private var session: Session { state.session }

  struct Result {
    /// In the order of the targets. A connection that could not be read, cannot get its target, or was skipped has
    /// none.
    var plans: [ConnectionPlan] = []
    var problems: [(id: ConnectionID, problem: Problem)] = []
    /// The number of connections that already have their target and were skipped.
    var skipped = 0

    /// The problems of entries that ask for something that their connection does not have or accept.
    var invalid: [Problem] { problems.map(\.problem).filter { $0.code == .invalidParameters } }
  }

  /// - Parameter skipsMet: whether connections that already have their target, by the cache, are skipped.
  func plan(_ targets: [TargetState], skippingMet skipsMet: Bool = false) throws -> Result {
    let met = skipsMet ? try state.met(targets) : []
    let targets = met.isEmpty ? targets : targets.filter { !met.contains($0.id) }
    let found = try state.connections(targets.map(\.id))
    var plans = try targets.compactMap { target in try found.connections[target.id].map { try plan(target, $0) } }
    // Values that are given by a label, or are new, can be read and checked only with the options.
    let missing = plans.flatMap { plan in plan.missingOptions.map { (id: plan.id, step: $0) } }
    let options = missing.isEmpty ? [:] : try state.options(missing)
    var problems = found.problems
    for (index, plan) in plans.enumerated() {
      switch options[plan.id] {
      case nil: continue
      case .success(let known): plans[index] = try self.plan(plan.target, plan.present, known)
      case .failure(let problem): problems[plan.id] = problem
      }
    }
    var result = Result(skipped: met.count)
    let byID = Dictionary(uniqueKeysWithValues: plans.map { ($0.id, $0) })
    for target in targets {
      let plan = byID[target.id]
      if let plan, problems[target.id] == nil { note(plan) }
      if let problem = try problems[target.id] ?? plan.flatMap({ try self.problem(of: $0) }) {
        result.problems.append((target.id, problem))
      } else if let plan {
        result.plans.append(plan)
      }
    }
    return result
  }

  func plan(
    _ target: TargetState, _ present: Connection, _ options: [ConfigurationStep: FieldOptions] = [:]
  ) throws -> ConnectionPlan {
    ConnectionPlan(target, present, isPending: try session.pendingConnections.isPending(present), options)
  }

  /// Why a connection cannot get its target; nil if it can.
  func problem(of plan: ConnectionPlan) throws -> Problem? {
    if let problem = plan.problem { return problem }
    guard plan.change == .enable else { return nil }
    let item = JournalItem(id: plan.id.description, action: ConnectClient.Change.enable.rawValue)
    var problem = Problem.pendingWhenDisabled(item, plan.present.status, try session.pendingConnections)
    // There is no --force here.
    problem?.hint = "Activate it again without skipping: \(ifttt: Problem.wayOut(of: item.id))."
    return problem
  }

  /// Names what the file says and has no effect.
  private func note(_ plan: ConnectionPlan) {
    let id = plan.id
    switch plan.ignored {
    case nil: break
    case .status(let status):
      session.console.note("Connection '\(id)' is \(status.rawValue) in the file, which no request can set.")
    case .configuration:
      session.console.note(
        "The settings of connection '\(id)' are not compared: IFTTT sends none while it is disabled.")
    }
  }
}

extension ConnectionPlan {
  /// Why the connection cannot have its desired state; nil if it can.
  var problem: Problem? {
    let subject = "connection '\(id)'"
    switch obstacle {
    case nil: return nil
    case .neverEnabled:
      return Problem(
        .neverEnabled, "\(subject) was never enabled",
        reason: "the user must enable it in a browser the first time; IFTTT has no endpoint for this",
        hint: "Run \(ifttt: "connections activate \(id)").")
    case .unknownStatus:
      return Problem(
        .refused, "the status of \(subject) is unknown", reason: "IFTTT sent none for this user",
        hint: "See what IFTTT sends: \(ifttt: "connections show \(id)").")
    case .unknownConfiguration:
      return Problem(
        .refused, "the settings of \(subject) are unknown",
        reason: "IFTTT sent none, so setting some could lose others",
        hint: "Set them with \(ifttt: "configure \(id)").")
    case .invalid(let faults):
      let place = target.place.map { "\($0)." } ?? ""
      let first = faults.first
      return Problem(
        .invalidParameters, "\(place)\(first?.place ?? ""): \(first?.message ?? "")",
        hint: "\(ifttt: "connections options \(id)") shows what each field accepts.",
        details: faults.map { Problem.Detail(parameter: place + $0.place, message: $0.message) })
    }
  }
}
