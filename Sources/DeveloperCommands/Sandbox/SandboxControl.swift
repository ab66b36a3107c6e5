import HTTP
import JSON
import Sandbox
import Session
import Text

/// The control endpoint of a sandbox server: injected faults, recorded requests, activity, users and reset.
///
/// Only clients that can read the server's key may use it. Requests from web pages are rejected; browsers identify
/// them with an `Origin` header.
struct SandboxControl {
  static let path = "/.sandbox"

  private let request: ReceivedRequest
  private let key: String

  init(_ request: ReceivedRequest, key: String) { (self.request, self.key) = (request, key) }

  static func serves(_ target: String) -> Bool {
    guard target.utf8.starts(with: path.utf8) else { return false }
    let next = target.utf8.dropFirst(path.utf8.count).first
    return next == nil || next == UInt8(ascii: "/") || next == UInt8(ascii: "?")
  }

  /// Whether to reset the server's state before the response is sent.
  var isReset: Bool { isAllowed && request.method == "POST" && request.target == Self.path + "/reset" }

  private var isAllowed: Bool { request.field("Origin") == nil && hasKey }

  func respond(faults: inout FaultPlan, log: RequestLog, emulator: Emulator) -> Reply {
    guard request.field("Origin") == nil else { return .text(403, "Requests from web pages are rejected") }
    guard hasKey else { return .text(401, "The key of this server is required as a bearer token") }
    let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    do throws(ControlError) {
      switch (parts[0].dropFirst(Self.path.utf8.count), request.method) {
      case ("", "GET"): return .json(["requests": JSONValue(log.count), "faults": JSONValue(faults.rules.count)])
      case ("/faults", "GET"): break
      case ("/faults", "PUT"): faults = try requestedPlan()
      case ("/faults", "POST"): faults.add(try requestedPlan().rules)
      case ("/faults", "DELETE"): faults = FaultPlan()
      case ("/requests", "GET"):
        let secrets = emulator.runtime?.secrets ?? []
        let filter = try RequestFilter(parts.count == 2 ? String(parts[1]) : "")
        return .json(.array(filter.selected(from: log.all).map { ShownRequest($0, hiding: secrets).json }))
      case ("/activity", "GET"):
        let filter = try ActivityFilter(parts.count == 2 ? String(parts[1]) : "")
        return .json(.array(filter.selected(from: emulator.runtime?.activity.all ?? []).map(\.json)))
      case ("/users", "GET"): return .json(try users(parts.count == 2 ? String(parts[1]) : "", emulator))
      case ("/reset", "POST"): return .json(["reset": true])
      case ("", _), ("/faults", _), ("/requests", _), ("/activity", _), ("/users", _), ("/reset", _):
        throw ControlError(405, "This method is not supported here")
      default: throw ControlError(404, "Unknown path; use faults, requests, activity, users or reset")
      }
      return .json(.array(faults.rules.map(\.json)))
    } catch {
      return .text(error.status, error.message)
    }
  }

  struct ControlError: Error {
    let status: Int
    let message: String
    init(_ status: Int, _ message: String) { (self.status, self.message) = (status, message) }
  }

  /// Compares the key in constant time.
  private var hasKey: Bool {
    ExactText.sameInConstantTime(request.field("Authorization") ?? "", "Bearer \(key)")
  }

  /// The page of users that begins at the position in the query.
  private func users(_ query: String, _ emulator: Emulator) throws(ControlError) -> JSONValue {
    guard query.isEmpty || query.hasPrefix("from="), let position = Int(query.isEmpty ? "0" : query.dropFirst(5)),
      position >= 0
    else { throw ControlError(400, "from must be the number of users to skip") }
    let page = emulator.users(from: position)
    let users = page.users.map {
      JSONValue.object(["user_id": .string($0.id), "access_token": .string($0.accessToken)])
    }
    return ["users": .array(users), "next": page.next.map { JSONValue($0) } ?? .null]
  }

  private func requestedPlan() throws(ControlError) -> FaultPlan {
    guard let json = try? JSONValue(parsing: request.body), let texts = json["faults"]?.array else {
      throw ControlError(400, "The body must be an object with an array \"faults\"")
    }
    guard texts.count <= FaultPlan.limit else {
      throw ControlError(400, "At most \(FaultPlan.limit) faults are allowed")
    }
    var rules: [FaultRule] = []
    for (index, text) in texts.enumerated() {
      do throws(FaultSyntaxError) { rules.append(try FaultRule(parsing: text.string ?? "")) } catch {
        throw ControlError(400, "faults[\(index)] \(error)")
      }
    }
    return FaultPlan(rules, seed: json["seed"]?.int ?? 0)
  }
}

