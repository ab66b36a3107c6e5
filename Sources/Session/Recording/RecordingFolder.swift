package import HTTP
import JSON
package import Store
import Text
package import World

/// The files of one recording: `recording.json` for the run, `store.json` for the store's contents, and one file per
/// exchange, numbered in order of completion.
package struct RecordingFolder {
  package let path: String
  package let files: any Files

  /// The maximum size of one file, larger than that of any exchange.
  private static let limit = 256 << 20

  package var runFile: String { "\(path)/recording.json" }
  package var storeFile: String { "\(path)/store.json" }

  /// The path of an exchange's file, such as `0001.json`.
  package func exchangeFile(_ number: Int) -> String { "\(path)/\(String(number, width: 4)).json" }

  /// Creates the folder.
  /// - Throws: ``Problem`` if the path already exists.
  package func make() throws {
    do throws(SystemError) { try files.makeNewFolder(path) } catch {
      throw Problem(
        .refused, "cannot record in '\(path)'", reason: error.description,
        hint: "Pass a folder that does not exist yet; a recording never overwrites files.")
    }
  }

  package func write(_ bytes: [UInt8], to file: String) throws(SystemError) {
    try files.replace(file, with: bytes, mode: 0o600)
  }

  /// Reads the run.
  /// - Throws: ``Problem`` if the folder does not contain a recording.
  func readRun() throws -> RecordedRun {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try files.readRegular(runFile, limit: Self.limit) } catch {
      throw Problem.noRecording(in: path, error.description)
    }
    return try RecordedRun(parsing: bytes, from: path)
  }

  /// Reads the snapshot of the store; nil if the store had no data.
  func readStore() throws -> StoreSnapshot? {
    guard files.exists(storeFile) else { return nil }
    guard let snapshot = StoreSnapshot(parsing: try files.readRegular(storeFile, limit: Self.limit)) else {
      throw Problem.noRecording(in: path, "store.json was not written by --record")
    }
    return snapshot
  }

  /// Reads all exchanges, in order of completion.
  func readExchanges() throws -> [RecordedExchange] {
    var exchanges: [RecordedExchange] = []
    while true {
      let file = exchangeFile(exchanges.count + 1)
      guard files.exists(file) else { return exchanges }
      guard let exchange = RecordedExchange(parsing: try files.readRegular(file, limit: Self.limit)) else {
        throw Problem.noRecording(in: path, "\(file) was not written by --record")
      }
      exchanges.append(exchange)
    }
  }
}

/// A recorded run, without its exchanges: its command line, its authentication level, and the data that a replay needs.
package struct RecordedRun {
  /// The version of the file format. A file with any other version cannot be read.
  package static let formatVersion = 1

  /// The program's name and version: `ifttt 0.1.0`.
  package var program: String
  /// The arguments without the program's name, with secrets masked.
  package var command: [String]
  var began: Timestamp
  package var profile: String?
  /// The authentication level: `user`, `service` or `anonymous`; nil if no authentication was needed.
  package var level: String?
  /// The environment of the replay: the variables that supplied options and base URLs, and one variable with a
  /// placeholder for each credential that was used, whatever its source.
  package var variables: [(name: String, value: String)] = []
  /// Whether the cached data belongs to the run's request identity; nil if that was not checked.
  var cacheIsOwn: Bool?
  /// The seed of the retry jitter.
  package var seed: UInt32

  package mutating func setVariable(_ variable: String, _ value: String) {
    variables.removeAll { $0.name == variable }
    variables.append((variable, value))
  }

  package var bytes: [UInt8] {
    let json: JSONValue = [
      "recording": JSONValue(Self.formatVersion), "program": .string(program),
      "command": .array(command.map(JSONValue.string)),
      "began_at": .string(began.rfc3339), "began_at_milliseconds": JSONValue(Int(began.milliseconds)),
      "profile": JSONValue(profile), "authentication_level": JSONValue(level),
      "environment": .object(JSONObject(members: variables.map { ($0.name, .string($0.value)) })),
      "cache_is_own": cacheIsOwn.map { .bool($0) } ?? .null, "seed": JSONValue(Int(seed)),
    ]
    return json.indented
  }

  /// - Throws: ``Problem`` if the file is not a recording or has an incompatible format.
  package init(parsing bytes: [UInt8], from folder: String) throws {
    guard let json = try? JSONValue(parsing: bytes), let formatVersion = json["recording"]?.int else {
      throw Problem.noRecording(in: folder, "recording.json was not written by --record")
    }
    guard formatVersion == Self.formatVersion, let began = json["began_at_milliseconds"]?.int,
      let seed = json["seed"]?.int
    else {
      throw Problem.noRecording(
        in: folder, "\(json["program"]?.string ?? "another version") wrote it in another format")
    }
    program = json["program"]?.string ?? ""
    command = json["command"]?.array?.compactMap(\.string) ?? []
    self.began = Timestamp(milliseconds: Int64(began))
    profile = json["profile"]?.string
    level = json["authentication_level"]?.string
    variables =
      json["environment"]?.object?.members.compactMap { member in
        member.value.string.map { (member.key, $0) }
      } ?? []
    cacheIsOwn = json["cache_is_own"]?.bool
    self.seed = UInt32(truncatingIfNeeded: seed)
  }

  package init(command: [String], began: Timestamp, seed: UInt32) {
    (program, self.command, self.began, self.seed) = ("ifttt \(programVersion)", command, began, seed)
  }
}

