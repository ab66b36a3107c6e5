import HTTP
import JSON
package import Text

/// The probes that test a partner's server: first the status and `test/setup`, then the endpoints that it and the
/// service definition name.
package struct ServiceTestPlan {
  let requests: ServiceRequests
  let serviceKey: Secret
  private let keyOrigin: String?
  /// The access token to use instead of the token that `test/setup` returns.
  let givenToken: Secret?
  /// The option or variable that the access token is from; nil if it is unknown.
  private let tokenOrigin: String?
  let definition: ServiceDefinition?
  let sendsWebhooks: Bool
  package let selection: CheckSelection

  /// - Parameter keyOrigin: the option or variable that the service key is from; nil if it is unknown.
  package init(
    _ requests: ServiceRequests, serviceKey: Secret, from keyOrigin: String? = nil, accessToken: Secret? = nil,
    from tokenOrigin: String? = nil, definition: ServiceDefinition? = nil, sendsWebhooks: Bool = false,
    selection: CheckSelection = CheckSelection()
  ) {
    (self.keyOrigin, self.tokenOrigin) = (keyOrigin, tokenOrigin)
    (self.requests, self.serviceKey, givenToken) = (requests, serviceKey, accessToken)
    (self.definition, self.sendsWebhooks, self.selection) = (definition, sendsWebhooks, selection)
  }

  /// The wrong key that IFTTT sends, according to services of third parties (docs/api/service.md §8).
  package static let wrongCredential = Secret(word: "INVALID")

  /// The first probes. The others follow from their responses.
  package var opening: [Probe] {
    var probes = selects([.statusOK, .statusWithoutBody], .status, .status) ? [status] : statusRejection
    if sendsWebhooks { probes += webhooks }
    let others = Set(ServicePart.allCases).subtracting([.status, .webhooks, .signIn])
    return selection.mayInclude(others) ? probes + [setup] : probes
  }

  // The request with a wrong key follows the one with the right key, so that a recording has them in a fixed order.

  private var statusRejection: [Probe] {
    guard selects([.wrongKey], .status, .status) else { return [] }
    let request = requests.request(.get, .status, .serviceKey(Self.wrongCredential))
    return [Probe(.status, .status, request, .wrongKey) { $0.isRejected(with: 401, needsErrors: false) }]
  }

  private var setupRejection: [Probe] {
    guard selects([.wrongKey], .setup, .testSetup) else { return [] }
    let request = requests.request(.post, .testSetup, .serviceKey(Self.wrongCredential))
    return [Probe(.setup, .testSetup, request, .wrongKey) { $0.isRejected(with: 401) }]
  }

  func selects(_ checks: [ServiceCheck], _ part: ServicePart, _ endpoint: ServicePath) -> Bool {
    checks.contains { selection.includes($0, part, endpoint) }
  }

  private var status: Probe {
    Probe(.status, .status, requests.request(.get, .status, .serviceKey(serviceKey))) { exchange in
      guard exchange.isSuccess else {
        let isRejected = exchange.status == 401 || exchange.status == 403
        let key = SentCredential(.serviceKey, from: keyOrigin)
        let problem = isRejected ? "the server rejected \(key):" : "expected 200, but"
        return [
          (.statusOK, .failed("\(problem) \(exchange.description)")),
          (.statusWithoutBody, .skipped("the status is not 200")),
        ]
      }
      let isEmpty = (try? exchange.result.get().body.isEmpty) ?? true
      // IFTTT's own example service and published services send a body.
      return [
        (.statusOK, .passed),
        (.statusWithoutBody, isEmpty ? .passed : .warning("the response has a body: \(exchange.beginning)")),
      ]
    } next: { _ in
      statusRejection
    }
  }

  private var setup: Probe {
    Probe(.setup, .testSetup, requests.request(.post, .testSetup, .serviceKey(serviceKey))) { exchange in
      switch exchange.data {
      case .failure(let error):
        [
          (.setup, .failed(error.message)), (.setupSamples, .skipped("there is no response to test/setup")),
          (.contentType, exchange.contentType),
        ]
      case .success(let data):
        [
          (.setup, Finding(problem: data.object == nil ? "\"data\" is not an object" : nil)),
          (.setupSamples, data.object.map { SampleRules(TestSetup($0), of: self).finding } ?? .noData),
          (.contentType, exchange.contentType),
        ]
      }
    } next: { exchange in
      let data = (try? exchange.data.get())?.object
      return setupRejection + endpoints(data.map(TestSetup.init) ?? TestSetup())
    }
  }

  /// The probes of everything that needs the response of `test/setup`.
  private func endpoints(_ setup: TestSetup) -> [Probe] {
    let token = givenToken ?? setup.accessToken
    // Without an access token, all endpoints of a service with sign-in would respond with 401.
    guard token != nil || definition?.usesSignIn != true else { return [] }
    let plan = EndpointPlan(plan: self, setup: setup, token: token)
    let rest = plan.steps + plan.validations
    guard let token else { return rest }
    // With a given token that the server rejects, every other endpoint would respond with 401 too.
    guard givenToken != nil, selection.mayInclude([.user]) else { return user(token) { _ in [] } + rest }
    return user(token) { isRejected in isRejected ? [] : rest }
  }
}

