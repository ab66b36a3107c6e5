package import JSON

/// Why kept bytes are not a state of the sandbox.
package enum SandboxStateProblem: Error, Equatable, CustomStringConvertible {
  case notJSON(JSONError)
  /// Written by a later version of the program, in this format.
  case laterFormat(Int)
  /// The member that is missing or of the wrong kind.
  case malformed(String)

  package var description: String {
    switch self {
    case .notJSON(let error): "the sandbox's state is not JSON: \(error)"
    case .laterFormat(let format): "the sandbox's state has format \(format), later than \(SandboxState.format)"
    case .malformed(let member): "the sandbox's state has no usable \"\(member)\""
    }
  }
}

extension SandboxState {
  /// Raised whenever older versions of the program would misread what is written.
  package static let format = 1

  /// Leaves out users, connections and Applets that the seeded world does not have (any more).
  package init(parsing bytes: [UInt8]) throws(SandboxStateProblem) {
    let json: JSONValue
    do { json = try JSONValue(parsing: bytes) } catch { throw .notJSON(error) }
    guard let format = json["format"]?.int, format > 0 else { throw .malformed("format") }
    guard format <= Self.format else { throw .laterFormat(format) }

    self.init(salt: try Self.number("salt", of: json))
    requests = try Self.number("requests", of: json)

    guard let tokens = json["tokens"]?.array else { throw .malformed("tokens") }
    for entry in tokens {
      guard let token = entry["token"]?.string, !token.isEmpty, let userID = entry["user_id"]?.string else {
        throw .malformed("tokens")
      }
      issued.append(IssuedToken(token: token, userID: userID))
    }

    guard let users = json["statuses"]?.object else { throw .malformed("statuses") }
    for (user, entries) in users.members {
      guard let entries = entries.object else { throw .malformed("statuses") }
      for (id, text) in entries.members {
        guard let status = text.string.flatMap(UserStatus.init) else { throw .malformed("statuses") }
        guard let seeded = SandboxWorld.seededStatus(of: user, in: id) else { continue }
        set(status, of: user, in: id, seeded: seeded)
      }
    }
  }

  /// The same state always gives the same bytes.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("format")
    writer.int(Self.format)
    writer.key("salt")
    writer.int(salt)
    writer.key("requests")
    writer.int(requests)
    writer.key("tokens")
    writer.value(.array(issued.map { ["token": .string($0.token), "user_id": .string($0.userID)] }))
    writer.key("statuses")
    writer.beginObject()
    for (user, entries) in statuses.sorted(by: { $0.key < $1.key }) {
      writer.key(user)
      writer.beginObject()
      for (id, status) in entries.sorted(by: { $0.key < $1.key }) {
        writer.key(id)
        writer.string(status.rawValue)
      }
      writer.endObject()
    }
    writer.endObject()
    writer.endObject()
    return writer.bytes
  }

  private static func number(_ key: String, of json: JSONValue) throws(SandboxStateProblem) -> Int {
    guard let number = json[key]?.int, (0...largestNumber).contains(number) else { throw .malformed(key) }
    return number
  }
}
