package import HTTP
package import IFTTT
package import Store
package import World

/// Refreshes tracked connections and writes them to the cache.
package struct CacheRefresh {
  package struct Outcome {
    package var failures: BatchFailures
    /// Whether Ctrl-C ended the refresh. Connections that were fetched before are in the cache.
    package var wasInterrupted = false
    /// Whether a fetch was needed but requests are forbidden.
    var wasForbidden = false
    /// The connections that a dry run fetched, by id. A dry run does not write to the cache.
    package var read: [String: CachedConnection] = [:]

    package static func skipped(_ wasDue: Bool) -> Outcome {
      Outcome(failures: BatchFailures(of: 0), wasForbidden: wasDue)
    }
  }

  package let session: Session
  package let credentials: CredentialOptions
  /// Whether the refresh is a batch in its own right, and not only a prerequisite of another command.
  package var isRun = false
  package var report: BatchReport?

  package init(session: Session, credentials: CredentialOptions, isRun: Bool = false, report: BatchReport? = nil) {
    (self.session, self.credentials, self.isRun, self.report) = (session, credentials, isRun, report)
  }

  /// The number of rows per transaction: large enough to be efficient, small enough to bound memory.
  package static let batch = 256

  /// The requests that `run` would send.
  package func requests(_ ids: [String]) throws -> [Request] {
    let client = try session.network.connect(credentials)
    return ids.compactMap(ConnectionID.init(parsing:)).map { client.show($0).request }
  }

  /// - Parameters:
  ///   - failed: called for each connection that could not be fetched.
  ///   - meanwhile: other work to do while requests are in flight, as in `HTTPClient.send`.
  package func run(
    _ ids: [String], failed: (ConnectionID, Problem) -> Void = { _, _ in },
    meanwhile: () throws -> Duration? = { nil }
  ) throws -> Outcome {
    let progress = BatchProgress(of: ids, report: report, annotates: isRun, in: session)
    var outcome = Outcome(failures: progress.failures)
    let end = Result {
      do {
        try fetch(ids.compactMap(ConnectionID.init(parsing:)), progress, meanwhile, failed) {
          outcome.read[$0.id] = $0
        }
      } catch HTTPError.interrupted {
        outcome.wasInterrupted = true
      }
    }
    let closing = Result { try progress.end() }
    try end.get()
    try closing.get()
    return outcome
  }

  private func fetch(
    _ ids: [ConnectionID], _ progress: BatchProgress, _ meanwhile: () throws -> Duration?,
    _ failed: (ConnectionID, Problem) -> Void, unwritten: (CachedConnection) -> Void
  ) throws {
    guard !ids.isEmpty else { return }
    let client = try session.network.connect(credentials)
    let profile = try session.profile.name
    let store = try session.store
    let identity = try session.credentials.identity(credentials)
    let pending = try session.pendingConnections
    let known =
      session.options.isDryRun
      ? nil : try store.cachedResponses(of: ids.map(\.description), as: identity, profile: profile)
    let start = session.world.clock.now()
    var waiting: [CachedConnection] = []
    var unchanged: [(id: String, fetchedAt: Timestamp)] = []
    func write() throws {
      if session.options.isDryRun {
        waiting.forEach(unwritten)
      } else {
        try store.cache(waiting, as: identity, takingOver: true, profile: profile)
      }
      waiting.removeAll(keepingCapacity: true)
    }
    func confirm() throws {
      if let known { try store.confirm(unchanged, comparedWith: known, since: start, profile: profile) }
      unchanged.removeAll(keepingCapacity: true)
    }
    func isKnown(_ id: ConnectionID, _ body: [UInt8]) -> Bool {
      !pending.contains(id.description) && known?.contains(id.description, body) == true
    }
    let end = Result {
      try client.http.send(
        ids, to: { id in client.refresh(id) { isKnown(id, $0) } }, starting: { progress.starting($0.description) },
        meanwhile: meanwhile
      ) { id, result in
        switch result {
        case .success(let answer):
          if let answer {
            waiting.append(try session.cachedConnection(of: answer))
          } else {
            unchanged.append((id.description, session.world.clock.now()))
          }
          if waiting.count == CacheRefresh.batch { try write() }
          // A short refresh confirms all connections at once, at its end. A long one may be killed before.
          if unchanged.count >= CacheRefresh.batch, start < session.world.clock.now() - CachedResponses.tolerance {
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
    // Save the connections that were fetched before an interruption.
    try write()
    try confirm()
    try end.get()
  }
}

extension Session {
  /// The time before which cached data is stale. Data that was fetched with another identity is always stale: its age
  /// does not matter, because it shows little about this user.
  package func staleBefore(_ identity: RequestIdentity, maxAge: Duration? = nil) throws -> Timestamp {
    let maxAge = maxAge ?? options.maxAge
    // With a maximum age of zero, even data fetched in this millisecond is stale.
    guard maxAge != .zero, try store.belongs(to: identity, profile: profile.name) else {
      return Timestamp(milliseconds: .max)
    }
    return world.clock.now() - maxAge
  }
}

extension FetchedConnection {
  package func cached(at moment: Timestamp, pending: Bool) -> CachedConnection {
    CachedConnection(
      id: connection.id.description, name: connection.name, status: connection.status.rawValue,
      document: connection.document(pending: pending), raw: raw, fetchedAt: moment,
      state: StateDigest(connection)?.bytes)
  }
}
