import JSON

extension SandboxState {
  /// The state as JSON. Equal states produce equal bytes. Empty members are omitted, except those of the first
  /// format.
  package var bytes: [UInt8] {
    var state: JSONObject = [
      "format": JSONValue(Self.format), "salt": JSONValue(salt), "requests": JSONValue(requests),
      "tokens": .array(issued.map { ["token": .string($0.token), "user_id": .string($0.userID)] }),
      "statuses": Self.sorted(statuses) { .string($0.rawValue) },
    ]
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
    let members = entries.sorted { $0.key < $1.key }.map { user, things in
      let things = things.sorted { $0.key < $1.key }.map { (key: $0.key, value: json($0.value)) }
      return (key: user, value: JSONValue.object(JSONObject(members: things)))
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
