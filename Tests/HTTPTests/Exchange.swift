import HTTP
import Testing
import World

/// Sends one request over a new libcurl transport, without retries by default.
func exchange(
  _ request: Request, environment: [String: String] = [:], timeout: Duration = .seconds(30), retries: Int = 0,
  limits: CurlTransport.Limits = CurlTransport.Limits(), observesSending: Bool? = nil
) throws(HTTPError) -> Response {
  let world = makeWorld(environment: environment)
  let transport = CurlTransport(world: world, version: "0.0.0", limits: limits, observesSending: observesSending)
  let client = HTTPClient(
    transport: transport, world: world, policy: HTTPClient.Policy(timeout: timeout, retries: retries))
  return try client.send(request)
}

/// The transport's failure of a request that must fail, and the number of attempts.
func failure(
  _ request: Request, environment: [String: String] = [:], timeout: Duration = .seconds(30), retries: Int = 0,
  limits: CurlTransport.Limits = CurlTransport.Limits(), observesSending: Bool? = nil
) throws -> (failure: TransportError, tries: Int) {
  do {
    let response = try exchange(
      request, environment: environment, timeout: timeout, retries: retries, limits: limits,
      observesSending: observesSending)
    throw Server.Problem(words: "status \(response.status) instead of a failure")
  } catch HTTPError.transport(let failure, let tries, _) {
    return (failure, tries)
  }
}

extension Response {
  var text: String { String(decoding: body, as: UTF8.self) }
}
