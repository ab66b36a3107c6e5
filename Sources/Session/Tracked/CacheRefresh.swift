package import HTTP
package import IFTTT
import JSON
package import Store
import Text
package import World

/// Refreshes tracked connections and writes them to the cache.
package struct CacheRefresh {
  package struct Outcome {
    package var failures: BatchFailures
    /// Whether Ctrl-C ended the refresh. The connections that were fetched before that are in the cache.
    package var wasInterrupted = false
    /// Whether a fetch was needed but --offline forbids requests.
    var wasForbidden = false
    /// The connections that a dry run fetched, by id. A dry run does not write to the cache.
    package var fetchedInDryRun: [String: CachedConnection] = [:]

    /// The outcome of a refresh that was not run.
    /// - Parameter wasDue: whether it would have fetched anything.
    package static func skipped(_ wasDue: Bool) -> Outcome {
      Outcome(failures: BatchFailures(of: 0), wasForbidden: wasDue)
    }
  }

  package let session: Session
  package let credential: LocatedCredential
  /// Whether the refresh itself is the batch of the command, instead of a preparation for it.
  package var isBatch = false

  package init(session: Session, credential: LocatedCredential, isBatch: Bool = false) {
    (self.session, self.credential, self.isBatch) = (session, credential, isBatch)
  }

  /// The number of rows per transaction: large enough to be efficient, small enough to bound memory.
  package static let rowsPerTransaction = 256

  /// Returns the requests that `run` would send.
  package func requests(_ ids: [String]) throws -> [Request] {
    let client = try session.network.connect(credential)
    return ids.compactMap(ConnectionID.init(parsing:)).map { client.show($0).request }
  }

  /// Fetches the connections and writes them to the cache.
  /// - Parameters:
  ///   - failed: called for each connection that could not be fetched.
  ///   - meanwhile: other work to do while requests are in flight, as in `HTTPClient.send`.
  package func run(
    _ ids: [String], failed: (ConnectionID, Problem) -> Void = { _, _ in },
    meanwhile: () throws -> Duration? = { nil }
  ) throws -> Outcome {
    let progress = BatchProgress(of: ids, annotates: isBatch, in: session)
    var outcome = Outcome(failures: progress.failures)
    let fetching = Result {
      do {
        try fetch(ids.compactMap(ConnectionID.init(parsing:)), progress, meanwhile, failed) {
          outcome.fetchedInDryRun[$0.id] = $0
        }
      } catch HTTPError.interrupted {
        outcome.wasInterrupted = true
      }
    }
    let closing = Result { try progress.end() }
    try fetching.get()
    try closing.get()
    return outcome
  }

  private func fetch(
    _ ids: [ConnectionID], _ progress: BatchProgress, _ meanwhile: () throws -> Duration?,
    _ failed: (ConnectionID, Problem) -> Void, dryRun: (CachedConnection) -> Void
  ) throws {
    guard !ids.isEmpty else { return }
    let client = try session.network.connect(credential)
    let profile = try session.profile.name
    let store = try session.store
    let identity = try credential.identity
    let pending = try session.storage.pendingConnections
    let known =
      session.options.isDryRun
      ? nil : try store.cachedResponses(of: ids.map(\.description), as: identity, profile: profile)
    let start = session.world.clock.now()
    var fetched: [CachedConnection] = []
    var unchanged: [(id: String, fetchedAt: Timestamp)] = []
    func write() throws {
      if session.options.isDryRun {
        fetched.forEach(dryRun)
      } else {
        try store.cache(fetched, as: identity, takingOver: true, profile: profile)
      }
      fetched.removeAll(keepingCapacity: true)
    }
    func confirm() throws {
      if let known { try store.confirm(unchanged, comparedWith: known, since: start, profile: profile) }
      unchanged.removeAll(keepingCapacity: true)
    }
    func isKnown(_ id: ConnectionID, _ body: [UInt8]) -> Bool {
      !pending.contains(id.description) && known?.contains(id.description, body) == true
    }
    let sending = Result {
      try client.http.send(
        ids, to: { id in client.refresh(id) { isKnown(id, $0) } }, starting: { progress.starting($0.description) },
        meanwhile: meanwhile
      ) { id, result in
        switch result {
        case .success(let connection):
          if let connection {
            fetched.append(pending.cacheRow(of: connection))
          } else {
            unchanged.append((id.description, session.world.clock.now()))
          }
          if fetched.count == CacheRefresh.rowsPerTransaction { try write() }
          // A short refresh confirms all connections in one transaction at its end. A long one may be killed before its
          // end, so it confirms them in parts.
          if unchanged.count >= CacheRefresh.rowsPerTransaction,
            start < session.world.clock.now() - CachedResponses.tolerance
          {
            try confirm()
          }
          progress.report(id.description)
        case .failure(let failure):
          let problem = Problem(failure, subject: "connection '\(id)'")
          progress.report(id.description, problem)
          failed(id, problem)
        }
      }
    }
    // After an interruption too, save the connections that were fetched before it.
    try write()
    try confirm()
    try sending.get()
  }
}

