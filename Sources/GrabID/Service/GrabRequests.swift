import HTTP
import JSON
import PluginProtocol
import Text
import World

/// Requests to the service. Their errors are reported in Grab's domain for each endpoint.
extension GrabWorld {
  /// Sends one request.
  /// - Parameter redirects: The number of redirects to follow; zero if the request contains a secret.
  /// - Throws: ``GrabError`` if there is no response, for 429 and for 503; ``PluginError`` if it is interrupted.
  func send(
    _ request: Request, _ what: String, in domain: GrabCode.Domain, redirects: Int = 0
  ) throws -> Response {
    let limit = min(requestTimeout, host.timeForRequests)
    guard limit > .zero else {
      throw GrabError(
        .timeLimit, "\(what): timed out", reason: "the previous requests took too long",
        hint: Self.advice(for: .timeout), in: domain)
    }
    (http.policy.timeout, http.policy.redirects) = (limit, redirects)
    let response: Response
    do throws(HTTPError) { response = try http.send(request) } catch {
      throw Self.failure(error, what, redirects, in: domain)
    }
    switch response.status {
    case 429:
      var failure = GrabError(
        .tooManyRequests, "\(what): too many requests (429)", hint: Self.retryAdvice, in: domain, status: 429)
      failure.retryAfter = response.retryAfter(now: now).map { Int($0.wholeMilliseconds / 1000) }
      throw failure
    case 503:
      var failure = GrabError(
        .unavailable, "\(what): the service is not available (503)", hint: Self.retryAdvice, in: domain, status: 503)
      failure.retryAfter = response.retryAfter(now: now).map { Int($0.wholeMilliseconds / 1000) }
      throw failure
    default: return response.hiding(request.secrets)
    }
  }

  private static func failure(
    _ error: HTTPError, _ what: String, _ redirects: Int, in domain: GrabCode.Domain
  ) -> any Error {
    let unusable: GrabEvent =
      switch domain {
      case .serviceDiscovery: .discoveryUnusable
      case .exchangeToken: .tokenUnreadable
      case .getIdTokenInfo: .remoteUnreadable
      case .customProtocolsService: .publicInfoUnusable
      default: .callFailed
      }
    switch error {
    case .interrupted: return PluginError.cancelled
    case .redirect(let why):
      return GrabError(
        unusable, "\(what): a redirect was not followed",
        reason: redirects > 0 ? why : "this request must not be redirected", hint: addressAdvice,
        in: domain)
    case .skipped(.unreachable(let failure, let origin)):
      // Requests are skipped only within a batch; here each is sent alone.
      return Self.failure(.transport(failure, tries: 1, origin: origin), what, redirects, in: domain)
    case .skipped(.unauthorized(let origin)):
      return GrabError(
        unusable, "\(what): \(origin) rejected the credentials", hint: addressAdvice, in: domain)
    case .transport(let failure, _, let origin):
      switch failure.kind {
      case .tls:
        return GrabError(
          .tlsFailed, "\(what): no secure connection to \(origin)", reason: failure.message,
          hint: advice(for: .tls), in: domain)
      case .timeout:
        return GrabError(
          .timeLimit, "\(what): \(origin) did not respond in time", reason: failure.message,
          hint: advice(for: .timeout),
          in: domain)
      case .tooLarge:
        return GrabError(
          unusable, "\(what): the response from \(origin) is too large",
          reason: "no response in a sign-in is that long",
          hint: addressAdvice, in: domain)
      default:
        var known = GrabError(
          .noConnection, "\(what): \(origin) could not be reached", reason: failure.message,
          hint: advice(for: failure.kind), in: domain)
        known.nothingWasSent = !failure.mayHaveArrived
        return known
      }
    }
  }

  /// The redirects allowed for discovery, key set and public information, which contain no secrets.
  static let publicRedirects = 3
  static let addressAdvice: Hint =
    "Another server may have responded; check --discovery-url and any proxy."
  static let retryAdvice: Hint = "Wait a moment, then try again."

  fileprivate static func advice(for kind: TransportError.Kind) -> Hint {
    switch kind {
    case .tls: "Check the clock and the certificates; SSL_CERT_FILE and SSL_CERT_DIR are honored."
    case .timeout: "Try again, or allow more time with --timeout."
    case .offline: "Omit --offline to use the network."
    default: "Check the network and the host name; HTTPS_PROXY is honored."
    }
  }
}

extension Response {
  /// An error response without the credentials of its request, which a server may repeat; a successful response is
  /// unchanged.
  fileprivate func hiding(_ secrets: [Secret]) -> Response {
    guard !(200..<300).contains(status), !secrets.isEmpty else { return self }
    let redactor = Redactor(secrets)
    var hidden = self
    hidden.body = redactor.redact(body)
    hidden.headers = headers.map { HeaderField($0.name, redactor.redact($0.value)) }
    return hidden
  }
}

extension Request {
  /// A request with a form body (RFC 6749 Appendix B). Its credentials are marked, so that they can be masked.
  static func form(_ url: WebURL, _ items: [(name: String, value: String)], secrets: [Secret]) -> Request {
    var request = Request(
      .post, url,
      headers: [
        Header("Content-Type", "application/x-www-form-urlencoded"), Header("Accept", "application/json"),
      ], body: Array(Percent.encode(items).utf8))
    request.bodySecrets = secrets
    return request
  }
}

/// The text of a server's error response: OAuth's fields, Grab's own list, or the beginning of any other body
/// (docs/api/grab.md GU7).
struct ServerErrorText {
  /// OAuth's `error`, as received.
  let error: String?
  /// The text in printable form.
  let text: String?

  init(_ response: Response) {
    guard let body = try? JSONValue(parsing: response.body), body.object != nil else {
      error = nil
      text = response.body.isEmpty ? nil : DisplayText.shown(response.body)
      return
    }
    error = body["error"]?.string
    let own = [error, body["error_description"]?.string, body["error_uri"]?.string].compactMap { $0 }
    let grabs = (body["errors"]?.array ?? []).prefix(3).compactMap { entry -> String? in
      let code = entry["code"]?.number?.text ?? entry["code"]?.string
      let parts = [code, entry["message"]?.string].compactMap { $0 }
      return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }
    let parts = (own + grabs).map { DisplayText.shown($0) }
    text = parts.isEmpty ? nil : parts.joined(separator: ": ")
  }
}
