import API
import Connect
import HTTP
import Store
import World

/// Fetches tracked connections again and writes them to the cache.
struct Refresh {
  struct Outcome {
    var failures: Failures
    /// Ctrl-C ended it; what was fetched by then is in the cache.
    var wasInterrupted = false
    /// Something should have been fetched, but nothing may be asked.
    var wasForbidden = false

    static func skipped(_ wasDue: Bool) -> Outcome { Outcome(failures: Failures(of: 0), wasForbidden: wasDue) }
  }

  let session: Session
  let credentials: CredentialOptions

  /// Rows are written in batches: enough to make a transaction worth while, few enough to bound memory.
  static let batch = 256

  /// What `run` would send.
  func requests(_ ids: [String]) throws -> [Request] {
    ids.compactMap(ConnectionID.init(parsing:)).map(try session.connect(credentials).showRequest)
  }

  func run(_ ids: [String]) throws -> Outcome {
    var outcome = Outcome(failures: Failures(of: ids.count))
    guard !ids.isEmpty else { return outcome }
    let client = try session.connect(credentials)
    let profile = try session.profile.name
    let store = try session.store
    let asker = try session.asker(credentials)
    var waiting: [CachedConnection] = []
    let progress = Progress(total: ids.count, session: session)
    defer { progress.end() }
    func write() throws {
      try store.cache(waiting, as: asker, takingOver: true, profile: profile)
      waiting.removeAll(keepingCapacity: true)
    }
    do {
      try client.show(ids.compactMap(ConnectionID.init(parsing:))) { id, result in
        switch result {
        case .success(let answer):
          waiting.append(answer.cached(at: session.world.clock.now()))
          if waiting.count == Refresh.batch { try write() }
        case .failure(let failure): outcome.failures.add(Problem(failure, subject: "connection '\(id)'"), of: id)
        }
        progress.advance()
      }
    } catch HTTPFailure.interrupted {
      outcome.wasInterrupted = true
    }
    try write()
    return outcome
  }
}

extension ConnectionAnswer {
  func cached(at moment: Timestamp) -> CachedConnection {
    CachedConnection(
      id: connection.id.description, name: connection.name, status: connection.status.rawValue,
      document: connection.document(pending: false), raw: raw, fetchedAt: moment)
  }
}
