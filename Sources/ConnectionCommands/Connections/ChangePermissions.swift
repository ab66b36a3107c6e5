import Changes
import CommandLine
import IFTTT
import Session
import Store
import Text

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
  ///   - isShown: whether nothing is changed, so that no permission is needed and cached states are good enough.
  func targets(
    of file: ConnectionsFile, _ connections: ConnectSubjects, in shard: Shard?, isShown: Bool = false,
    session: Session
  ) throws -> DesiredConnections {
    let named = file.connections.limited(to: shard)
    guard prunes else { return named }
    // The whole file counts: what another shard applies must not be disabled here.
    let ids = Set(file.connections.ids)
    let tracked = try session.store.tracked(withStatus: [], profile: session.profile.name)
      .compactMap(ConnectionID.init(parsing:)).filter { id in
        !ids.contains(id) && (shard?.contains(id.description) ?? true)
      }
    let source = ChangeSource(count: tracked.count, subject: { Subject(id: tracked[$0].description) }) { index in
      var request = SubjectChange.Request.reading(tracked[index])
      request.mayBeCached = isShown
      return request
    }
    var enabled: [Int] = []
    var unread: (id: ConnectionID, problem: Problem)?
    try SubjectReader(at: ChangeProviders { _ in connections }, in: session).read(source) { index, found in
      guard case .ended(let result) = found else { return }
      if result.latest?.status == .enabled { enabled.append(index) }
      guard let problem = result.problem, unread.map({ tracked[index].description < $0.id.description }) ?? true else {
        return
      }
      unread = (tracked[index], problem)
    }
    if let (id, problem) = unread {
      throw Problem(
        problem.code, "connection '\(id)' could not be read, so --prune cannot tell whether it is enabled",
        reason: problem.summary, hint: problem.hint)
    }
    let surplus = enabled.sorted().map { index in
      DesiredConnection(id: tracked[index], status: .disabled, place: "connection '\(tracked[index])'")
    }
    guard surplus.isEmpty || allowsRemoval || isShown else { throw pruning(surplus.map(\.id)) }
    return DesiredConnections(surplus + Array(named))
  }

  private func pruning(_ ids: [ConnectionID]) -> Problem {
    Problem(
      .refused, "--prune would disable \(ids.count == 1 ? "a connection" : "\(ids.count) connections")",
      reason: "the file does not have \(ids.count == 1 ? "it" : "them")",
      hint: "Add them to the file, or pass --allow-removal too; another machine may track other connections.",
      details: ids.map { Problem.Detail(parameter: $0.description, message: "it would be disabled") })
  }

  /// Checks all results before anything is sent, or a plan is written.
  /// - Throws: the first reason why nothing may be sent.
  static func check(_ results: some Sequence<ChangeResult>) throws {
    try refuse(results.compactMap(\.problem).filter { $0.code == .invalidParameters })
    let removed = results.flatMap(\.removals)
    if !removed.isEmpty { throw Problem.removal(removed) }
  }

  /// - Parameter invalid: the problems of connections that do not accept what the file says.
  private static func refuse(_ invalid: [Problem]) throws {
    if invalid.count == 1 { throw invalid[0] }
    if !invalid.isEmpty {
      throw Problem(
        .invalidParameters, "\(invalid.count) connections do not accept the values in the file", hint: invalid[0].hint,
        details: invalid.flatMap(\.details))
    }
  }
}
