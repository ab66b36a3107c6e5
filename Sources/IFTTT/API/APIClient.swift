package import HTTP
import JSON
package import Text

/// The parts that every request to one of IFTTT's APIs needs: the HTTP client, the API's base URL, and the caller's
/// identity.
package struct APIClient {
  package let http: HTTPClient
  package let base: WebURL
  package let authentication: Authentication
  package let inviteCode: Secret?
  package let identity: SDKIdentity?

  package init(
    http: HTTPClient, base: WebURL, authentication: Authentication, inviteCode: Secret?, identity: SDKIdentity? = nil
  ) {
    (self.http, self.base, self.authentication) = (http, base, authentication)
    (self.inviteCode, self.identity) = (inviteCode, identity)
  }

  /// Everything except the client: enough to create the requests.
  package var template: RequestTemplate {
    RequestTemplate(base: base, authentication: authentication, inviteCode: inviteCode, identity: identity)
  }

  /// Sends one request and parses its response.
  package func send<Answer>(
    _ request: Request, _ read: (Response) throws(APIError) -> Answer
  ) throws(APIError) -> Answer {
    let response: Response
    do throws(HTTPError) { response = try http.send(request) } catch { throw .http(error) }
    do throws(APIError) { return try read(response) } catch {
      throw error.hiding(request.secrets + http.otherSecrets())
    }
  }

  /// Reads the response to a request that was sent in a chain.
  package func read<Answer>(
    _ result: Result<Response, HTTPError>, of request: Request, _ read: (Response) throws(APIError) -> Answer
  ) -> Result<Answer, APIError> {
    result.mapError(APIError.http).flatMap { response in
      Result { () throws(APIError) in try read(response) }
    }.mapError { $0.hiding(request.secrets + http.otherSecrets()) }
  }

  /// Sends a request for each subject concurrently, and reads each response as it arrives. If the server is
  /// unreachable or rejects the credentials, the remaining requests are skipped: each gets `HTTPError.skipped`.
  /// - Parameter starting: called with a subject's index just before its request is first sent. If it throws, nothing
  ///   more is sent; the error is rethrown after the requests in flight have ended.
  /// - Parameter meanwhile: other work that runs while requests are in flight, as in `HTTPClient.send`.
  /// - Throws: `HTTPError.interrupted` after Ctrl-C, and any error that `starting`, `meanwhile` or `each` throws.
  package func send<Subject, Answer>(
    _ subjects: [Subject], starting: @escaping (Int) throws -> Void = { _ in },
    _ request: @escaping (Subject) -> Request,
    reading read: (Subject, Response) throws(APIError) -> Answer, meanwhile: () throws -> Duration? = { nil },
    each: (Subject, Result<Answer, APIError>) throws -> Void
  ) throws {
    var refusal: (any Error)?
    var begun = 0
    func next() -> Next<Request> {
      guard begun < subjects.count, refusal == nil else { return .end }
      do { try starting(begun) } catch {
        refusal = error
        return .end
      }
      begun += 1
      return .next(request(subjects[begun - 1]))
    }
    let skipped = try http.send(from: next, stopsEarly: .server, meanwhile: meanwhile) { index, result in
      let subject = subjects[index]
      let answer = result.mapError(APIError.http).flatMap { response in
        Result { () throws(APIError) in try read(subject, response) }
      }
      try each(subject, answer.mapError { $0.hiding(request(subject).secrets + http.otherSecrets()) })
    }
    if let refusal { throw refusal }
    guard let skipped else { return }
    for subject in subjects[begun...] { try each(subject, .failure(.http(.skipped(skipped)))) }
  }
}

// Requests of a chain, whose responses are parsed as in ``APIClient/send(_:_:)``.
extension APIClient {
  /// - Parameters:
  ///   - starting: called just before the request is sent. An error ends the run.
  ///   - then: receives the result and returns the rest of the chain.
  package func chain<Answer>(
    _ request: Request, starting: @escaping () throws -> Void = {},
    reading read: @escaping (Response) throws(APIError) -> Answer,
    then: @escaping (Result<Answer, APIError>) throws -> RequestChain
  ) -> RequestChain {
    .send(request, starting: starting) { result in
      let answer = result.mapError(APIError.http).flatMap { response in
        Result { () throws(APIError) in try read(response) }
      }
      return try then(answer.mapError { $0.hiding(request.secrets + http.otherSecrets()) })
    }
  }
}

/// A client that exchanges an access token, which the developer's service issued to IFTTT, for an IFTTT user token: the
/// client of the Connect API, or of the Applets API in the older form.
package protocol TokenExchangeClient {
  /// The client that sends the request.
  var caller: APIClient { get }
  /// The request only, for `--dry-run` and chains.
  /// - Throws: ``APIError/needs(_:)`` without a service key.
  func exchangeRequest(userID: String, accessToken: Secret) throws(APIError) -> Request
}

extension TokenExchangeClient {
  /// Exchanges the token.
  /// - Throws: ``APIError``; ``APIError/needs(_:)`` without a service key, before the token is used up.
  package func exchange(userID: String, accessToken: Secret) throws(APIError) -> Secret {
    try caller.send(exchangeRequest(userID: userID, accessToken: accessToken), userToken)
  }

  /// The user token in the response to an ``exchangeRequest(userID:accessToken:)``.
  package func exchangedToken(in result: Result<Response, HTTPError>, to request: Request) -> Result<Secret, APIError> {
    caller.read(result, of: request, userToken)
  }
}

/// The user token from the response to a token exchange, in both APIs. Errors never show the body, because it may
/// contain the token.
package func userToken(in response: Response) throws(APIError) -> Secret {
  let object = try response.object(isSecret: true)
  guard let token = object.text("user_token").flatMap(Secret.init(parsing:)) else {
    throw response.unreadable("it contains no user token", isSecret: true)
  }
  return token
}
