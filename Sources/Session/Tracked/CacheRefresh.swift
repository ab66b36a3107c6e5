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
  package let credential: LocatedCredential
  /// Whether the refresh is a batch in its own right, and not only a prerequisite of another command.
  package var isRun = false
  package var report: BatchReport?

  package init(session: Session, credential: LocatedCredential, isRun: Bool = false, report: BatchReport? = nil) {
    (self.session, self.credential, self.isRun, self.report) = (session, credential, isRun, report)
  }

  /// The number of rows per transaction: large enough to be efficient, small enough to bound memory.
  package static let batch = 256

  /// The requests that `run` would send.
  package func requests(_ ids: [String]) throws -> [Request] {
    let client = try session.network.connect(credential)
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
    let client = try session.network.connect(credential)
    let profile = try session.profile.name
    let store = try session.store
    let identity = try credential.identity
    let pending = try session.storage.pendingConnections
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
            waiting.append(pending.cacheRow(of: answer))
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

extension CacheRefresh.Outcome {
  /// Judges what a refresh could not fetch.
  /// - Parameter isStrict: whether a failed fetch is a failure of the run, or a part of it, as with `--max-age 0` and
  ///   `--refresh`. Otherwise the rows may be stale: they are marked, and one note mentions them.
  package func evaluate(isStrict: Bool, in session: Session) throws {
    if wasInterrupted { throw Problem.interrupted }
    guard wasForbidden || !failures.problems.isEmpty else { return }
    let profile = try session.profile.name
    let unseen = try session.store.tracked(fetchedBefore: Timestamp(milliseconds: 1), profile: profile).count
    let showsNothing = try unseen > 0 && unseen == session.store.trackedCount(profile: profile)
    if wasForbidden { return try evaluateForbidden(unseen, showsNothing, isStrict: isStrict, in: session) }
    try evaluateFailures(showsNothing, isStrict: isStrict, in: session)
  }

  private func evaluateFailures(_ showsNothing: Bool, isStrict: Bool, in session: Session) throws {
    guard let first = failures.problems.first else { return }
    if isStrict { try failures.evaluate() }
    // A script that continued with stale rows would never notice that its token is invalid.
    if let refused = failures.problems.first(where: { $0.code == .unauthorized }) { throw refused }
    if showsNothing {
      var problem = failures.problems.first { $0.code.exit == .unavailable } ?? first
      if failures.count > 1 { problem.details = failures.details }
      throw problem
    }
    let skipped = failures.skipped > 0 ? "; \(failures.skipped) were skipped" : ""
    session.console.note("\(failures.names) could not be fetched and may be out of date: \(first.summary)\(skipped)")
  }

  /// Evaluates an outcome with `--offline`.
  private func evaluateForbidden(
    _ unseen: Int, _ showsNothing: Bool, isStrict: Bool, in session: Session
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
    if unseen > 0 {
      let what = unseen.counted("tracked connection")
      session.console.note("Not shown: \(what), never fetched.")
    }
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

extension CachedConnection {
  /// The connection as IFTTT described it; nil if it cannot be read.
  package var connection: Connection? {
    (try? JSONValue(parsing: raw))?.object.flatMap(Connection.single(in:))
  }
}
