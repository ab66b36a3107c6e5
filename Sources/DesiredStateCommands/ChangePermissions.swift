import API
import Arguments
import Batch
import CommandContext
import Connect
import DesiredState
import Hints
import Store

/// What a plan may do beyond changing what its file names.
struct ChangePermissions: Sendable {
  var prunes = false
  var allowsRemoval = false

  static var flags: [Flag<ChangePermissions>] {
    [
      .toggle("prune", into: \.prunes, help: "Disable tracked, enabled connections that are not in the file"),
      .toggle("allow-removal", into: \.allowsRemoval, help: "Allow removing settings, and disabling with --prune"),
    ]
  }

  /// The targets of a file's entries, and with `--prune`, first, of the connections that it does not have.
  /// - Parameters:
  ///   - shard: the part of all connections that the run is for.
  ///   - isShown: whether nothing is changed, so that no permission is needed.
  func targets(
    of file: ConnectionsFile, _ state: PresentState, in shard: Shard?, isShown: Bool = false
  ) throws -> [TargetState] {
    let named = file.connections.map(TargetState.entry).limited(to: shard)
    guard prunes else { return named }
    // The whole file counts: what another shard applies must not be disabled here.
    let ids = Set(file.connections.map(\.id))
    let session = state.session
    let tracked = try session.store.tracked(withStatus: [], profile: session.profile.name)
      .compactMap(ConnectionID.init(parsing:)).filter { id in
        !ids.contains(id) && (shard?.contains(id.description) ?? true)
      }
    let found = try state.connections(tracked)
    if let (id, problem) = found.problems.min(by: { $0.key.description < $1.key.description }) {
      throw Problem(
        problem.code, "connection '\(id)' could not be read, so --prune cannot tell whether it is enabled",
        reason: problem.summary, hint: problem.hint)
    }
    let surplus = tracked.filter { found.connections[$0]?.status == .enabled }.map { id in
      TargetState.entry(DesiredConnection(id: id, status: .disabled, place: "connection '\(id)'"))
    }
    guard surplus.isEmpty || allowsRemoval || isShown else { throw pruning(surplus.map(\.id)) }
    return surplus + named
  }

  private func pruning(_ ids: [ConnectionID]) -> Problem {
    Problem(
      .refused, "--prune would disable \(ids.count == 1 ? "a connection" : "\(ids.count) connections")",
      reason: "the file does not have \(ids.count == 1 ? "it" : "them")",
      hint: "Add them to the file, or pass --allow-removal too; another machine may track other connections.",
      details: ids.map { Problem.Detail(parameter: $0.description, message: "it would be disabled") })
  }

  /// - Throws: the first reason why nothing may be sent.
  func check(_ result: StatePlanning.Result) throws {
    let invalid = result.invalid
    if invalid.count == 1 { throw invalid[0] }
    if !invalid.isEmpty {
      throw Problem(
        .invalidParameters, "\(invalid.count) connections do not accept the values in the file", hint: invalid[0].hint,
        details: invalid.flatMap(\.details))
    }
    let removing = result.plans.filter(\.removes)
    guard removing.isEmpty || allowsRemoval else { throw Problem.removal(removing) }
  }
}
