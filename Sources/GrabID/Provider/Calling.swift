import HTTP
import Secrets
import World

/// One call to the service: its failures are told in the domain that Grab has for it.
extension GrabWorld {
  /// - Parameters:
  ///   - isRedirectable: whether a redirect may be followed; never with anything secret in the request.
  /// - Throws: ``GrabFailure`` where no answer came, for 429 and for 503; ``GrabCancelled``.
  func call(_ request: Request, _ what: String, in domain: GrabCode.Domain) throws -> Response {
    let response: Response
    do throws(HTTPFailure) { response = try http.send(request) } catch {
      throw Self.failure(error, what, in: domain)
    }
    switch response.status {
    case 429:
      var failure = GrabFailure(
        .tooManyRequests, "\(what): the service asks for patience (429)", in: domain, status: 429)
      failure.retryAfter = response.retryAfter(now: now).map { Int($0.wholeMilliseconds / 1000) }
      throw failure
    case 503:
      var failure = GrabFailure(.unavailable, "\(what): the service is not available (503)", in: domain, status: 503)
      failure.retryAfter = response.retryAfter(now: now).map { Int($0.wholeMilliseconds / 1000) }
      throw failure
    default: return response
    }
  }

  private static func failure(_ error: HTTPFailure, _ what: String, in domain: GrabCode.Domain) -> any Error {
    switch error {
    case .interrupted: return GrabCancelled()
    case .redirect(let why):
      return GrabFailure(
        domain == .serviceDiscovery ? .discoveryUnusable : domain == .exchangeToken ? .tokenUnreadable : .callFailed,
        "\(what): a redirect that is not followed", reason: why, in: domain)
    case .transport(let failure, _, let origin):
      switch failure.kind {
      case .tls:
        return GrabFailure(.tlsFailed, "\(what): no safe connection to \(origin)", reason: failure.message, in: domain)
      case .timeout:
        return GrabFailure(.timeLimit, "\(what): \(origin) did not answer in time", reason: failure.message, in: domain)
      case .tooLarge:
        return GrabFailure(
          domain == .serviceDiscovery ? .discoveryUnusable : domain == .exchangeToken ? .tokenUnreadable : .callFailed,
          "\(what): the answer is too large", reason: failure.message, in: domain)
      default:
        var known = GrabFailure(
          .noConnection, "\(what): \(origin) could not be reached", reason: failure.message, in: domain)
        known.nothingWasSent = !failure.mayHaveArrived
        return known
      }
    }
  }
}

extension Request {
  /// A form body (RFC 6749 Appendix B), its credentials known to whoever shows the request.
  static func form(_ url: WebURL, _ items: [(name: String, value: String)], secrets: [Secret]) -> Request {
    var request = Request(
      .post, url,
      headers: [
        Header("Content-Type", "application/x-www-form-urlencoded"), Header("Accept", "application/json"),
      ], body: Array(PercentText.encode(items).utf8))
    request.bodySecrets = secrets
    return request
  }
}
