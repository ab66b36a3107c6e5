import HTTP
import JSON
import Sandbox
import World

/// The emulator as a client of a partner's server that responds as it likes: the number of requests is bounded, each
/// request has another id, the text of the server never shows the credentials that it received, and each client that
/// waits gets its response.
enum PartnerProperties {
  private static let start: Int64 = 1_800_000_000_000
  private static let token = "partner-access-token-0123456789"

  static func problem(in bytes: [UInt8]) -> String? {
    var choices = InputChoices(bytes)
    var emulator = Emulator(state: SandboxState(.unusual))
    emulator.startRuntime(accessToken: token, at: Timestamp(milliseconds: start))
    var (now, sent, answered) = (start, Set<Int>(), Set<Int>())
    var waiting: Set<Int> = []
    var rounds = 0
    while !choices.isAtEnd, rounds < 60 {
      rounds += 1
      now += Int64(choices.byte()) * 250
      let moment = Timestamp(milliseconds: now)
      if choices.number(below: 4) == 0, let request = request(&choices) {
        let reply = emulator.respond(to: request, at: moment)
        if let response = reply.response {
          if let problem = SandboxProperties.problem(of: response) { return problem }
          record(response, of: reply.key, in: &emulator, at: moment)
        } else if !waiting.insert(reply.key).inserted {
          return "a key is used twice"
        }
      }
      let requests = emulator.takeRequests(at: moment)
      guard requests.count <= 100 else { return "\(requests.count) requests at once" }
      for request in requests {
        guard sent.insert(request.id).inserted else { return "a request with the same id" }
        for done in emulator.receive(response(&choices), for: request.id, at: moment) {
          if let problem = SandboxProperties.problem(of: done.response) { return problem }
          if waiting.remove(done.key) == nil || !answered.insert(done.key).inserted { return "a second response" }
          record(done.response, of: done.key, in: &emulator, at: moment)
        }
      }
      if let next = emulator.nextRuntimeTime, next < Timestamp(milliseconds: start) { return "a time in the past" }
    }
    let log = emulator.log
    guard log.all.map(\.number) == Array(log.lastNumber - log.all.count + 1..<log.lastNumber + 1) else {
      return "a number is missing"
    }
    for record in log.all.compactMap(\.activity) {
      let texts = [record.detail, record.event, record.identity, record.user]
      if texts.contains(where: { $0.map { Array($0.utf8).holds(token) } ?? false }) { return "a credential is shown" }
    }
    guard (try? SandboxState(parsing: emulator.state.bytes)) == emulator.state else { return "a state that changes" }
    return nil
  }

  private static func record(_ response: Response, of key: Int, in emulator: inout Emulator, at now: Timestamp) {
    let request = ReceivedRequest(method: "GET", target: "/")
    emulator.record(
      LoggedExchange(received: request, response, duration: .zero), of: key, at: now)
  }

  /// A request of a client that the partner's server has to answer, or a notification of the partner.
  private static func request(_ choices: inout InputChoices) -> Request? {
    let credentials = SandboxSeed(.unusual).credentials
    let target = choices.one(of: [
      "/v2/connections/Kd7Rn2Qx", "/v2/connections/Kd7Rn2Qx/enable", "/v2/connections/Kd7Rn2Qx/disable",
      "/v1/notifications", "/v2/connections/Kd7Rn2Qx/user_connection/refresh",
    ])
    let body: JSONValue = ["data": [["user_id": JSONValue(credentials?.user?.id)]]]
    return Request(
      receivedMethod: target.hasSuffix("Qx") ? "GET" : "POST", target: target,
      headers: [
        Header("Host", "127.0.0.1"), Header("IFTTT-Service-Key", credentials?.serviceKey ?? ""),
        Header("Authorization", "Bearer \(credentials?.user?.userToken ?? "")"),
        Header("Content-Type", "application/json"),
      ], body: target == "/v1/notifications" ? body.bytes : [])
  }

  private static func response(_ choices: inout InputChoices) -> PartnerResponse {
    let status = choices.one(of: [200, 200, 200, 200, 201, 400, 401, 404, 429, 500, 302, 0])
    switch choices.number(below: 6) {
    case 0: return .failure(choices.text())
    case 1: return .response(status: status, body: choices.piece())
    case 2:
      let rows = (0..<choices.number(below: 8)).map { _ -> JSONValue in
        ["meta": ["id": JSONValue(choices.number(below: 4)), "timestamp": 1], "at": .string(choices.text())]
      }
      return .response(status: status, body: (["data": .array(rows)] as JSONValue).bytes)
    case 3:
      let error: JSONValue = ["status": choices.flag() ? "SKIP" : "x", "message": .string(choices.text() + token)]
      return .response(status: status, body: (["errors": [error]] as JSONValue).bytes)
    case 4:
      return .response(
        status: status, body: (["data": [["id": "a"]], "cursor": .string(choices.text())] as JSONValue).bytes)
    default:
      let data = (try? JSONValue(parsing: choices.piece())) ?? .null
      return .response(status: status, body: (["data": data] as JSONValue).bytes)
    }
  }
}
