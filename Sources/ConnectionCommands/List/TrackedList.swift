import API
import Batch
import BrowserRedirects
import CommandContext
import Connect
import Display
import HTTP
import PluginHost
import Store
import World
import Time

/// IFTTT's part of `connections list`: the tracked connections, refreshed if they are stale.
final class TrackedList {
  private let options: ConnectionsList.Options
  private let maxAge: Duration
  private let session: Session
  private let store: Store
  private let profile: String
  private let asker: RequestIdentity
  private let begin: Timestamp
  private let refresh: CacheRefresh
  /// The ids to fetch again.
  private let old: [String]
  private var outcome: CacheRefresh.Outcome?

  init(_ options: ConnectionsList.Options, maxAge: Duration, in session: Session) throws {
    (self.options, self.maxAge, self.session) = (options, maxAge, session)
    profile = try session.profile.name
    store = try session.store
    try session.trackSandboxOnce()
    asker = try session.asker(options.credentials)
    let oldBefore = try session.staleBefore(asker, maxAge: maxAge)
    begin = session.world.clock.now()
    refresh = CacheRefresh(
      session: session, credentials: options.credentials, isRun: options.refreshes,
      report: try session.openReport(options.report))
    if try session.isCutOff {
      old = []
      outcome = .skipped(try store.isAnyTracked(fetchedBefore: oldBefore, profile: profile))
    } else {
      old = try store.tracked(fetchedBefore: oldBefore, profile: profile)
    }
  }

  /// Whether something has to be fetched yet.
  var isDue: Bool { outcome == nil && !old.isEmpty }

  /// What ``fetch(meanwhile:)`` would send.
  var requests: [Request] {
    get throws { try session.isCutOff ? [] : refresh.requests(old + session.plannedSandboxIDs) }
  }

  /// Fetches what is stale.
  /// - Parameter meanwhile: other work that goes on while requests are in flight, as in `HTTPClient.send`.
  func fetch(meanwhile: () throws -> Duration? = { nil }) throws {
    if outcome == nil { outcome = try refresh.run(old, meanwhile: meanwhile) }
  }

  /// Calls `body` with each row in the order of the cache: name, then id.
  func forEach(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let isOurs = try store.isSettled(on: asker, profile: profile)
    let staleBefore = !isOurs ? Timestamp(milliseconds: .max) : begin - maxAge
    var row = ConnectionRow()
    try store.forEachCached(profile: profile, statuses: Set(options.statuses.map(\.rawValue)).sorted()) { cached in
      try row.complete(
        cached.document, tracked: true, stale: cached.fetchedAt < staleBefore, fetchedAt: cached.fetchedAt, body)
    }
  }

  /// - Parameter isAlone: whether nothing else is shown.
  func judge(isAlone: Bool) throws {
    if isAlone, session.explainsEmptiness, try store.trackedCount(profile: profile) == 0 {
      session.noteEmpty(session.nothingTracked)
    }
    let demand: FreshnessPolicy = options.refreshes ? .refreshed : maxAge == .zero ? .fresh : .whatThereIs
    if let outcome { try demand.judge(outcome, in: session) }
  }
}
