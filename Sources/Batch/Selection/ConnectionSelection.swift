import API
package import Arguments
package import CommandContext
package import Connect
import Store

/// The connections a command is about: named, all that are tracked, those with a status, or those on standard input.
package struct ConnectionSelection: Sendable {
  package var ids: [ConnectionID] = []
  package var isAll = false
  package var statuses: [Connection.Status] = []
  package var readsInput = false

  package init(
    ids: [ConnectionID] = [], isAll: Bool = false, statuses: [Connection.Status] = [], readsInput: Bool = false
  ) {
    (self.ids, self.isAll, self.statuses, self.readsInput) = (ids, isAll, statuses, readsInput)
  }

  /// For the help of commands that take ids.
  package static let naming = """
    In place of an id, you can give a prefix that is unique among the tracked connections, or the connection's exact name. \
    An id that exists at IFTTT takes precedence. On stdin, only full ids are accepted.
    """

  package static var flags: [Flag<ConnectionSelection>] {
    [
      .toggle("all", into: \.isAll, help: "All connections that this profile tracks"),
      .repeatedList(
        "status", .status, into: \.statuses, help: "Tracked connections with this status, or one of several"),
      input,
    ]
  }

  package static var input: Flag<ConnectionSelection> {
    .toggle(
      "stdin", into: \.readsInput,
      help:
        "Connections from stdin: one id per line, JSON Lines, a JSON array, or the output of 'connections list'")
  }

  /// - Parameter options: of the command, besides ids, that say what it is about.
  package func check(_ options: [String] = ["all", "status", "stdin"], beside other: Bool = false) throws(Conflict) {
    let list = options.map { "--\($0)" }
    let ways = [!ids.isEmpty, isAll, !statuses.isEmpty, readsInput, other].filter { $0 }.count
    let spoken = list.count > 1 ? list.dropLast().joined(separator: ", ") + " or \(list[list.count - 1])" : list[0]
    if ways > 1 { throw Conflict("give ids, or one of \(spoken)", options: options) }
    if ways == 0 { throw Conflict("name connections by their ids, or choose them with \(spoken)", isLack: true) }
  }

  /// - Parameter credentials: as whom the status is asked for where it is not known or out of date; nil for a command
  ///   that asks nobody.
  package func resolve(_ credentials: CredentialOptions?, in session: Session) throws -> BatchSelection<ConnectionID> {
    if readsInput {
      return try session.selectionFromInput("a connection's id", ConnectionID.init(parsing:))
    }
    guard isAll || !statuses.isEmpty else {
      var seen: Set<ConnectionID> = []
      let ids = ids.filter { seen.insert($0).inserted }
      return BatchSelection(ids: ids, isSingle: ids.count == 1)
    }
    var selection = BatchSelection<ConnectionID>(ids: [])
    var read: [String: CachedConnection] = [:]
    if let credentials, !statuses.isEmpty, try !session.isCutOff {
      (selection.faults, read) = try refresh(credentials, in: session)
    }
    let unknown = Set(selection.faults.map(\.name))
    selection.ids = try chosen(read, in: session).filter { !unknown.contains($0) }
      .compactMap(ConnectionID.init(parsing:))
    return selection
  }

  /// - Parameter read: what a dry run has read, which the store does not know.
  private func chosen(_ read: [String: CachedConnection], in session: Session) throws -> [String] {
    let (store, profile) = (try session.store, try session.profile.name)
    let wanted = Set(statuses.map(\.rawValue))
    guard !read.isEmpty else {
      let planned = try statuses.isEmpty ? session.plannedSandboxIDs : []
      return try store.tracked(withStatus: wanted.sorted(), profile: profile) + planned
    }
    return try (store.tracked(withStatus: [], profile: profile) + session.plannedSandboxIDs).filter { id in
      let status = try read[id]?.status ?? store.cached(id, profile: profile)?.status
      return status.map(wanted.contains) == true
    }
  }

  /// Fetches what is out of date. Those of which it fails are of no known status, so that nobody can tell whether they
  /// are meant.
  private func refresh(
    _ credentials: CredentialOptions, in session: Session
  ) throws -> (faults: [BatchSelection<ConnectionID>.Fault], read: [String: CachedConnection]) {
    var faults: [BatchSelection<ConnectionID>.Fault] = []
    let old = try session.store.tracked(
      fetchedBefore: session.staleBefore(session.asker(credentials)), profile: session.profile.name)
    let outcome = try CacheRefresh(session: session, credentials: credentials)
      .run(old + session.plannedSandboxIDs) { id, problem in
        faults.append(.init(name: id.description, problem: problem))
      }
    if outcome.wasInterrupted { throw Problem.interrupted }
    if let refused = outcome.failures.problems.first(where: { $0.code == .unauthorized }) { throw refused }
    return (faults, outcome.read)
  }
}

extension ValueKind<Connection.Status> {
  /// A connection's status, in upper or lower case.
  package static var status: ValueKind<Connection.Status> {
    .oneOf(Connection.Status.self, placeholder: "STATUS", ignoresCase: true)
  }
}
