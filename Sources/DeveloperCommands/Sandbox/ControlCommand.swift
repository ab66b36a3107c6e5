import HTTP
import JSON
import Sandbox
import Session
import Text

/// What a request to the control endpoint asks for. The table in ifttt-sandbox(7) has one row for each.
enum ControlCommand {
  case overview
  /// The entries after a number, as they become complete.
  case stream(after: Int)
  case list(LogView, LogFilter)
  case entry(LogView, Int)
  case sendAgain(LogView, Int, RequestEdit)
  case listFaults
  case replaceFaults(FaultPlan)
  case addFaults([FaultRule])
  /// The users after a number of others.
  case users(from: Int)
  /// The connections of a user, in words.
  case connections(user: String)
  /// Enable or disable a connection for a user.
  case turn(Bool, connection: String, user: String)
  /// Fire a trigger with the values of ingredients.
  case fire(TriggerSelection, [String: String])
  /// Report that a user entered or left the region of a trigger.
  case report(isEntry: Bool, TriggerSelection)
  case notify(PartnerNotification)
  /// The present state as a seed.
  case seed
  /// Continue from the state of a seed.
  case load([UInt8])
  case reset
  case stop
}

/// The reason why a request to the control endpoint has no result.
struct ControlError: Error {
  let status: Int
  let message: String

  init(_ status: Int, _ message: String) { (self.status, self.message) = (status, message) }
}

extension ControlCommand {
  /// - Throws: The error for a path or a method that does not exist, or for an invalid value.
  init(_ request: ReceivedRequest) throws(ControlError) {
    let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = parts.count == 2 ? String(parts[1]) : ""
    let segments = parts[0].dropFirst(SandboxControl.path.utf8.count).split(separator: "/").map(String.init)
    let named: ControlCommand? =
      if let view = segments.first.flatMap(LogView.init) {
        try Self.ofLog(view, segments.dropFirst(), query, request)
      } else {
        try Self.named(segments, query, request)
      }
    guard let named else { throw ControlError(405, "This method is not supported here") }
    self = named
  }

  /// - Returns: nil for another method.
  private static func ofLog(
    _ view: LogView, _ rest: ArraySlice<String>, _ query: String, _ request: ReceivedRequest
  ) throws(ControlError) -> ControlCommand? {
    switch (rest.count, request.method) {
    case (0, "GET"): return .list(view, try LogFilter(query))
    case (1, "GET"): return .entry(view, try number(rest.first))
    case (2, "POST") where rest.last == "send": return .sendAgain(view, try number(rest.first), try edit(request))
    case (0...1, _),
      (2, _) where rest.last == "send":
      return nil
    default: throw unknownPath
    }
  }

  private static func named(
    _ segments: [String], _ query: String, _ request: ReceivedRequest
  ) throws(ControlError) -> ControlCommand? {
    if segments.count == 3, segments[0] == "connections", ["enable", "disable"].contains(segments[2]) {
      guard request.method == "POST" else { return nil }
      let id = Percent.decode(segments[1], plus: .literal) ?? segments[1]
      return .turn(segments[2] == "enable", connection: id, user: try ControlBody(request).text("user_id"))
    }
    guard segments.count < 2 else { throw unknownPath }
    switch (segments.first, request.method) {
    case (nil, "GET"): return .overview
    case ("stream", "GET"): return .stream(after: try count(query, named: "after"))
    case ("faults", "GET"): return .listFaults
    case ("faults", "PUT"): return .replaceFaults(try faults(request))
    case ("faults", "POST"): return .addFaults(try faults(request).rules)
    case ("faults", "DELETE"): return .replaceFaults(FaultPlan())
    case ("users", "GET"): return .users(from: try count(query, named: "from"))
    case ("connections", "GET"): return .connections(user: try value(query, named: "user"))
    case ("trigger", "POST"):
      let body = try ControlBody(request)
      return .fire(try body.trigger(), try body.texts("ingredients"))
    case ("location", "POST"):
      let body = try ControlBody(request)
      let event = try body.text("event")
      guard ["entry", "exit"].contains(event) else { throw ControlError(400, "event must be entry or exit") }
      return .report(isEntry: event == "entry", try body.trigger())
    case ("notify", "POST"): return .notify(try ControlBody(request).notification())
    case ("seed", "GET"): return .seed
    case ("seed", "PUT"): return .load(request.body)
    case ("reset", "POST"): return .reset
    case ("stop", "POST"): return .stop
    case (nil, _), ("stream", _), ("faults", _), ("users", _), ("connections", _), ("trigger", _), ("location", _),
      ("notify", _), ("seed", _), ("reset", _), ("stop", _):
      return nil
    default: throw unknownPath
    }
  }

  private static let unknownPath = ControlError(404, "Unknown path; see ifttt-sandbox(7)")

  private static func number(_ segment: String?) throws(ControlError) -> Int {
    guard let number = segment.flatMap({ Int($0) }) else { throw .noEntry }
    return number
  }

  /// The only parameter of a query.
  private static func value(_ query: String, named name: String) throws(ControlError) -> String {
    let items = Request(receivedMethod: "GET", target: "/?\(query)", headers: [], body: [])?.url.query ?? []
    guard items.count == 1, items[0].name == name, !items[0].value.isEmpty else {
      throw ControlError(400, "\(name) is required")
    }
    return items[0].value
  }

  /// The only parameter of a query; 0 without a query.
  private static func count(_ query: String, named name: String) throws(ControlError) -> Int {
    guard query.isEmpty || query.hasPrefix("\(name)="),
      let count = Int(query.isEmpty ? "0" : query.dropFirst(name.utf8.count + 1)), count >= 0
    else { throw ControlError(400, "\(name) must be a number") }
    return count
  }

  private static func edit(_ request: ReceivedRequest) throws(ControlError) -> RequestEdit {
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
          guard let value = value.string, HeaderField.isName(name.utf8), HeaderField.isValue(value.utf8),
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

  private static func faults(_ request: ReceivedRequest) throws(ControlError) -> FaultPlan {
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

/// The members of a JSON body.
private struct ControlBody {
  private let object: JSONObject

  init(_ request: ReceivedRequest) throws(ControlError) {
    guard let object = (try? JSONValue(parsing: request.body))?.object else {
      throw ControlError(400, "The body must be a JSON object")
    }
    self.object = object
  }

  func text(_ name: String) throws(ControlError) -> String {
    guard let text = object[name]?.string, !text.isEmpty else { throw ControlError(400, "\(name) must be a text") }
    return text
  }

  /// The members of an object with texts; empty if it is absent.
  func texts(_ name: String) throws(ControlError) -> [String: String] {
    let members = object[name]?.object?.members ?? []
    let texts = members.compactMap { key, value in value.string.map { (key, $0) } }
    guard texts.count == members.count, object[name] == nil || object[name]?.object != nil else {
      throw ControlError(400, "\(name) must be an object with texts")
    }
    return Dictionary(texts) { $1 }
  }

  func trigger() throws(ControlError) -> TriggerSelection {
    TriggerSelection(
      user: try text("user_id"), connection: try text("connection_id"), trigger: try text("trigger"))
  }

  func notification() throws(ControlError) -> PartnerNotification {
    object["trigger_identity"] == nil ? .user(try text("user_id")) : .trigger(try text("trigger_identity"))
  }
}

extension ControlError {
  static let noEntry = ControlError(404, "The log has no entry with this number")
}
