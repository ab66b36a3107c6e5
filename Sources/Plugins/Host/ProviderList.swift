import IFTTT
import JSON
import Output
package import PluginProtocol
package import Session
package import Store
import Text
import World

/// A provider plugin's part of `connections list`: its cached list, refreshed if it is stale.
package final class ProviderList {
  private let provider: InstalledProvider
  private let statuses: [String]
  private let isStrict: Bool
  private let session: Session
  package private(set) var rows: [ProvidedRow] = []
  private var fetchedAt = Timestamp(milliseconds: 0)
  private var isStale = false
  /// The reason why it is stale.
  package private(set) var problem: Problem?
  /// Whether it still has to be fetched.
  package private(set) var isDue = true

  /// - Parameter statuses: only connections with one of these statuses; all connections if it is empty.
  package init(
    of provider: InstalledProvider, statuses: [String] = [], maxAge: Duration, in session: Session
  ) throws {
    (self.provider, self.statuses, isStrict, self.session) = (provider, statuses, maxAge == .zero, session)
    guard let cached = try session.plugins.cachedList(of: provider.name.description) else { return }
    (rows, fetchedAt) = (cached.rows, cached.fetchedAt)
    isStale = cached.isStale(maxAge: maxAge, at: session.world.clock.now())
    isDue = isStale && cached.isFetchedIfStale(offline: session.options.isOffline)
  }

  /// Schedules the fetch of the list, if it is due.
  /// - Parameter completion: called when the list is final.
  package func fetch(in loop: FetchLoop, completion: @escaping () throws -> Void) {
    guard isDue else { return }
    loop.add(provider) { [self] outcome in
      try receive(outcome)
      try completion()
    }
  }

  /// Fetches the list if that is due. A dry run starts no plugin, so its list stays as cached.
  package func refresh() throws {
    guard isDue, !session.options.isDryRun else { return }
    let loop = FetchLoop(in: session)
    fetch(in: loop) {}
    try loop.run()
  }

  private func receive(_ outcome: FetchLoop.Outcome) throws {
    isDue = false
    switch outcome {
    case .success(let fetched):
      (rows, fetchedAt, isStale) = (fetched, session.world.clock.now(), false)
      do { try cache() } catch { (problem, isStale) = (Problem.from(error), true) }
    case .failure(let failure): (problem, isStale) = (failure, true)
    }
  }

  /// Writes the fetched rows to the cache, which determines their order.
  private func cache() throws {
    let (store, profile, name) = (try session.store, try session.profile.name, provider.name.description)
    let isPrivate = rows.contains(where: \.isPrivate)
    // Partially cached rows expire at once, so that they are always fetched.
    try ProviderCache(store, profile: profile).cache(
      rows.map { try $0.cacheable(by: provider.name) }, by: name,
      fetchedAt: isPrivate ? .expired : fetchedAt)
    if isPrivate {
      rows = rows.sorted { RowOrder(name: $0.name, id: $0.id) }
    } else if let cached = try ProviderCache(store, profile: profile).lists(of: name).first {
      rows = cached.rows
    }
  }

  /// Calls `body` with each row.
  package func forEach(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    for row in rows where statuses.isEmpty || statuses.contains(row.status) {
      try ConnectionRow.complete(row.document, tracked: true, stale: isStale, fetchedAt: fetchedAt)
        .withUnsafeBytes(body)
    }
  }

  /// Reports the problem of a stale list.
  /// - Parameter isAlone: Whether the command shows no other list.
  /// - Throws: The problem, if the list must be fresh or if nothing can be shown.
  package func evaluate(isAlone: Bool) throws {
    guard let problem else { return }
    if isStrict || isAlone && rows.isEmpty { throw problem }
    let treatment = rows.isEmpty ? "is skipped" : "is shown from the cache"
    session.console.note("Provider '\(provider.name)' \(treatment): \(problem.summary)")
  }
}

extension ProvidedList {
  func isStale(maxAge: Duration, at now: Timestamp) -> Bool {
    maxAge == .zero || fetchedAt < now - maxAge || fetchedAt > now
  }

  /// With --offline, the cached list is shown unless it is marked as expired. In that case the provider is queried,
  /// because it may not need the network.
  func isFetchedIfStale(offline: Bool) -> Bool { !offline || fetchedAt == .expired }
}

