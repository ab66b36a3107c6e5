import API
package import CommandContext
package import Connect
package import HTTP
package import Store
package import Time
import World

/// Fetches tracked connections again and writes them to the cache.
package struct CacheRefresh {
  package struct Outcome {
    package var failures: BatchFailures
    /// Ctrl-C ended it; what was fetched by then is in the cache.
    package var wasInterrupted = false
    /// Something should have been fetched, but nothing may be asked.
    var wasForbidden = false
    /// What was fetched in a dry run, by id: there it is not in the cache.
    package var read: [String: CachedConnection] = [:]

    package static func skipped(_ wasDue: Bool) -> Outcome {
      Outcome(failures: BatchFailures(of: 0), wasForbidden: wasDue)
    }
  }

  package let session: Session
  package let credentials: CredentialOptions
  /// Where it is a run over many of its own, and not only what another command needs.
  package var isRun = false
  package var report: BatchReport?

  package init(session: Session, credentials: CredentialOptions, isRun: Bool = false, report: BatchReport? = nil) {
    (self.session, self.credentials, self.isRun, self.report) = (session, credentials, isRun, report)
  }

  /// Rows are written in batches: enough to make a transaction worth while, few enough to bound memory.
  package static let batch = 256

  /// What `run` would send.
  package func requests(_ ids: [String]) throws -> [Request] {
    ids.compactMap(ConnectionID.init(parsing:)).map(try session.connect(credentials).showRequest)
  }

  /// - Parameters:
  ///   - failed: called for each that could not be fetched.
  ///   - meanwhile: other work that goes on while requests are in flight, as in `HTTPClient.send`.
  package func run(
    _ ids: [String], failed: (ConnectionID, Problem) -> Void = { _, _ in },
    meanwhile: () throws -> Duration? = { nil }
  ) throws -> Outcome {
    let account = BatchProgress(of: ids, report: report, annotates: isRun, in: session)
    var outcome = Outcome(failures: account.failures)
    let end = Result {
      do {
        try fetch(ids.compactMap(ConnectionID.init(parsing:)), account, meanwhile, failed) {
          outcome.read[$0.id] = $0
        }
      } catch HTTPError.interrupted {
        outcome.wasInterrupted = true
      }
    }
    let closing = Result { try account.end() }
    try end.get()
    try closing.get()
    return outcome
  }

  private func fetch(
    _ ids: [ConnectionID], _ account: BatchProgress, _ meanwhile: () throws -> Duration?,
    _ failed: (ConnectionID, Problem) -> Void, unwritten: (CachedConnection) -> Void
  ) throws {
    guard !ids.isEmpty else { return }
    let client = try session.connect(credentials)
    let profile = try session.profile.name
    let store = try session.store
    let asker = try session.asker(credentials)
    var waiting: [CachedConnection] = []
    func write() throws {
      if session.options.isDryRun {
        waiting.forEach(unwritten)
      } else {
        try store.cache(waiting, as: asker, takingOver: true, profile: profile)
      }
      waiting.removeAll(keepingCapacity: true)
    }
    let end = Result {
      try client.show(ids, starting: { account.starting($0.description) }, meanwhile: meanwhile) { id, result in
        switch result {
        case .success(let answer):
          waiting.append(try session.cached(answer))
          if waiting.count == CacheRefresh.batch { try write() }
          account.tell(id.description)
        case .failure(let failure):
          let problem = Problem(failure, subject: "connection '\(id)'")
          account.tell(id.description, problem)
          failed(id, problem)
        }
      }
    }
    // What came before an interruption is kept.
    try write()
    try end.get()
  }
}

extension Session {
  /// What was fetched before this moment is too old, or was shown to somebody else: that says little about this user,
  /// however fresh it is.
  package func staleBefore(_ asker: RequestIdentity, maxAge: Duration? = nil) throws -> Timestamp {
    let maxAge = maxAge ?? options.maxAge
    // At zero even what was fetched this very millisecond is too old.
    guard maxAge != .zero, try store.isSettled(on: asker, profile: profile.name) else {
      return Timestamp(milliseconds: .max)
    }
    return world.clock.now() - maxAge
  }
}

extension FetchedConnection {
  package func cached(at moment: Timestamp, pending: Bool) -> CachedConnection {
    CachedConnection(
      id: connection.id.description, name: connection.name, status: connection.status.rawValue,
      document: connection.document(pending: pending), raw: raw, fetchedAt: moment)
  }
}
