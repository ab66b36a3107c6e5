import Display
import PluginProtocol
import Store
import World

/// What the providers of a profile list: fresh where that is asked for and can be had, else as last seen.
struct ProviderLists {
  /// One provider's.
  struct List {
    let provider: InstalledProvider
    var rows: [ProvidedRow] = []
    var fetchedAt = Timestamp(milliseconds: 0)
    var isStale = false
    /// Why it is not fresh.
    var problem: Problem?
  }

  private let session: Session
  private let maxAge: Duration

  init(maxAge: Duration, in session: Session) { (self.session, self.maxAge) = (session, maxAge) }

  /// One provider that fails costs nobody else's.
  func lists(of providers: [InstalledProvider]) throws -> [List] {
    try providers.map { provider in
      guard !session.world.interruption.isInterrupted else { throw Problem.interrupted }
      return try list(of: provider)
    }
  }

  private func list(of provider: InstalledProvider) throws -> List {
    let (store, profile) = (try session.store, try session.profile.name)
    let name = provider.name.description
    var list = List(provider: provider)
    let begin = session.world.clock.now()
    if let cached = try store.provided(by: name, profile: profile) {
      (list.rows, list.fetchedAt) = cached
      list.isStale = maxAge == .zero || cached.fetchedAt < begin - maxAge || cached.fetchedAt > begin
      // With --offline what is there will do.
      if !list.isStale || session.options.isOffline { return list }
    }
    do {
      list.rows = try ask(provider)
      list.fetchedAt = session.world.clock.now()
      list.isStale = false
      try store.cache(provided: list.rows, by: name, profile: profile, fetchedAt: list.fetchedAt)
      // In the order of the cache.
      if let cached = try store.provided(by: name, profile: profile) { list.rows = cached.rows }
    } catch {
      let problem = Problem(error)
      if problem.code == .interrupted { throw problem }
      (list.problem, list.isStale) = (problem, true)
    }
    return list
  }

  private func ask(_ provider: InstalledProvider) throws -> [ProvidedRow] {
    let talk = try ProviderTalk(with: provider, in: session)
    defer { talk.close() }
    var rows: [String: ProvidedRow] = [:]
    _ = try talk.ask(.listConnections, ["status": nil]) { item in
      let row = try session.row(item, by: provider)
      rows[row.id] = row
    }
    return Array(rows.values)
  }

  // MARK: Showing

  /// - Parameter status: only those with it.
  static func rows(of lists: [List], status: String?) -> Rows {
    Rows(isReiterable: true) { body in
      for list in lists {
        for row in list.rows where status == nil || row.status == status {
          let whole = ConnectionRow.complete(
            row.document, tracked: true, stale: list.isStale, fetchedAt: list.fetchedAt)
          try whole.withUnsafeBytes(body)
        }
      }
    }
  }

  /// - Parameters:
  ///   - isStrict: whether what is not fresh is a failure.
  ///   - isAlone: whether nothing else is shown.
  static func judge(_ lists: [List], isStrict: Bool, isAlone: Bool, in session: Session) throws {
    for list in lists {
      guard let problem = list.problem else { continue }
      if isStrict || isAlone && list.rows.isEmpty { throw problem }
      let what = list.rows.isEmpty ? "is left out" : "is shown as it was listed last"
      session.note("Provider '\(list.provider.name)' \(what): \(problem.summary)")
    }
  }
}

extension Session {
  /// What a provider says of one connection.
  /// - Throws: `plugin_failed` for what is none.
  func row(_ value: Value, by provider: InstalledProvider) throws -> ProvidedRow {
    do throws(ProvidedFault) { return try ProvidedRow(value, by: provider.name) } catch {
      throw Problem(
        .pluginFailed, "plugin '\(provider.name)' failed", reason: error.description,
        hint: "Test it with 'ifttt plugin test PATH'; 'ifttt plugin show \(provider.name)' names its folder.")
    }
  }
}
