import CommandLine
import HTTP
import IFTTT
import Output
import Sandbox
import Session
import Text
import World

/// The options for a partner's server that receives the sandbox's requests, as if they were from IFTTT.
struct PartnerServerOptions: Sendable {
  var url: String?
  var serviceKeyFile: String?
  var accessTokenFile: String?
  var poll: Duration?
  var clientID: String?
  var clientSecretFile: String?
  var authorizeURL: String?
  var tokenURL: String?
  var namesWebhookEvents = false

  static var flags: [Flag<PartnerServerOptions>] {
    let advanced: [Flag<PartnerServerOptions>] = [
      .credentialFile(
        .serviceKey, into: \.serviceKeyFile, description: "the server's service key",
        defaultText: "the fixtures' key", isAdvanced: true),
      .credentialFile(
        .accessToken, into: \.accessTokenFile, description: "the first user's access token",
        defaultText: "the fixtures' token", isAdvanced: true),
      .value(
        "poll", .duration, into: \.poll, defaultText: "5s", isAdvanced: true,
        help: "Time between two polls of a trigger of --service-url"
      ),
      .value(
        "client-id", .nonEmpty("ID"), into: \.clientID, isAdvanced: true,
        help: "IFTTT's client id at the service, to sign users in and to refresh access tokens"),
      .value(
        "client-secret-file", .file, into: \.clientSecretFile, isAdvanced: true,
        help: "Read IFTTT's client secret from this file (or set IFTTT_CLIENT_SECRET)"),
      .value(
        "authorize-url", .pageURL, into: \.authorizeURL, isAdvanced: true,
        help: "The service's authorization URL, at which the activation pages sign users in"),
      .value(
        "token-url", .serverURL, into: \.tokenURL, isAdvanced: true,
        help: "The service's token URL, to exchange codes, and to refresh access tokens after a 401"),
      .toggle(
        "webhook-names", into: \.namesWebhookEvents, isAdvanced: true,
        help: "Add 'type' and 'event' to the bodies of webhooks"),
    ]
    return [
      .value(
        "service-url", .serverURL, into: \.url,
        help: "Send requests to the partner's server at this API URL prefix, as IFTTT does")
    ] + advanced.grouped(under: "With --service-url")
  }

  func rules(in session: Session) throws -> ConnectionRuntime.Rules {
    rules(
      session.world.random,
      signingInAt: try authorizeURL.map { try session.network.plainHTTP.url($0, of: "--authorize-url") })
  }

  /// - Parameter page: The authorization URL, at which users sign in.
  func rules(_ random: any RandomBytes, signingInAt page: WebURL? = nil) -> ConnectionRuntime.Rules {
    var rules = ConnectionRuntime.Rules()
    rules.pollInterval = poll ?? .seconds(5)
    if let clientID, tokenURL != nil {
      rules.signIn = SignInRules(clientID: clientID, authorizeURL: page, entropy: random.bytes(32))
    }
    return rules
  }

  /// The credentials for requests to the server.
  struct Credentials {
    let url: WebURL
    let key: Secret
    let accessToken: Secret?
    /// Nil if codes are not exchanged and access tokens are not refreshed.
    let tokenClient: TokenClient?
  }

  func check() throws(Conflict) {
    let refreshOptions = [clientID.map { _ in "client-id" }, tokenURL.map { _ in "token-url" }].compactMap(\.self)
    if authorizeURL != nil, refreshOptions.count < 2 {
      throw Conflict(
        "--authorize-url requires --client-id, --client-secret-file and --token-url", options: ["authorize-url"])
    }
    if refreshOptions.count == 1 || refreshOptions.isEmpty && clientSecretFile != nil {
      throw Conflict(
        "to refresh access tokens, pass --client-id, --client-secret-file and --token-url",
        options: refreshOptions + (clientSecretFile == nil ? [] : ["client-secret-file"]))
    }
    let others = refreshOptions + (poll == nil ? [] : ["poll"]) + (namesWebhookEvents ? ["webhook-names"] : [])
    if url == nil, let first = others.first {
      throw Conflict("--\(first) requires --service-url", options: [first])
    }
  }

