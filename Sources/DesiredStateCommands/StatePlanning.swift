import API
import Batch
import CommandContext
import Connect
import DesiredState
import Hints

/// The plans for the connections of a file.
struct StatePlanning {
  let state: PresentState
  private var session: Session { state.session }

  struct Result {
    /// In the order of the file. A connection that could not be read, or cannot have its desired state, has none.
    var plans: [ConnectionPlan] = []
    var failures: BatchFailures
  }

  func plan(_ file: ConnectionsFile) throws -> Result {
    let found = try state.connections(file.connections.map(\.id))
    var plans = try file.connections.compactMap { desired in
      try found.connections[desired.id].map { try plan(desired, $0) }
    }
    // Values that are given by a label, or are new, can be read and checked only with the options.
    let missing = plans.flatMap { plan in plan.missingOptions.map { (id: plan.desired.id, step: $0) } }
    let options = missing.isEmpty ? [:] : try state.options(missing)
    var problems = found.problems
    for (index, plan) in plans.enumerated() {
      switch options[plan.desired.id] {
      case nil: continue
      case .success(let known): plans[index] = try self.plan(plan.desired, plan.present, known)
      case .failure(let problem): problems[plan.desired.id] = problem
      }
    }
    var result = Result(failures: BatchFailures(of: file.connections.count))
    let byID = Dictionary(uniqueKeysWithValues: plans.map { ($0.desired.id, $0) })
    for desired in file.connections {
      if let problem = problems[desired.id] {
        result.failures.add(problem, of: desired.id)
      } else if let plan = byID[desired.id] {
        note(plan)
        if let problem = plan.problem {
          result.failures.add(problem, of: desired.id)
        } else {
          result.plans.append(plan)
        }
      }
    }
    return result
  }

  private func plan(
    _ desired: DesiredConnection, _ present: Connection, _ options: [ConfigurationStep: FieldOptions] = [:]
  ) throws -> ConnectionPlan {
    ConnectionPlan(desired, present, isPending: try session.pendingConnections.isPending(present), options)
  }

  /// Names what the file says and has no effect.
  private func note(_ plan: ConnectionPlan) {
    let id = plan.desired.id
    switch plan.ignored {
    case nil: break
    case .status(let status):
      session.console.note("Connection '\(id)' is \(status.rawValue) in the file, which no request can set.")
    case .configuration:
      session.console.note(
        "The settings of connection '\(id)' are not compared: IFTTT sends none while it is disabled.")
    }
    if plan.isComparedLater {
      session.console.note("The settings of connection '\(id)' can be compared only once it is enabled.")
    }
  }
}

extension ConnectionPlan {
  /// Why the connection cannot have its desired state; nil if it can.
  fileprivate var problem: Problem? {
    let subject = "connection '\(desired.id)'"
    switch obstacle {
    case nil: return nil
    case .neverEnabled:
      return Problem(
        .neverEnabled, "\(subject) was never enabled",
        reason: "the user must enable it in a browser the first time; IFTTT has no endpoint for this",
        hint: "Run \(ifttt: "connections activate \(desired.id)").")
    case .unknownStatus:
      return Problem(.refused, "the status of \(subject) is unknown", reason: "IFTTT sent none for this user")
    case .unknownConfiguration:
      return Problem(
        .refused, "the settings of \(subject) are unknown", reason: "IFTTT sent none, so setting some could lose others"
      )
    case .invalid(let faults):
      let first = faults.first
      return Problem(
        .invalidParameters, "\(desired.place).\(first?.place ?? ""): \(first?.message ?? "")",
        hint: "\(ifttt: "connections options \(desired.id)") shows what each field accepts.",
        details: faults.map { Problem.Detail(parameter: "\(desired.place).\($0.place)", message: $0.message) })
    }
  }
}
