package import Batch
package import CommandContext
package import Display
import Hints
package import PluginProtocol
package import Store
package import Time
import World

/// The lists of a profile's providers: fresh if requested and possible, otherwise from the cache.
///
/// Providers that must be queried are queried in parallel, when the rows are first needed.
package final class ProviderLists {
  /// The list of one provider.
  package struct List {
    package let provider: InstalledProvider
    package var rows: [ProvidedRow] = []
    package var fetchedAt = Timestamp(milliseconds: 0)
    var isStale = false
    /// The reason why it is stale.
    package var problem: Problem?
    fileprivate var isDue = true
  }

  private let session: Session
  private var lists: [List] = []
  /// Whether all lists are complete, so that the rows can be read repeatedly.
  package var isComplete: Bool { !lists.contains(where: \.isDue) }

  package init(of providers: [InstalledProvider], maxAge: Duration, in session: Session) throws {
    self.session = session
    lists = try providers.map { try remembered(by: $0, maxAge) }
  }

  private func remembered(by provider: InstalledProvider, _ maxAge: Duration) throws -> List {
    var list = List(provider: provider)
    let now = session.world.clock.now()
    if let cached = try session.store.provided(by: provider.name.description, profile: session.profile.name) {
      (list.rows, list.fetchedAt) = cached
      list.isStale = maxAge == .zero || cached.fetchedAt < now - maxAge || cached.fetchedAt > now
      // With --offline, the cached list is shown unless it is marked as expired. In that case the provider is
      // queried, because it may not need the network.
      list.isDue = list.isStale && (!session.options.isOffline || cached.fetchedAt == .expired)
    }
    return list
  }

  /// All lists, after each provider has responded or failed.
  package var all: [List] {
    get throws {
      try finish { _ in }
      return lists
    }
  }

  /// Fetches the lists that are due.
  /// - Parameters:
  ///   - other: sends requests to IFTTT at the same time, as in ``ProviderRequests/run(alongside:each:)``.
  ///   - each: called with each list as soon as it is final, starting with those that need no request.
  private func finish(
    alongside other: (_ meanwhile: () throws -> Duration?) throws -> Void = { _ in }, _ each: (List) throws -> Void
  ) throws {
    let due = lists.indices.filter { lists[$0].isDue }
    for list in lists where !list.isDue { try each(list) }
    let requests = due.map { ProviderRequests.Request(provider: lists[$0].provider) }
    try ProviderRequests(requests, in: session).run(alongside: other) { place, outcome in
      try accept(outcome, into: &lists[due[place]])
      try each(lists[due[place]])
    }
  }

  private func accept(_ outcome: ProviderRequests.Outcome, into list: inout List) throws {
    list.isDue = false
    switch outcome {
    case .success(let rows):
      let (store, profile, name) = (try session.store, try session.profile.name, list.provider.name.description)
      (list.rows, list.fetchedAt, list.isStale) = (rows, session.world.clock.now(), false)
      do {
        let isPrivate = rows.contains(where: \.isPrivate)
        // Partially cached rows expire at once, so that they are always fetched.
        try store.cache(
          provided: rows.map { try $0.cacheable(by: list.provider.name) }, by: name, profile: profile,
          fetchedAt: isPrivate ? .expired : list.fetchedAt)
        if isPrivate {
          list.rows = Self.sorted(rows)
        } else if let cached = try store.provided(by: name, profile: profile) {
          // The cache determines the order.
          list.rows = cached.rows
        }
      } catch { (list.problem, list.isStale) = (Problem(error), true) }
    case .failure(let problem): (list.problem, list.isStale) = (problem, true)
    }
  }

  /// Sorts by name, ignoring the case of ASCII letters, and then by id, as the cache does.
  private static func sorted(_ rows: [ProvidedRow]) -> [ProvidedRow] {
    func key(_ row: ProvidedRow) -> (name: [UInt8], id: [UInt8]) {
      (row.name.utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }, Array(row.id.utf8))
    }
    return rows.map { (row: $0, key: key($0)) }.sorted { one, other in
      one.key.name == other.key.name
        ? one.key.id.lexicographicallyPrecedes(other.key.id) : one.key.name.lexicographicallyPrecedes(other.key.name)
    }.map(\.row)
  }

  // MARK: Output

  /// The rows of all lists, each as soon as its list is complete, including IFTTT's.
  ///
  /// A table is printed as a whole, so its order does not depend on the fastest provider: IFTTT's rows come first,
  /// then those of the providers by name.
  /// - Parameters:
  ///   - statuses: only rows with one of these statuses; all rows if it is empty.
  ///   - tracked: IFTTT's list, fetched while the providers run.
  package func rows(statuses: [String], beside tracked: TrackedList? = nil) -> Rows {
    let isTable = session.options.format == .table
    return Rows(isReiterable: isComplete && tracked?.isDue != true) { [self] body in
      func print(_ list: List) throws {
        for row in list.rows where statuses.isEmpty || statuses.contains(row.status) {
          let whole = ConnectionRow.complete(
            row.document, tracked: true, stale: list.isStale, fetchedAt: list.fetchedAt)
          try whole.withUnsafeBytes(body)
        }
      }
      guard isTable else { return try stream(tracked, body, print) }
      let end = Result { try finish(alongside: { try tracked?.fetch(meanwhile: $0) }) { _ in } }
      // Print the rows that were known at Ctrl-C.
      if case .failure(let error) = end, Problem(error).code != .interrupted { throw error }
      try tracked?.forEach(body)
      for list in lists where !list.isDue { try print(list) }
      try end.get()
    }
  }

  /// Prints each list as soon as it is complete.
  private func stream(
    _ tracked: TrackedList?, _ body: (UnsafeRawBufferPointer) throws -> Void, _ print: (List) throws -> Void
  ) throws {
    let isTrackedDue = tracked?.isDue == true
    if !isTrackedDue {
      try tracked?.fetch()
      try tracked?.forEach(body)
    }
    try finish(
      alongside: { meanwhile in
        guard isTrackedDue else { return }
        try tracked?.fetch(meanwhile: meanwhile)
        try tracked?.forEach(body)
      }
    ) { list in
      session.makeRoom()
      try print(list)
    }
  }

  /// - Parameters:
  ///   - isStrict: whether a stale list is a failure.
  ///   - isAlone: whether nothing else is shown.
  package func judge(isStrict: Bool, isAlone: Bool) throws {
    for list in lists {
      guard let problem = list.problem else { continue }
      if isStrict || isAlone && list.rows.isEmpty { throw problem }
      let what = list.rows.isEmpty ? "is skipped" : "is shown from the cache"
      session.note("Provider '\(list.provider.name)' \(what): \(problem.summary)")
    }
  }
}

extension Session {
  /// The row of a provider's description of one connection.
  /// - Throws: `plugin_failed` if the description is invalid.
  package func row(_ value: Value, by provider: InstalledProvider) throws -> ProvidedRow {
    do throws(ProviderDocumentError) { return try ProvidedRow(value, by: provider.name) } catch {
      throw Problem(
        .pluginFailed, "plugin '\(provider.name)' failed", reason: error.description,
        hint: "Test it with \(ifttt: "plugin test PATH"); \(ifttt: "plugin show \(provider.name)") names its folder.")
    }
  }
}
