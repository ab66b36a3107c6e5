package import CommandLine
package import IFTTT
import Store
import Text
import World

/// The connections that a command acts on: named ones, all tracked ones, those with a status, or those on stdin.
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

  package var isEmpty: Bool { ids.isEmpty && !isAll && statuses.isEmpty && !readsInput }

  /// Help text for commands that accept ids.
  package static let naming = """
    Instead of an id, you can pass a prefix that is unique among the tracked connections, or the connection's exact \
    name. An id that exists at IFTTT takes precedence. On stdin, only full ids are accepted.
    """

  package static var flags: [Flag<ConnectionSelection>] {
    [
      .toggle("all", into: \.isAll, help: "All connections that 'connections list' prints"),
      .repeatedList(
        "status", .status, into: \.statuses,
        help: "Tracked connections with one of these statuses"),
      input,
    ]
  }

  package static var input: Flag<ConnectionSelection> {
    .toggle(
      "stdin", into: \.readsInput,
      help:
        """
        Connections from stdin, also with '-': one id per line, JSON Lines, a JSON array, or the output of 'connections list'; at \
        most 100,000
        """)
  }

  /// - Parameters:
  ///   - options: the command's options that select connections.
  ///   - other: whether another option of the command selects connections.
  package func check(_ options: [String] = ["all", "status", "stdin"], beside other: Bool = false) throws(Conflict) {
    let selections = [!ids.isEmpty, isAll, !statuses.isEmpty, readsInput, other].filter { $0 }.count
    guard selections != 1 else { return }
    let list = options.map { "--\($0)" }
    let alternatives = list.listed(with: "or")
    if selections > 1 {
      throw Conflict("pass either ids or \(list.count > 1 ? "one of " : "")\(alternatives)", options: options)
    }
    throw Conflict("pass ids, or select connections with \(alternatives)", isMissingArgument: true)
  }

  /// - Parameter credentials: the credentials for fetching an unknown or stale status; nil for a command that sends
  ///   no requests.
  package func resolve(_ credentials: CredentialOptions?, in session: Session) throws -> BatchSelection<ConnectionID> {
    if readsInput {
      return try session.selectionFromInput("a connection's id", ConnectionID.init(parsing:))
    }
    guard isAll || !statuses.isEmpty else {
      guard ids.count > 1 else { return BatchSelection(ids: ids, isSingle: ids.count == 1) }
      let ids = ids.uniqued()
      return BatchSelection(ids: ids, isSingle: ids.count == 1)
    }
    var selection = BatchSelection<ConnectionID>(ids: [])
    var fetched: [String: CachedConnection] = [:]
    if let credentials, !statuses.isEmpty, try !session.network.isOffline {
      (selection.faults, fetched) = try refresh(credentials, in: session)
    }
    let unknown = Set(selection.faults.map(\.name))
    selection.ids = try matching(fetched, in: session).filter { !unknown.contains($0) }
      .compactMap(ConnectionID.init(parsing:))
    return selection
  }

  /// The ids of the tracked connections with one of the statuses.
  /// - Parameter fetched: the connections that a dry run has fetched, which are not in the store.
  private func matching(_ fetched: [String: CachedConnection], in session: Session) throws -> [String] {
    let (store, profile) = (try session.store, try session.profile.name)
    let wanted = Set(statuses.map(\.rawValue))
    guard !fetched.isEmpty else {
      let planned = try statuses.isEmpty ? session.storage.plannedSandboxIDs : []
      return try store.tracked(withStatus: wanted.sorted(), profile: profile) + planned
    }
    return try (store.tracked(withStatus: [], profile: profile) + session.storage.plannedSandboxIDs).filter { id in
      let status = try fetched[id]?.status ?? store.cached(id, profile: profile)?.status
      return status.map(wanted.contains) == true
    }
  }

  /// Refreshes stale connections. If a refresh fails, the connection's status is unknown, so it cannot be matched.
  private func refresh(
    _ credentials: CredentialOptions, in session: Session
  ) throws -> (faults: [BatchFault], fetched: [String: CachedConnection]) {
    var faults: [BatchFault] = []
    let credential = try session.credentials.locate(credentials)
    let stale = try session.store.tracked(
      fetchedBefore: session.staleBefore(credential.identity), profile: session.profile.name)
    let outcome = try CacheRefresh(session: session, credential: credential)
      .run(stale + session.storage.plannedSandboxIDs) { id, problem in
        faults.append(.init(name: id.description, problem: problem))
      }
    if outcome.wasInterrupted { throw Problem.interrupted }
    if let unauthorized = outcome.failures.problems.first(where: { $0.code == .unauthorized }) { throw unauthorized }
    return (faults, outcome.fetchedInDryRun)
  }
}

extension ValueKind<Connection.Status> {
  /// A connection's status, in upper or lower case.
  package static var status: ValueKind<Connection.Status> {
    .oneOf(Connection.Status.self, placeholder: "STATUS")
  }
}

extension Session {
  /// The maximum number of ids on stdin: enough for any account, and few enough to hold in memory.
  static var maxInputItems: Int { 100_000 }

  /// Reads all ids on stdin before the command has any effect.
  ///
  /// - Parameters:
  ///   - noun: an id with its article, for errors.
  ///   - make: parses an id; nil for text that is not an id.
  /// - Throws: `usage` if the input is not empty and no part of it is valid.
  package func selectionFromInput<ID>(_ noun: String, _ make: (String) -> ID?) throws -> BatchSelection<ID> {
    var reader = IdentifierReader()
    var selection = BatchSelection<ID>(ids: [])
    var seen: Set<ID> = []
    func receive(_ element: IdentifierReader.Element) throws {
      switch element {
      case .id(let line, let text):
        guard let id = make(text) else { return selection.add(fault(line, "it is not \(noun)")) }
        guard seen.insert(id).inserted else { return }
        guard selection.ids.count < Session.maxInputItems else {
          throw Problem(
            .usage, "stdin contains more than \(Session.maxInputItems) items",
            hint: "Split the input, for example with 'split -l 100000'.")
        }
        selection.ids.append(id)
      case .badLine(let line, let reason): selection.add(fault(line, reason))
      }
    }
    func fault(_ line: Int, _ reason: String) -> BatchFault {
      BatchFault(
        name: "line \(line)",
        problem: Problem(
          .usage, reason,
          hint:
            "Pass one id per line, JSON Lines, a JSON array of ids or of objects with an \"id\", or a list that "
            + "ifttt printed."))
    }
    try console.readInput(
      for: "--stdin", hint: "Check the program that writes to it.", { try reader.read($0, receive) },
      atEnd: { try reader.end(receive) })
    if selection.ids.isEmpty, let first = selection.faults.first {
      throw Problem(
        .usage, "stdin contains no valid id", hint: first.problem.hint,
        details: selection.faults.prefix(BatchFailures.limit).map {
          Problem.Detail(parameter: $0.name, message: $0.problem.message)
        })
    }
    return selection
  }
}

extension BatchSelection {
  /// Adds an error up to a limit, because endless invalid input must not exhaust the memory.
  fileprivate mutating func add(_ fault: BatchFault) {
    if faults.count < Session.maxInputItems { faults.append(fault) }
  }
}