extension ProvidedRow {
  /// Parses a provider's description of a connection. Missing members become null, false or empty, and unknown
  /// members are dropped.
  /// - Throws: ``ProviderDocumentError`` if the name or the status is missing, or if the id cannot be typed.
  package init(_ value: Value, by provider: PluginName) throws(ProviderDocumentError) {
    guard let id = value["id"]?.string, ConnectionID(parsing: id) != nil else {
      throw ProviderDocumentError("a connection has no 'id', or one with '/', '?', '#' or control characters")
    }
    guard let name = value["name"]?.string else { throw ProviderDocumentError("connection '\(id)' has no 'name'") }
    guard let status = value["status"]?.string, UserStatus(rawValue: status) != nil else {
      throw ProviderDocumentError(
        "connection '\(id)' has a 'status' other than enabled, disabled, never_enabled and unknown")
    }
    let json = value.json
    var writer = JSONWriter(reserving: 512)
    writer.beginObject()
    writer.member("id", id)
    writer.member("name", name)
    writer.member("description", json["description"]?.string)
    writer.member("status", status)
    writer.member("pending", json["pending"]?.bool ?? false)
    writer.member("provider", provider.description)
    writer.member("url", json["url"]?.string)
    writer.member("enabled_count", value["enabled_count"]?.int(in: 0...1_000_000_000_000))
    let services = json["services"]?.array ?? []
    writer.member("primary_service", json["primary_service"]?.string ?? services.primary)
    writer.members("services", services) { $1.service($0) }
    writer.members("features", (json["features"]?.array ?? []).filter { $0["id"]?.string?.isEmpty == false }) {
      $1.feature($0)
    }
    writer.member("configuration", String?.none)
    writer.key("cover_images")
    writer.images(json["cover_images"])
    self.init(id: id, name: name, status: status, document: writer.bytes)
    isPrivate = json["private"]?.bool ?? false
  }

  /// The row as it may be cached: for a private row, only the id and the status.
  func cacheable(by provider: PluginName) throws(ProviderDocumentError) -> ProvidedRow {
    guard isPrivate else { return self }
    return try ProvidedRow(["id": Value(id), "name": Value(id), "status": Value(status)], by: provider)
  }
}

/// The reason why a provider's description of a connection is invalid.
package struct ProviderDocumentError: Error, Equatable {
  package let description: String
  package init(_ description: String) { self.description = description }
}

extension [JSONValue] {
  fileprivate var primary: String? { first { $0["is_primary"]?.bool == true }?["id"]?.string }
}

extension JSONWriter {
  fileprivate mutating func service(_ value: JSONValue) {
    beginObject()
    let id = value["id"]?.string ?? ""
    member("id", id)
    member("name", value["name"]?.string ?? id)
    member("short_name", value["short_name"]?.string ?? value["name"]?.string ?? id)
    member("is_primary", value["is_primary"]?.bool ?? false)
    for name in ["brand_color", "icon_url", "url"] { member(name, value[name]?.string) }
    endObject()
  }

  fileprivate mutating func feature(_ value: JSONValue) {
    beginObject()
    for name in ["id", "title", "description", "icon_url"] { member(name, value[name]?.string) }
    fields(value)
    for name in ["triggers", "queries", "actions"] {
      members(name, value[name]?.array ?? []) { step, writer in
        writer.beginObject()
        for name in ["id", "step", "label"] { writer.member(name, step[name]?.string) }
        writer.fields(step)
        writer.endObject()
      }
    }
    endObject()
  }

  fileprivate mutating func fields(_ value: JSONValue) {
    members("fields", (value["fields"]?.array ?? []).filter { $0["id"]?.string?.isEmpty == false }) { field, writer in
      writer.beginObject()
      for name in ["id", "label", "type"] { writer.member(name, field[name]?.string) }
      writer.member("required", field["required"]?.bool)
      writer.member("hidden", field["hidden"]?.bool)
      writer.member("default_value", field["default_value"]?.string)
      writer.endObject()
    }
  }

  /// Reads a map from widths in pixels to URLs.
  fileprivate mutating func images(_ value: JSONValue?) {
    let images = (value?.object?.members ?? []).filter { key, value in
      value.string != nil && key.first != "0" && !key.isEmpty
        && key.utf8.allSatisfy(\.isDigit)
    }
    guard !images.isEmpty else { return null() }
    beginObject()
    for (key, value) in images { member(key, value.string) }
    endObject()
  }
}
