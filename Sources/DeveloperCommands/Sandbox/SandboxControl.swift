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
  /// Whether to end the server after the response is sent.
  var isStop: Bool { isAllowed && request.method == "POST" && request.target == Self.path + "/stop" }

  /// The number of the entry whose request is to be sent again, and the changes; nil for another request.
  var requestToSendAgain: (number: Int, edit: RequestEdit)? {
    get throws(ControlError) {
      let segments = request.target.dropFirst(Self.path.utf8.count).split(separator: "/")
      guard isAllowed, segments.count == 3, LogView(rawValue: String(segments[0])) != nil,
        let number = Int(segments[1]), segments[2] == "send"
      else { return nil }
      guard request.method == "POST" else { throw ControlError(405, "This method is not supported here") }
      return (number, try requestedEdit())
    }
  }

  private func requestedEdit() throws(ControlError) -> RequestEdit {
    var edit = RequestEdit()
    if request.body.isEmpty { return edit }
    guard let json = (try? JSONValue(parsing: request.body))?.object else {
      throw ControlError(400, "The body must be an object with method, path, headers or body")
    }
    for (key, value) in json.members {
      switch (key, value) {
      case (_, .null): break
      case ("method", .string(let name)):
        guard let method = HTTP.Method(rawValue: name) else { throw ControlError(400, "The method is unknown") }
        edit.method = method
      case ("path", .string(let path)) where path.hasPrefix("/"): edit.target = path
      case ("body", .string(let body)): edit.body = Array(body.utf8)
      case ("headers", .object(let headers)):
        for (name, value) in headers.members {
          guard let value = value.string, HeaderField.isName(name), HeaderField.isValue(value),
            !Header.isOfConnection(name)
          else {
            throw ControlError(400, "A header is invalid")
          }
          edit.headers.append(HeaderField(name, value))
        }
      default: throw ControlError(400, "\(key) is invalid")
      }
    }
    return edit
  }

  private var isAllowed: Bool { request.field("Origin") == nil && hasKey }

  func respond(faults: inout FaultPlan, emulator: Emulator) -> Reply {
    guard request.field("Origin") == nil else { return .text(403, "Requests from web pages are rejected") }
    guard hasKey else { return .text(401, "The key of this server is required as a bearer token") }
    let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].dropFirst(Self.path.utf8.count)
    let query = parts.count == 2 ? String(parts[1]) : ""
    do throws(ControlError) {
      if let view = LogView(path: path) {
        // `send` is handled before.
        guard request.method == "GET" else { throw ControlError(405, "This method is not supported here") }
        return try LogPage(view, of: emulator).reply(to: path, query)
      }
      switch (path, request.method) {
      case ("", "GET"):
        return .json([
          "requests": JSONValue(emulator.state.requests), "last_entry": JSONValue(emulator.log.lastNumber),
          "faults": JSONValue(faults.rules.count),
        ])
      case ("/faults", "GET"): break
      case ("/faults", "PUT"): faults = try requestedPlan()
      case ("/faults", "POST"): faults.add(try requestedPlan().rules)
      case ("/faults", "DELETE"): faults = FaultPlan()
      case ("/users", "GET"): return .json(try users(query, emulator))
      case ("/reset", "POST"): return .json(["reset": true])
      case ("/stop", "POST"): return .json(["stopped": true])
      case ("", _), ("/faults", _), ("/users", _), ("/reset", _), ("/stop", _):
        throw ControlError(405, "This method is not supported here")
      default: throw ControlError(404, "Unknown path; use faults, requests, activity, users, reset or stop")
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
  static func json(_ value: JSONValue) -> Reply {
    Reply(status: 200, fields: [HeaderField("Content-Type", "application/json")], body: value.bytes)
  }
}
