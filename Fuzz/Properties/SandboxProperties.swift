import HTTP
import JSON
import Sandbox
import World

/// The emulator with any requests in any order: every response is one that HTTP allows, JSON is JSON, a page escapes
/// what a request says, and the state is the same when it is written and read again.
enum SandboxProperties {
  /// A text that a page must not contain as it is.
  private static let markup = "<x9>\"'"
  private static let paths = [
    "/v2/me", "/v2/connections/Kd7Rn2Qx", "/v2/connections/Kd7Rn2Qx/enable", "/v2/connections/Kd7Rn2Qx/disable",
    "/v2/connections/Kd7Rn2Qx/user_connection", "/v2/user_token", "/v2/provisional_access_code", "/v2/sdk/events",
    "/v2/account/find?email=", "/v1/location_events", "/v1/services/lampost/applets", "/v1/notifications",
    "/trigger/x/with/key/", "/trigger/x/json/with/key/", "/access/api/Kd7Rn2Qx?", "/connect/Kd7Rn2Qx?",
    "/connections/Kd7Rn2Qx/edit?", "/embed/lampost/applets/x?", "/applets/x", "/terms", "/",
    "/v2/connections/Kd7Rn2Qx/user_connection/refresh", "/v2/connections/Kd7Rn2Qx/actions/x/run",
    "/v2/connections/Kd7Rn2Qx/triggers/x/test", "/v2/connections/Kd7Rn2Qx/queries/x/perform",
  ]

  static func problem(in bytes: [UInt8]) -> String? {
    var choices = InputChoices(bytes)
    var emulator = Emulator(state: SandboxState(.unusual))
    let credentials = SandboxSeed(.unusual).credentials
    var now: Int64 = 1_800_000_000_000
    var count = 0
    while !choices.isAtEnd, count < 30 {
      count += 1
      now += Int64(choices.byte()) * 1000
      let method = choices.one(of: ["GET", "POST", "PUT", "HEAD", "DELETE", "PATCH"])
      let text = choices.text()
      let isMarked = choices.flag()
      let target = choices.one(of: paths) + (isMarked ? text + "&next=\(markup)" : text)
      var headers = [Header("Host", choices.flag() ? "127.0.0.1:8080" : "connect.ifttt.com")]
      if choices.flag() { headers.append(Header("IFTTT-Service-Key", credentials?.serviceKey ?? "")) }
      if choices.flag() { headers.append(Header("Authorization", "Bearer \(credentials?.user?.userToken ?? "")")) }
      if choices.flag() { headers.append(Header("Content-Type", choices.flag() ? "application/json" : choices.text())) }
      let body = body(&choices, credentials)
      guard
        let request = Request(receivedMethod: method, target: target, headers: headers, body: body)
      else { continue }
      let response = emulator.response(to: request, target: target, at: Timestamp(milliseconds: now))
      if let problem = problem(of: response) { return "\(method) \(target): \(problem)" }
      if response.body.holds(markup) { return "\(method) \(target): the page repeats markup" }
    }
    let written = emulator.state.bytes
    guard let again = try? SandboxState(parsing: written) else { return "a state that cannot be read again" }
    return again == emulator.state && again.bytes == written ? nil : "a state that changes"
  }

  /// JSON with the members that requests use, a form, or any bytes.
  private static func body(_ choices: inout InputChoices, _ credentials: SandboxCredentials?) -> [UInt8] {
    switch choices.number(below: 4) {
    case 0: return []
    case 1: return choices.piece()
    case 2: return Array("email=a%40mail.test&next=\(markup)&\(choices.text())".utf8)
    default:
      let user = credentials?.user
      let json: JSONValue = [
        "access_token": JSONValue(user?.accessToken), "user_id": JSONValue(user?.id),
        "oauth_code": .string(choices.text()), "data": (try? JSONValue(parsing: choices.piece())) ?? .null,
        "user_features": (try? JSONValue(parsing: choices.piece())) ?? .null, "next": .string(markup),
      ]
      return json.bytes
    }
  }

  /// What is wrong with a response, whatever the request.
  static func problem(of response: Response) -> String? {
    guard (200..<600).contains(response.status), response.status != 500 else {
      return "the status is \(response.status)"
    }
    for field in response.headers {
      guard !field.name.isEmpty, !field.name.hasControls(), !field.value.hasControls() else {
        return "a field with text"
      }
    }
    guard response.header("X-Request-ID") != nil else { return "no request id" }
    guard !response.body.isEmpty else { return nil }
    guard let type = response.header("Content-Type") else { return "a body without a type" }
    if type.hasPrefix("application/json") {
      return (try? JSONValue(parsing: response.body)) == nil ? "JSON that is not JSON" : nil
    }
    return String(validating: response.body, as: UTF8.self) == nil ? "a page that is not UTF-8" : nil
  }
}
