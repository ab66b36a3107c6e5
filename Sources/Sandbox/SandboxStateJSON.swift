package import JSON
import Text

/// The reason stored bytes are not a valid state of the sandbox.
package enum SandboxStateError: Error, Equatable, CustomStringConvertible {
  case notJSON(JSONError)
  /// The state has this format, which a later version of the program wrote.
  case laterFormat(Int)
  /// The member with this name is missing or has the wrong type.
  case malformed(String)

  package var description: String {
    switch self {
    case .notJSON(let error): "it is not JSON: \(error)"
    case .laterFormat(let format): "it has format \(format), newer than \(SandboxState.format)"
    case .malformed(let member): "it has no valid \"\(member)\""
    }
  }
}

extension SandboxState {
  /// The format number. It is increased whenever older versions of the program would misread the state. Format 1 had
  /// only tokens and statuses.
  package static let format = 2

  /// Parse a state. Users, connections and Applets that are not in the fixtures are skipped.
  package init(parsing bytes: [UInt8]) throws(SandboxStateError) {
    let json: JSONValue
    do { json = try JSONValue(parsing: bytes, values: .max) } catch { throw .notJSON(error) }
    guard let format = json["format"]?.int, format > 0 else { throw .malformed("format") }
    guard format <= Self.format else { throw .laterFormat(format) }

    var seed = BuiltInSeed.plain
    if let name = json["seed"] {
      guard let named = name.string.flatMap(BuiltInSeed.init(rawValue:)) else { throw .malformed("seed") }
      seed = named
    }
    self.init(seed, salt: try Self.number("salt", of: json))
    requests = try Self.number("requests", of: json)
    made = json["made"] == nil ? 0 : try Self.number("made", of: json)
    guard let tokens = json["tokens"]?.array else { throw .malformed("tokens") }
    issued = try tokens.map { entry throws(SandboxStateError) in
      guard let token = entry["token"]?.string, !token.isEmpty, let userID = entry["user_id"]?.string else {
        throw .malformed("tokens")
      }
      return IssuedToken(token: token, userID: userID)
    }
    accounts = try Self.list("accounts", of: json, Account.init)
    users = try Self.list("users", of: json, SandboxFixtures.User.init(stored:))
    codes = try Self.list("codes", of: json, ProvisionalCode.init)
    usedOAuthCodes = Set(try Self.list("used_oauth_codes", of: json, \.string))

    locationRecords = try Self.list("location_records", of: json, \.string)

    guard let entries = json["statuses"]?.object else { throw .malformed("statuses") }
    for (user, id, text) in try knownEntries(entries, "statuses") {
      guard let status = text.string.flatMap(SandboxUserStatus.init) else { throw .malformed("statuses") }
      guard SandboxFixtures.seededStatus(of: user, in: id) != nil else { continue }
      set(status, of: user, in: id) { SandboxFixtures.seededStatus(of: $0, in: id) }
    }
    for (user, id, stored) in try knownEntries(json["configurations"]?.object ?? [:], "configurations") {
      guard let connection = builtInSeed.fixtures.connection(id)?.connection else { continue }
      guard let isPending = stored["pending"]?.bool, let features = stored["features"]?.array else {
        throw .malformed("configurations")
      }
      // If the connection has changed since it was configured, its configuration reverts to the seeded one.
      guard let features = SandboxFixtures.UserFeature.stored(features, of: connection) else { continue }
      configurations[user, default: [:]][id] = Configuration(isPending: isPending, features: features)
    }
  }

  /// The entries by user and item, without those of unknown users.
  private func knownEntries(
    _ entries: JSONObject, _ name: String
  ) throws(SandboxStateError) -> [(user: String, id: String, value: JSONValue)] {
    let userIDs = Set((SandboxFixtures.users + users).map(\.id))
    var known: [(user: String, id: String, value: JSONValue)] = []
    for (user, items) in entries.members {
      guard let items = items.object else { throw .malformed(name) }
      guard userIDs.contains(user) else { continue }
      known += items.members.map { (user, $0.key, $0.value) }
    }
    return known
  }

  private static func number(_ key: String, of json: JSONValue) throws(SandboxStateError) -> Int {
    guard let number = json[key]?.int, (0...largestNumber).contains(number) else { throw .malformed(key) }
    return number
  }