  /// - Returns: nil without `--service-url`.
  /// - Throws: `refused` for options that need `--service-url`, and if neither the seed nor an option has a key.
  func credentials(for seed: SandboxSeed, in session: Session) throws -> Credentials? {
    guard let url else {
      guard serviceKeyFile == nil, accessTokenFile == nil else {
        throw Problem(
          .refused, "\(serviceKeyFile == nil ? "--access-token-file" : "--service-key-file") requires --service-url",
          hint: "Pass the API URL prefix of the partner's server with --service-url.")
      }
      return nil
    }
    let given = try session.credentials.given(.serviceKey, file: serviceKeyFile)
    guard let key = given ?? seed.credentials.flatMap({ Secret(parsing: $0.serviceKey) }), seed.credentials != nil
    else {
      throw Problem(
        .refused, "--service-url requires a service with a key in the seed file",
        hint: "Give the first service of the seed file a \"key\"; see ifttt-sandbox(7).")
    }
    return Credentials(
      url: try session.network.plainHTTP.url(url, of: "--service-url"), key: key,
      accessToken: try session.credentials.given(.accessToken, file: accessTokenFile),
      tokenClient: try tokenClient(in: session))
  }

  private func tokenClient(in session: Session) throws -> TokenClient? {
    guard let clientID, let tokenURL else { return nil }
    let secret = try session.credentials.required(
      .clientSecret, file: clientSecretFile, for: "--token-url", isOfProfile: false)
    let url = try session.network.plainHTTP.url(tokenURL, of: "--token-url")
    return TokenClient(id: clientID, secret: secret, url: url)
  }
}

/// Sends the emulator's requests to a partner's server, as IFTTT would.
struct PartnerServerClient {
  /// The timeout of a request. IFTTT's own is not documented (docs/api/service.md U17, U20).
  private static let timeout = Duration.seconds(10)

  /// The maximum number of requests in flight. Requests without a response must not delay the others.
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
    // Mask the credentials of all users, because the server may repeat them in any response.
    session.network.learn(responder.partnerSecrets)
    let otherSecrets = http.otherSecrets
    http.otherSecrets = { otherSecrets() + responder.partnerSecrets }
    if session.options.isVerbose { http.trace = { [console = session.console] in console.diagnose($0) } }
  }

  /// Sends requests until Ctrl-C, each as soon as it is due.
  func run() {
    var due: ArraySlice<PartnerRequest> = []
    var sent: [Int: (planned: PartnerRequest, request: Request, start: Duration)] = [:]
    var count = 0
    let clock = session.world.clock
    // Only Ctrl-C ends the loop, so the error is not reported.
    _ = try? http.send(
      from: {
        while wake.receive() != nil {}
        var pause = Duration.zero
        if due.isEmpty {
          let new = responder.takeRequests()
          (due, pause) = (new.requests[...], new.pause)
        }
        guard let next = due.popFirst() else { return .none(for: pause) }
        let request = request(next)
        sent[count] = (next, request, clock.monotonic())
        count += 1
        return .next(request)
      }, wake: wake.descriptor
    ) { index, result in
      guard let (planned, request, start) = sent.removeValue(forKey: index) else { return }
      let response = response(result)
      let failure: String? = if case .failure(let reason) = response { reason } else { nil }
      let exchange = LoggedExchange(
        sent: request, result, failure: failure, duration: clock.monotonic() - start)
      responder.receive(response, exchange, for: planned.id)
    }
  }

  private func request(_ planned: PartnerRequest) -> Request {
    if let tokenClient, let grant = planned.call.grant, let request = tokenRequest(grant, tokenClient) {
      return request
    }
    let call = planned.call
    let token = planned.accessToken.flatMap { Secret(parsing: $0) }
    var request = requests.request(
      call.method, ServicePath(call.path), token.map(ServiceCredential.accessToken) ?? .serviceKey(serviceKey),
      // The body of a webhook already contains the extra data.
      body: call.requestID == nil ? call.body.map(requests.addingExtraData) : call.body, isRepeatable: false,
      isRealtime: call.isRealtime)
    if let id = call.requestID {
      request.headers.removeAll { $0.name == "X-Request-ID" }
      request.headers.append(Header("X-Request-ID", id))
    }
    if let edit = call.edit {
      request.body = edit.body ?? request.body
      request.headers.removeAll { header in edit.headers.contains { $0.isNamed(header.name) } }
      request.headers += edit.headers.map { Header($0.name, $0.value) }
    }
    return request
  }

  private func tokenRequest(_ grant: TokenGrant, _ client: TokenClient) -> Request? {
    switch grant {
    case .code(let code, let redirectURI):
      Secret(parsing: code).map { client.exchange($0, redirectURI: redirectURI, requests) }
    case .refreshToken(let token): Secret(parsing: token).map { client.refresh($0, requests) }
    }
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
