import API
import Connect
import Display
import Store
import World

/// Fetches tracked connections again and writes them to the cache.
struct Refresh {
  struct Failure {
    let id: String
    let problem: Problem
  }

  let session: Session
  let credentials: CredentialOptions

  /// Rows are written in batches: enough to make a transaction worth while, few enough to bound memory.
  static let batch = 256

  /// Those that could not be fetched, in the order in which that became known.
  func run(_ ids: [String]) throws -> [Failure] {
    let client = try session.connect(credentials)
    let profile = try session.profile.name
    let store = try session.store
    var failures: [Failure] = []
    var waiting: [CachedConnection] = []
    let progress = Progress(total: ids.count, session: session)
    defer { progress.end() }
    func write() throws {
      try store.cache(waiting, profile: profile)
      waiting.removeAll(keepingCapacity: true)
    }
    do {
      try client.show(ids.compactMap(ConnectionID.init(parsing:))) { id, result in
        switch result {
        case .success(let answer):
          waiting.append(answer.cached(at: session.world.clock.now()))
          if waiting.count == Refresh.batch { try write() }
        case .failure(let failure):
          failures.append(Failure(id: id.description, problem: Problem(failure, subject: "connection '\(id)'")))
        }
        progress.advance()
      }
    } catch {
      // What was fetched before Ctrl-C is worth keeping.
      try write()
      throw error
    }
    try write()
    return failures
  }

  /// One note for what could not be fetched, and a failure where that means that the list cannot be relied on.
  static func judge(_ failures: [Failure], of asked: Int, everythingFresh: Bool, in session: Session) throws {
    guard let first = failures.first else { return }
    let profile = try session.profile.name
    let isRefused = failures.contains { $0.problem.code.exit == .credentials }
    let neverSeen = try session.store.tracked(fetchedBefore: Timestamp(milliseconds: 1), profile: profile).count
    let nothingShown = try neverSeen == session.store.trackedCount(profile: profile)
    guard !isRefused, !nothingShown, !everythingFresh else {
      throw failures.first { $0.problem.code.exit == .credentials }?.problem ?? first.problem
    }
    let others = failures.count - 1
    let who = others == 0 ? "'\(first.id)'" : "'\(first.id)' and \(others) more"
    session.note("\(who) could not be fetched and may be out of date: \(first.problem.summary)")
  }
}

extension ConnectionAnswer {
  func cached(at moment: Timestamp) -> CachedConnection {
    CachedConnection(
      id: connection.id.description, name: connection.name, status: connection.status.rawValue,
      document: connection.document(pending: false), raw: raw, fetchedAt: moment)
  }
}
