import HTTP
import IFTTT
import Output
import Sandbox
import Session
import Text
import World

/// Sends the emulator's requests to a partner's server, as IFTTT does.
struct PartnerServerClient {
  /// The timeout of a request. IFTTT's own is not documented (U17, U20).
  private static let timeout = Duration.seconds(10)

  /// The requests in flight. Some may get no response, and must not keep the others from being sent.
  private static let jobs = 64

  private let session: Session
  private let responder: SandboxResponder
  private let requests: ServiceRequests
  private let serviceKey: Secret
  private let tokenClient: TokenClient?
  private let http: HTTPClient
  private let wake: Mailbox<Void>

  init(
    _ server: PartnerServerOptions.Credentials, _ responder: SandboxResponder, wake: Mailbox<Void>, in session: Session
  ) {
    (self.session, self.responder, self.wake) = (session, responder, wake)
    (serviceKey, tokenClient) = (server.key, server.tokenClient)
    requests = ServiceRequests(ServiceURL(prefix: server.url), isTest: false, random: session.world.random)
    http = session.network.server(retries: 0)
    http.policy.timeout = Self.timeout
    http.policy.jobs = Self.jobs
    http.feedback = nil
    // The server may repeat any of its users' credentials in any response.
    session.network.learn(responder.partnerSecrets)
    let known = http.otherSecrets
    http.otherSecrets = { known() + responder.partnerSecrets }
    if session.options.isVerbose { http.trace = { [console = session.console] in console.diagnose($0) } }
  }

  /// Sends requests until Ctrl-C, each as soon as it is due.
  func run() {
    var due: ArraySlice<PartnerRequest> = []
    var sent: [Int: PartnerRequest] = [:]
    var count = 0
    // Only Ctrl-C ends it.
    _ = try? http.send(
      from: {
        while wake.receive() != nil {}
        var pause = Duration.zero
        if due.isEmpty {
          let taken = responder.takeRequests()
          (due, pause) = (taken.requests[...], taken.pause)
        }
        guard let next = due.popFirst() else { return .none(for: pause) }
        sent[count] = next
        count += 1
        return .request(request(next))
      }, wake: wake.descriptor
    ) { place, result in
      if let request = sent.removeValue(forKey: place) { responder.receive(response(result), for: request.id) }
    }
  }

  private func request(_ planned: PartnerRequest) -> Request {
    if let tokenClient, let token = planned.refreshToken.flatMap({ Secret(parsing: $0) }) {
      return tokenClient.refresh(token, requests)
    }
    let call = planned.call
    let token = planned.accessToken.flatMap { Secret(parsing: $0) }
    var request = requests.request(
      call.method, ServicePath(call.path), token.map(ServiceCredential.accessToken) ?? .serviceKey(serviceKey),
      // The body of a webhook has extra data already.
      body: call.requestID == nil ? call.body.map(requests.addingExtraData) : call.body, isRepeatable: false,
      isRealtime: call.isRealtime)
    if let id = call.requestID {
      request.headers.removeAll { $0.name == "X-Request-ID" }
      request.headers.append(Header("X-Request-ID", id))
    }
    return request
  }

  private func response(_ result: Result<Response, HTTPError>) -> PartnerResponse {
    switch result {
    case .success(let response): .response(status: response.status, body: response.body)
    case .failure(.transport(let error, _, _)): .failure("no response: \(error.message)")
    case .failure(.redirect(let reason)): .failure(reason)
    case .failure(.interrupted), .failure(.skipped): .failure("not sent")
    }
  }
}