extension Reply {
  fileprivate static func json(_ value: JSONValue) -> Reply {
    Reply(status: 200, fields: [HeaderField("Content-Type", "application/json")], body: value.bytes)
  }
}

/// A filter of a log of the running server. Its records are numbered.
protocol LogFilter: Sendable, Equatable {
  /// Selects only the last records.
  var last: Int? { get set }
  /// Selects only records with a higher number.
  var after: Int? { get set }
  /// The names of the other conditions.
  static var conditions: [String] { get }
  /// The other conditions that are set.
  var conditions: [QueryItem] { get }

  init()
  /// Sets one of the other conditions.
  mutating func set(_ item: QueryItem) throws(SandboxControl.ControlError)
}

extension LogFilter {
  /// - Parameter query: The query as it appears in a URL.
  init(_ query: String) throws(SandboxControl.ControlError) {
    self.init()
    let request = Request(receivedMethod: "GET", target: "/?\(query)", headers: [], body: [])
    for item in request?.url.query ?? [] {
      switch item.name {
      case "last": last = try Self.number(item)
      case "after": after = try Self.number(item)
      case _ where Self.conditions.contains(item.name): try set(item)
      default:
        let names = Self.conditions.joined(separator: ", ")
        throw SandboxControl.ControlError(400, "Unknown parameter; use \(names), last or after")
      }
    }
  }

  static func number(_ item: QueryItem) throws(SandboxControl.ControlError) -> Int {
    guard let number = Int(item.value), number >= 0 else {
      throw SandboxControl.ControlError(400, "\(item.name) is not a number")
    }
    return number
  }

  var query: [QueryItem] {
    conditions
      + [("last", last), ("after", after)].compactMap { name, number in number.map { QueryItem(name, String($0)) } }
  }

  /// The selected records.
  /// - Parameter matches: whether a record meets the other conditions.
  func selected<Record>(from all: [Record], number: (Record) -> Int, _ matches: (Record) -> Bool) -> [Record] {
    let matching = all.filter { number($0) > (after ?? 0) && matches($0) }
    return last.map { Array(matching.suffix($0)) } ?? matching
  }
}

/// A filter of recorded requests.
struct RequestFilter: LogFilter {
  var method: String?
  /// A path in which `*` matches any text.
  var path: String?
  var status: Int?
  var last: Int?
  var after: Int?

  static let conditions = ["method", "path", "status"]
  var conditions: [QueryItem] {
    [("method", method), ("path", path), ("status", status.map(String.init))].compactMap { name, value in
      value.map { QueryItem(name, $0) }
    }
  }

  mutating func set(_ item: QueryItem) throws(SandboxControl.ControlError) {
    switch item.name {
    case "method": method = item.value
    case "path": path = item.value
    default: status = try Self.number(item)
    }
  }

  func selected(from all: [RecordedRequest]) -> [RecordedRequest] {
    selected(from: all, number: \.number) { record in
      (method ?? record.method) == record.method && (status ?? record.status) == record.status
        && path.map { PathPattern($0).matches(record.path) } != false
    }
  }
}

/// A filter of the activity.
struct ActivityFilter: LogFilter {
  var connection: String?
  var step: ActivityRecord.Step?
  var last: Int?
  var after: Int?

  static let conditions = ["connection", "step"]
  var conditions: [QueryItem] {
    [("connection", connection), ("step", step?.rawValue)].compactMap { name, value in
      value.map { QueryItem(name, $0) }
    }
  }

  mutating func set(_ item: QueryItem) throws(SandboxControl.ControlError) {
    guard item.name == "step" else {
      connection = item.value
      return
    }
    guard let step = ActivityRecord.Step(rawValue: item.value) else {
      throw SandboxControl.ControlError(400, "step is unknown")
    }
    self.step = step
  }

  func selected(from all: [ActivityRecord]) -> [ActivityRecord] {
    selected(from: all, number: \.number) { record in
      (connection == nil || record.connection == connection) && (step ?? record.step) == record.step
    }
  }
}
