package import HTTP
import JSON
package import Store
import World

/// The profile's data in the store that a command may print or depend on, without credentials. A replay starts from
/// the same data as the run.
package struct StoreSnapshot {
  package var settings: [Profile.Setting: String] = [:]
  package var tracked: [String] = []
  package var cached: [CachedConnection] = []
  /// The connections whose configuration is pending.
  package var pending: [String] = []
  /// The location reporting state by connection: true if enabled, false if disabled.
  var located: [String: Bool] = [:]

  /// The owner of the cache in a replay. The replay uses this identity if the recorded cache belonged to the run's
  /// identity.
  package static let identity = RequestIdentity("recorded")

  /// - Parameters:
  ///   - words: the arguments of the command. If some are tracked connections, only those are included, for privacy.
  ///   - readsConnections: whether the command reads any connections.
  /// - Returns: nil if there is nothing to restore.
  package init?(of profile: String, in store: Store, words: [String], readsConnections: Bool) throws {
    let kept = try store.profile(profile)
    settings = kept?.settings ?? [:]
    if readsConnections {
      // Later than every fetch: includes everything that is tracked.
      let all = try store.tracked(fetchedBefore: Timestamp(milliseconds: .max), profile: profile).sorted()
      let named = all.filter(Set(words).contains)
      tracked = named.isEmpty ? all : named
    }
    for id in tracked {
      if let connection = try store.cached(id, profile: profile) { cached.append(connection) }
    }
    if readsConnections {
      pending = try store.pending(profile: profile).filter { words.contains($0) || tracked.contains($0) }.sorted()
      let choices = try store.locationChoices(profile: profile).filter {
        words.contains($0.key) || tracked.contains($0.key)
      }
      located = choices.mapValues(\.isOn)
    }
    if kept == nil && tracked.isEmpty && pending.isEmpty && located.isEmpty { return nil }
  }

  /// Writes everything to a store that has no data of the profile.
  package func restore(_ profile: String, in store: Store) throws {
    try store.save(Profile(name: profile, settings: settings))
    _ = try store.track(tracked, profile: profile)
    for id in pending { try store.markPending(id, profile: profile) }
    for (id, isOn) in located { _ = try store.setLocation(isOn, of: id, profile: profile) }
    try store.cache(cached, as: Self.identity, takingOver: true, profile: profile)
  }

  /// - Parameter mask: masks the invite code and secrets in names.
  package func bytes(_ mask: inout ExchangeRedactor) -> [UInt8] {
    func text(_ bytes: [UInt8]) -> JSONValue { .string(String(decoding: mask.masked(bytes), as: UTF8.self)) }
    let settings = self.settings.sorted { $0.key.rawValue < $1.key.rawValue }
    let json: JSONValue = [
      "settings": .object(
        JSONObject(
          members: settings.map { setting, value in
            (setting.rawValue, .string(setting == .inviteCode ? mask.standIn(of: value) : mask.masked(value)))
          })),
      "tracked": .array(tracked.map(JSONValue.string)), "pending": .array(pending.map(JSONValue.string)),
      "location": .object(
        JSONObject(members: located.sorted { $0.key < $1.key }.map { ($0.key, JSONValue($0.value)) })),
      "cached": .array(
        cached.map { connection in
          [
            "id": .string(connection.id), "name": text(Array(connection.name.utf8)),
            "status": .string(connection.status), "fetched_at": .string(connection.fetchedAt.rfc3339),
            "fetched_at_milliseconds": JSONValue(Int(connection.fetchedAt.milliseconds)),
            "document": text(connection.document), "answer": text(connection.raw),
          ]
        }),
    ]
    return json.indented
  }

  /// Nil if the bytes are not a snapshot.
  package init?(parsing bytes: [UInt8]) {
    guard let json = try? JSONValue(parsing: bytes, values: .max), let settings = json["settings"]?.object,
      let tracked = json["tracked"]?.array, let cached = json["cached"]?.array
    else { return nil }
    for (name, value) in settings.members {
      if let setting = Profile.Setting(rawValue: name) { self.settings[setting] = value.string }
    }
    self.tracked = tracked.compactMap(\.string)
    // Recordings of earlier versions have no such member.
    pending = json["pending"]?.array?.compactMap(\.string) ?? []
    for (id, isOn) in json["location"]?.object?.members ?? [] { located[id] = isOn.bool }
    self.cached = cached.compactMap { row in
      guard let id = row["id"]?.string, let name = row["name"]?.string, let status = row["status"]?.string,
        let fetchedAt = row["fetched_at_milliseconds"]?.int, let document = row["document"]?.string,
        let answer = row["answer"]?.string
      else { return nil }
      return CachedConnection(
        id: id, name: name, status: status, document: Array(document.utf8), raw: Array(answer.utf8),
        fetchedAt: Timestamp(milliseconds: Int64(fetchedAt)))
    }
  }
}
