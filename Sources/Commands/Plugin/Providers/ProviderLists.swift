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

    fileprivate var isExpired: Bool { fetchedAt == .expired }
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
      // With --offline, what is cached is shown, unless it is known to be out of date: then the provider may know by itself.
      if !list.isStale || session.options.isOffline && !list.isExpired { return list }
    }
    do {
      let rows = try ask(provider)
      list.fetchedAt = session.world.clock.now()
      list.isStale = false
      let isPrivate = rows.contains(where: \.isPrivate)
      // Rows of which only a part is cached are expired at once, so that they are always fetched.
      try store.cache(
        provided: rows.map { try $0.cacheable(by: provider.name) }, by: name, profile: profile,
        fetchedAt: isPrivate ? .expired : list.fetchedAt)
      list.rows = isPrivate ? Self.sorted(rows) : rows
      // In the order of the cache.
      if !isPrivate, let cached = try store.provided(by: name, profile: profile) { list.rows = cached.rows }
    } catch {
      let problem = Problem(error)
      if problem.code == .interrupted { throw problem }
      (list.problem, list.isStale) = (problem, true)
    }
    return list
  }

  /// By name without regard to the case of ASCII letters, then by id, as the cache sorts them.
  private static func sorted(_ rows: [ProvidedRow]) -> [ProvidedRow] {
    func key(_ row: ProvidedRow) -> (name: [UInt8], id: [UInt8]) {
      (row.name.utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }, Array(row.id.utf8))
    }
    return rows.map { (row: $0, key: key($0)) }.sorted { one, other in
      one.key.name == other.key.name
        ? one.key.id.lexicographicallyPrecedes(other.key.id) : one.key.name.lexicographicallyPrecedes(other.key.name)
    }.map(\.row)
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

  /// - Parameter statuses: only those with one of these; all if it is empty.
  static func rows(of lists: [List], statuses: [String]) -> Rows {
    Rows(isReiterable: true) { body in
      for list in lists {
        for row in list.rows where statuses.isEmpty || statuses.contains(row.status) {
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
        hint: "Look at it with 'ifttt plugin test'.")
    }
  }
}
