import CommandContext
import Display
import HTTP
import Sandbox
import Secrets
import ServiceAPI
import World

/// Sends the emulator's requests to a partner's server, as IFTTT does.
struct PartnerServerClient {
  /// The timeout of a request. IFTTT's own is not documented (U17, U20).
  private static let timeout = Duration.seconds(10)

  private let session: Session
  private let responder: SandboxResponder
  private let requests: ServiceRequests
  private let serviceKey: Secret
  private let http: HTTPClient
  private let wake: Mailbox<Void>

  init(
    _ url: WebURL, key: Secret, _ responder: SandboxResponder, wake: Mailbox<Void>, in session: Session
  ) {
    (self.session, self.responder, serviceKey, self.wake) = (session, responder, key, wake)
    requests = ServiceRequests(ServiceURL(prefix: url), isTest: false, random: session.world.random)
    http = session.network.server(retries: 0)
    http.policy.timeout = Self.timeout
    http.feedback = nil
    if session.options.isVerbose { http.trace = { [console = session.console] in console.diagnose($0) } }
  }

  /// Sends requests until Ctrl-C, in parallel if several are due.
  func run() {
    while !session.world.interruption.isInterrupted {
      let (due, pause) = responder.takeRequests()
      if due.isEmpty {
        guard (try? session.world.input.wait(for: wake.descriptor, expectsInput: false, atMost: pause)) != nil else {
          return
        }
      } else {
        do {
          try http.send(due.map(request)) { place, result in
            responder.receive(response(result), for: due[place].id)
          }
        } catch { return }
      }
      while wake.receive() != nil {}
    }
  }

  private func request(_ planned: PartnerRequest) -> Request {
    let call = planned.call
    let token = planned.accessToken.flatMap { Secret(parsing: $0) }
    return requests.request(
      call.method, ServicePath(call.path), token.map(ServiceCredential.accessToken) ?? .serviceKey(serviceKey),
      body: call.body.map(requests.addingExtraData), isRepeatable: false, isRealtime: call.isRealtime)
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