  /// The elements of a list; empty if the key is missing.
  private static func list<T>(
    _ key: String, of json: JSONValue, _ read: (JSONValue) -> T?
  ) throws(SandboxStateError) -> [T] {
    guard let value = json[key] else { return [] }
    guard let elements = value.array else { throw .malformed(key) }
    return try elements.map { element throws(SandboxStateError) in
      guard let parsed = read(element) else { throw .malformed(key) }
      return parsed
    }
  }
}

extension SandboxState.Account {
  fileprivate init?(_ json: JSONValue) {
    guard let email = json["email"]?.string, let login = json["login"]?.string else { return nil }
    self.init(email: email, login: login)
  }
}

extension SandboxState.ProvisionalCode {
  fileprivate init?(_ json: JSONValue) {
    guard let code = json["code"]?.string, let service = json["service"]?.string,
      let oauthCode = json["oauth_code"]?.string, let issuedAt = json["issued_at"]?.int,
      let isUsed = json["used"]?.bool
    else { return nil }
    self.init(code: code, service: service, oauthCode: oauthCode, issuedAt: Int64(issuedAt), isUsed: isUsed)
  }
}

extension SandboxFixtures.User {
  fileprivate init?(stored json: JSONValue) {
    guard let id = json["id"]?.string, let service = json["service"]?.string, let login = json["login"]?.string,
      let token = json["user_token"]?.string, !token.isEmpty, let accessToken = json["access_token"]?.string,
      !accessToken.isEmpty
    else { return nil }
    self.init(
      id: id, service: service, login: login, email: json["email"]?.string, userToken: token, accessToken: accessToken,
      name: json["name"]?.string)
  }
}

extension SandboxFixtures.UserFeature {
  /// The stored features, or nil if one does not match the connection.
  fileprivate static func stored(_ json: [JSONValue], of connection: SandboxFixtures.Connection) -> [Self]? {
    let reader = SeedReader(services: [], users: [])
    do throws(SeedError) {
      return try SeedNode(path: "features", value: .array(json)).list { item throws(SeedError) in
        try reader.userFeature(item, connection.features)
      }
    } catch {
      return nil
    }
  }
}

extension SandboxState {
  /// The state as JSON. Equal states produce equal bytes. Empty members are omitted, except those of the first
  /// format.
  package var bytes: [UInt8] {
    var state: JSONObject = [
      "format": JSONValue(Self.format), "salt": JSONValue(salt), "requests": JSONValue(requests),
      "tokens": .array(issued.map { ["token": .string($0.token), "user_id": .string($0.userID)] }),
      "statuses": Self.sorted(statuses) { .string($0.rawValue) },
    ]
    if builtInSeed != .plain { state["seed"] = .string(builtInSeed.rawValue) }
    if made > 0 { state["made"] = JSONValue(made) }
    if !accounts.isEmpty {
      state["accounts"] = .array(accounts.map { ["email": .string($0.email), "login": .string($0.login)] })
    }
    if !users.isEmpty { state["users"] = .array(users.map(\.seedJSON)) }
    if !codes.isEmpty { state["codes"] = .array(codes.map(\.json)) }
    if !usedOAuthCodes.isEmpty {
      state["used_oauth_codes"] = .array(usedOAuthCodes.sorted().map(JSONValue.string))
    }
    if !locationRecords.isEmpty { state["location_records"] = .array(locationRecords.map(JSONValue.string)) }
    if !configurations.isEmpty { state["configurations"] = Self.sorted(configurations, \.json) }
    return JSONValue.object(state).bytes
  }

  private static func sorted<T>(_ entries: [String: [String: T]], _ json: (T) -> JSONValue) -> JSONValue {
    let members = entries.inOrder.map { user, items in
      let items = items.inOrder.map { (key: $0.key, value: json($0.value)) }
      return (key: user, value: JSONValue.object(JSONObject(members: items)))
    }
    return .object(JSONObject(members: members))
  }
}

extension SandboxState.ProvisionalCode {
  fileprivate var json: JSONValue {
    [
      "code": .string(code), "service": .string(service), "oauth_code": .string(oauthCode),
      "issued_at": .number(JSONNumber(Int(issuedAt))), "used": .bool(isUsed),
    ]
  }
}

extension SandboxState.Configuration {
  fileprivate var json: JSONValue {
    ["pending": .bool(isPending), "features": .array(features.map(\.seedJSON))]
  }
}