extension Problem {
  static func noRecording(in folder: String, _ reason: String) -> Problem {
    Problem(
      .refused, "'\(folder)' does not contain a recording that can be replayed", reason: reason,
      hint: "Pass a folder that was created with --record.")
  }
}

/// The stored data of a profile at the start of a recorded run, without credentials.
package struct StoreSnapshot {
  package var settings: [Profile.Setting: String] = [:]
  package var tracked: [String] = []
  package var cached: [CachedConnection] = []
  /// The connections whose configuration is pending.
  package var pending: [String] = []
  /// Whether location reporting is enabled, by connection.
  var reportsLocation: [String: Bool] = [:]

  /// The identity that owns the cache in a replay. If the recorded cache belonged to the run's identity, the replay
  /// uses this identity for its requests.
  package static let identity = RequestIdentity("recorded")

  /// Reads the data of a profile.
  /// - Parameters:
  ///   - arguments: the arguments of the command. If some are ids of tracked connections, only these connections are
  ///     included, for privacy.
  ///   - readsConnections: whether the command reads any connections.
  /// - Returns: nil if there is nothing to restore.
  package init?(of profile: String, in store: Store, arguments: [String], readsConnections: Bool) throws {
    let storedProfile = try store.profile(profile)
    settings = storedProfile?.settings ?? [:]
    if readsConnections {
      // This time is later than any fetch, so that all tracked connections are included.
      let all = try store.tracked(fetchedBefore: Timestamp(milliseconds: .max), profile: profile).sorted()
      let named = all.filter(Set(arguments).contains)
      tracked = named.isEmpty ? all : named
    }
    for id in tracked {
      if let connection = try store.cached(id, profile: profile) { cached.append(connection) }
    }
    if readsConnections {
      pending = try store.pending(profile: profile).filter { arguments.contains($0) || tracked.contains($0) }.sorted()
      let choices = try LocationQueue(store, profile: profile).choices().filter {
        arguments.contains($0.key) || tracked.contains($0.key)
      }
      reportsLocation = choices.mapValues(\.isOn)
    }
    if storedProfile == nil && tracked.isEmpty && pending.isEmpty && reportsLocation.isEmpty { return nil }
  }

  /// Writes everything to a store that has no data of the profile.
  package func restore(_ profile: String, in store: Store) throws {
    try store.save(Profile(name: profile, settings: settings))
    _ = try store.track(tracked, profile: profile)
    for id in pending { try store.markPending(id, profile: profile) }
    for (id, isOn) in reportsLocation { _ = try LocationQueue(store, profile: profile).setReporting(isOn, of: id) }
    try store.cache(cached, as: Self.identity, takingOver: true, profile: profile)
  }

  /// The contents of `store.json`.
  /// - Parameter mask: masks the invite code, and secrets in names and responses.
  package func bytes(_ mask: inout ExchangeRedactor) -> [UInt8] {
    func text(_ bytes: [UInt8]) -> JSONValue { .string(String(decoding: mask.masked(bytes), as: UTF8.self)) }
    let settings = self.settings.sorted(by: \.key.rawValue)
    let json: JSONValue = [
      "settings": .object(
        JSONObject(
          members: settings.map { setting, value in
            (setting.rawValue, .string(setting == .inviteCode ? mask.standIn(of: value) : mask.masked(value)))
          })),
      "tracked": .array(tracked.map(JSONValue.string)), "pending": .array(pending.map(JSONValue.string)),
      "location": .object(
        JSONObject(members: reportsLocation.inOrder.map { ($0.key, JSONValue($0.value)) })),
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

  /// Parses the contents of `store.json`; returns nil if they are not a snapshot.
  package init?(parsing bytes: [UInt8]) {
    guard let json = try? JSONValue(parsing: bytes, values: .max), let settings = json["settings"]?.object,
      let tracked = json["tracked"]?.array, let cached = json["cached"]?.array
    else { return nil }
    for (name, value) in settings.members {
      if let setting = Profile.Setting(rawValue: name) { self.settings[setting] = value.string }
    }
    self.tracked = tracked.compactMap(\.string)
    // The recordings of earlier versions do not have the members `pending` and `location`.
    pending = json["pending"]?.array?.compactMap(\.string) ?? []
    for (id, isOn) in json["location"]?.object?.members ?? [] { reportsLocation[id] = isOn.bool }
    self.cached = cached.compactMap { row in
      guard let id = row["id"]?.string, let name = row["name"]?.string, let status = row["status"]?.string,
        let fetchedAt = row["fetched_at_milliseconds"]?.int, let document = row["document"]?.string,
        let response = row["answer"]?.string
      else { return nil }
      return CachedConnection(
        id: id, name: name, status: status, document: Array(document.utf8), raw: Array(response.utf8),
        fetchedAt: Timestamp(milliseconds: Int64(fetchedAt)))
    }
  }
}