// MARK: User

extension ServiceTestPlan {
  /// - Parameter rest: the probes that follow; its argument is whether the server rejected the token.
  private func user(_ token: Secret, then rest: @escaping (_ isRejected: Bool) -> [Probe]) -> [Probe] {
    var rejection: [Probe] = []
    if selects([.wrongToken], .user, .userInfo) {
      let request = requests.request(.get, .userInfo, .accessToken(Self.wrongCredential))
      rejection = [Probe(.user, .userInfo, request, .wrongToken) { $0.isRejected(with: 401) }]
    }
    guard selects([.userInfo, .userID, .userName, .contentType], .user, .userInfo) else {
      return rejection + rest(false)
    }
    func isRejected(_ exchange: ServiceExchange) -> Bool {
      givenToken != nil && (exchange.status == 401 || exchange.status == 403)
    }
    let given = SentCredential(.accessToken, from: tokenOrigin)
    let info = Probe(.user, .userInfo, requests.request(.get, .userInfo, .accessToken(token))) { exchange in
      switch exchange.data {
      case .failure(let error):
        let message =
          isRejected(exchange)
          ? "the server rejected \(given), so no further endpoint was tested; without it, the test uses the token that "
            + "test/setup returns" : error.message
        return [
          (.userInfo, .failed(message)), (.userID, .noData), (.userName, .noData), (.contentType, .noData),
        ]
      case .success(let data):
        guard case .object(let user) = data else { return [(.userInfo, .failed("\"data\" is not an object"))] }
        return [
          (.userInfo, Self.address(user["url"])), (.userID, Self.id(user["id"])), (.userName, Self.name(user["name"])),
          (.contentType, exchange.contentType),
        ]
      }
    } next: { exchange in
      rejection + rest(isRejected(exchange))
    }
    return [info]
  }

  private static func address(_ url: JSONValue?) -> Finding {
    switch url {
    case nil, .null, .string: .passed
    default: .failed("data.url is not a string")
    }
  }

  private static func id(_ id: JSONValue?) -> Finding {
    guard case .string(let id)? = id else {
      return .failed(id == nil ? "data.id is missing" : "data.id is not a string")
    }
    if id.isEmpty { return .failed("data.id is empty") }
    if id.count > 200 { return .failed("data.id has \(id.count) characters") }
    if id.utf8.contains(UInt8(ascii: "@")) { return .warning("data.id looks like an email address") }
    return .passed
  }

  private static func name(_ name: JSONValue?) -> Finding {
    guard case .string(let name)? = name else {
      return .failed(name == nil ? "data.name is missing" : "data.name is not a string")
    }
    return Finding(problem: name.isEmpty ? "data.name is empty" : nil)
  }
}

// MARK: Webhooks

extension ServiceTestPlan {
  private var webhooks: [Probe] {
    ServiceWebhook.samples.flatMap { webhook -> [Probe] in
      func request(_ key: Secret, hasExtraData: Bool) -> Request {
        let body = hasExtraData ? requests.addingExtraData(to: webhook.body) : webhook.body
        return requests.request(.post, webhook.path, .serviceKey(key), body: body, isRepeatable: false)
      }
      func isAccepted(_ exchange: ServiceExchange) -> Bool { exchange.status.map { 200..<300 ~= $0 } ?? false }
      /// - Parameter hasExtraData: whether the webhook is known to be accepted with the random key.
      func rejection(hasExtraData: Bool) -> [Probe] {
        guard selects([.webhookWrongKey], .webhooks, webhook.path) else { return [] }
        let request = request(Self.wrongCredential, hasExtraData: hasExtraData)
        return [
          Probe(.webhooks, webhook.path, request, .webhookWrongKey) { $0.isRejected(with: 401, needsErrors: false) }
        ]
      }
      guard selects([.webhookAccepted], .webhooks, webhook.path) else { return rejection(hasExtraData: false) }
      let accepted = Probe(.webhooks, webhook.path, request(serviceKey, hasExtraData: true)) { exchange in
        let finding: Finding =
          isAccepted(exchange) ? .passed : .failed("expected 200, but \(exchange.description)")
        return [(.webhookAccepted, finding)]
      } next: { exchange in
        rejection(hasExtraData: isAccepted(exchange))
      }
      return [accepted]
    }
  }
}
