import HTTP
import IFTTT
import JSON
import Text
import World

/// `service test` with a server that responds as it likes: it ends after a bounded number of requests, no result shows
/// a credential that the server repeats, and every request goes to the tested server.
enum ProbeProperties {
  private static let key = "service-key-of-the-tests-0123456789"
  private static let token = "access-token-of-the-tests-0123456789"

  static func problem(in bytes: [UInt8]) -> String? {
    var choices = InputChoices(bytes)
    guard let prefix = try? WebURL(parsing: "http://127.0.0.1:8080"), let secret = Secret(parsing: key) else {
      return "the plan cannot be made"
    }
    let url = ServiceURL(prefix: prefix)
    let plan = ServiceTestPlan(
      ServiceRequests(url, isTest: true, random: World.fixed.random), serviceKey: secret, sendsWebhooks: choices.flag())
    var queue = plan.opening
    var count = 0
    while !queue.isEmpty {
      count += 1
      guard count < 20_000 else { return "the tests never end" }
      let probe = queue.removeFirst()
      guard probe.request.url.wire.hasPrefix(url.base.wire + "/") else {
        return "a request to \(probe.request.url.wire)"
      }
      let exchange = ServiceExchange(
        request: probe.request, result: response(&choices, to: probe), otherSecrets: [secret])
      let (results, next) = probe.receive(exchange, CheckSelection())
      for result in results {
        let message = Array((result.message ?? "").utf8)
        if message.holds(key) || message.holds(token) { return "\(result.check.name) shows a credential" }
      }
      if exchange.shownBody.holds(key) { return "the shown body has a credential" }
      queue += next
    }
    return nil
  }

  private static func response(_ choices: inout InputChoices, to probe: Probe) -> Result<Response, HTTPError> {
    let status = choices.one(of: [200, 200, 200, 400, 401, 404, 500, 204])
    let type = choices.one(of: ["application/json; charset=utf-8", "application/json", "", "text/html; charset"])
    let body: [UInt8]
    switch choices.number(below: 6) {
    case 0: body = choices.piece() + Array(key.utf8) + choices.piece()
    case 1: body = (["data": (try? JSONValue(parsing: choices.piece())) ?? .null] as JSONValue).bytes
    case 2: body = (["errors": [["message": .string(choices.text() + key)]]] as JSONValue).bytes
    case 3:
      let rows = (0..<choices.number(below: 60)).map { index -> JSONValue in
        ["meta": ["id": JSONValue(index / 2), "timestamp": JSONValue(Int(choices.byte()))], "created_at": "x"]
      }
      body = (["data": .array(rows), "cursor": .string(choices.text())] as JSONValue).bytes
    case 4: body = setup(&choices).bytes
    default: body = choices.piece()
    }
    return .success(Response(status: status, headers: [HeaderField("Content-Type", type)], body: body))
  }

  /// A response to `test/setup`, which decides what is tested next.
  private static func setup(_ choices: inout InputChoices) -> JSONValue {
    func fields() -> JSONValue { (try? JSONValue(parsing: choices.piece())) ?? [:] }
    let slug = choices.text()
    return [
      "data": [
        "accessToken": .string(token),
        "samples": [
          "triggers": ["a": fields(), "\(slug)": [:]], "actions": ["b": fields(), "c": fields()],
          "queries": ["d": fields()], "actionRecordSkipping": ["b": fields()],
          "triggerFieldValidations": ["a": ["f": ["valid": .string(slug), "invalid": fields()]]],
        ],
      ]
    ]
  }
}
