package import HTTP
package import IFTTT
package import Output
import Store
import Text
import World

/// IFTTT's part of `connections list`: the tracked connections, refreshed if they are stale.
package final class TrackedList {
  private let statuses: [Connection.Status]
  private let isRefresh: Bool
  private let maxAge: Duration
  private let session: Session
  private let store: Store
  private let profile: String
  private let identity: RequestIdentity
  private let begin: Timestamp
  private let refresh: CacheRefresh
  /// The ids to refresh.
  private let old: [String]
  private var outcome: CacheRefresh.Outcome?
  private var summary: ConnectionSummaryRow?

  /// - Parameters:
  ///   - statuses: only connections with one of these statuses; all connections if it is empty.
  ///   - isRefresh: whether the user requested the refresh, and it is not only a prerequisite of a list.
  ///   - reports: the reports of a refresh.
  ///   - shard: only the connections of this shard are refreshed; all of them if it is nil.
  package init(
    statuses: [Connection.Status], credentials: CredentialOptions, isRefresh: Bool, reports: [ReportFile],
    maxAge: Duration, shard: Shard? = nil, in session: Session
  ) throws {
    (self.statuses, self.isRefresh) = (statuses, isRefresh)
    (self.maxAge, self.session) = (maxAge, session)
    profile = try session.profile.name
    store = try session.store
    try session.storage.trackSandboxOnce()
    identity = try session.credentials.identity(credentials)
    let oldBefore = try session.staleBefore(identity, maxAge: maxAge)
    begin = session.world.clock.now()
    refresh = CacheRefresh(
      session: session, credentials: credentials, isRun: isRefresh, report: try session.openReports(reports, of: shard))
    if try session.network.isOffline {
      old = []
      outcome = .skipped(try store.isAnyTracked(fetchedBefore: oldBefore, profile: profile))
    } else {
      old = try store.tracked(fetchedBefore: oldBefore, profile: profile).filter { shard?.contains($0) ?? true }
    }
  }

  /// Whether anything still has to be fetched.
  package var isDue: Bool { outcome == nil && !old.isEmpty }

  /// The requests that ``fetch(meanwhile:)`` would send.
  package var requests: [Request] {
    get throws { try session.network.isOffline ? [] : refresh.requests(old + session.storage.plannedSandboxIDs) }
  }

  /// Fetches stale connections.
  /// - Parameter meanwhile: other work to do while requests are in flight, as in `HTTPClient.send`.
  package func fetch(meanwhile: () throws -> Duration? = { nil }) throws {
    if outcome == nil { outcome = try refresh.run(old, meanwhile: meanwhile) }
  }

  /// Reduces the rows to these fields, if that is faster than printing a part of the whole rows.
  /// - Returns: whether the rows are reduced.
  package func select(_ fields: [FieldPath]) -> Bool {
    summary = ConnectionSummaryRow(fields)
    return summary != nil
  }

  /// Calls `body` with each row in the order of the cache: name, then id.
  package func forEach(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let isOurs = try store.belongs(to: identity, profile: profile)
    let staleBefore = !isOurs ? Timestamp(milliseconds: .max) : begin - maxAge
    let statuses = Set(statuses.map(\.rawValue)).sorted()
    if var row = summary {
      return try store.forEachCachedSummary(profile: profile, statuses: statuses) { cached in
        try row.complete(cached, stale: cached.fetchedAt < staleBefore, body)
      }
    }
    var row = ConnectionRow()
    try store.forEachCached(profile: profile, statuses: statuses) { cached in
      try row.complete(
        cached.document, tracked: true, stale: cached.fetchedAt < staleBefore, fetchedAt: cached.fetchedAt, body)
    }
  }

  /// - Parameter isAlone: whether nothing else is shown.
  package func evaluate(isAlone: Bool) throws {
    if isAlone, session.console.explainsEmptiness, try !store.isTrackingAny(profile: profile) {
      session.console.noteEmpty(.nothingTracked)
    }
    let policy: FreshnessPolicy = isRefresh || maxAge == .zero ? .fresh : .bestAvailable
    if let outcome { try policy.evaluate(outcome, in: session) }
  }
}

/// The freshness that a list needs in order to succeed.
package enum FreshnessPolicy {
  /// Rows that could not be fetched may be stale: they are marked, and one note mentions them.
  case bestAvailable
  /// `--max-age 0` and `--refresh`: a failed fetch is a failure of the run, or a part of it.
  case fresh

  package func evaluate(_ outcome: CacheRefresh.Outcome, in session: Session) throws {
    if outcome.wasInterrupted { throw Problem.interrupted }
    guard outcome.wasForbidden || !outcome.failures.problems.isEmpty else { return }
    let profile = try session.profile.name
    let unseen = try session.store.tracked(fetchedBefore: Timestamp(milliseconds: 1), profile: profile).count
    let showsNothing = try unseen > 0 && unseen == session.store.trackedCount(profile: profile)
    if outcome.wasForbidden { return try evaluateForbidden(unseen, showsNothing, in: session) }
    try evaluate(outcome.failures, showsNothing, in: session)
  }

  private func evaluate(_ failures: BatchFailures, _ showsNothing: Bool, in session: Session) throws {
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
  private func evaluateForbidden(_ unseen: Int, _ showsNothing: Bool, in session: Session) throws {
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

  private var isStrict: Bool { if case .bestAvailable = self { false } else { true } }
}