extension CacheRefresh.Outcome {
  /// Reports the connections that could not be fetched.
  /// - Parameter isStrict: whether a failed fetch is an error of the command, as with `--max-age 0` and `--refresh`.
  ///   Otherwise, the command shows stale rows, which are marked, and prints one note about them.
  package func evaluate(isStrict: Bool, in session: Session) throws {
    if wasInterrupted { throw Problem.interrupted }
    guard wasForbidden || !failures.problems.isEmpty else { return }
    let profile = try session.profile.name
    let neverFetchedCount = try session.store.tracked(fetchedBefore: Timestamp(milliseconds: 1), profile: profile).count
    let showsNothing = try neverFetchedCount > 0 && neverFetchedCount == session.store.trackedCount(profile: profile)
    if wasForbidden { return try evaluateForbidden(neverFetchedCount, showsNothing, isStrict: isStrict, in: session) }
    try evaluateFailures(showsNothing, isStrict: isStrict, in: session)
  }

  private func evaluateFailures(_ showsNothing: Bool, isStrict: Bool, in session: Session) throws {
    guard let first = failures.problems.first else { return }
    if isStrict { try failures.evaluate() }
    // A script that continued with stale rows would never notice that its token is invalid.
    if let unauthorized = failures.problems.first(where: { $0.code == .unauthorized }) { throw unauthorized }
    if showsNothing {
      var problem = failures.problems.first { $0.code.exit == .unavailable } ?? first
      if failures.count > 1 { problem.details = failures.details }
      throw problem
    }
    let skipped = failures.skipped > 0 ? "; \(failures.skipped) were skipped" : ""
    session.console.note("\(failures.names) could not be fetched and may be out of date: \(first.summary)\(skipped)")
  }

  /// Reports the connections that could not be fetched because of `--offline`.
  private func evaluateForbidden(
    _ neverFetchedCount: Int, _ showsNothing: Bool, isStrict: Bool, in session: Session
  ) throws {
    let hint: Hint = "Run the command without --offline."
    if showsNothing {
      throw Problem(
        .network, "there is nothing to show", reason: "the tracked connections were never fetched", hint: hint)
    }
    if isStrict {
      throw Problem(
        .network, "the shown connections are out of date", reason: "--offline prevents a refresh", hint: hint)
    }
    if neverFetchedCount > 0 {
      session.console.note("Not shown: \(neverFetchedCount.counted("tracked connection")), never fetched.")
    }
  }
}

extension Session {
  /// The time before which cached data is stale. Data that was fetched with another identity is always stale, because
  /// it may differ for this user.
  package func staleBefore(_ identity: RequestIdentity, maxAge: Duration? = nil) throws -> Timestamp {
    let maxAge = maxAge ?? options.maxAge
    // With a maximum age of zero, even data fetched in this millisecond is stale.
    guard maxAge != .zero, try store.belongs(to: identity, profile: profile.name) else {
      return Timestamp(milliseconds: .max)
    }
    return world.clock.now() - maxAge
  }
}

extension CachedConnection {
  /// The connection in IFTTT's response; nil if the response cannot be parsed.
  package var connection: Connection? {
    (try? JSONValue(parsing: raw))?.object.flatMap(Connection.single(in:))
  }
}
