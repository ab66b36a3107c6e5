package import HTTP
package import JSON
package import Text
package import World

/// A request to an endpoint, and the parser of its response.
package struct Endpoint<Value> {
  /// The request only, for `--dry-run`.
  package let request: Request
  private let http: HTTPClient
  private let credential: SentCredential?
  private let read: (Response) throws(APIError) -> Value

  /// - Parameter credential: the credential in the request, as errors name it.
  package init(
    _ request: Request, with credential: SentCredential?, by http: HTTPClient,
    reading read: @escaping (Response) throws(APIError) -> Value
  ) {
    (self.request, self.credential, self.http, self.read) = (request, credential, http, read)
  }

  /// Sends the request and reads its response.
  package func send() throws(APIError) -> Value {
    try result(of: Result { () throws(HTTPError) in try http.send(request) }).get()
  }

  /// The request as the beginning of a chain.
  /// - Parameters:
  ///   - starting: called just before the request is sent. An error ends the run.
  ///   - then: receives the result and returns the rest of the chain.
  package func chain(
    starting: (() throws -> Void)? = nil, then: @escaping (Result<Value, APIError>) throws -> RequestChain
  ) -> RequestChain {
    .send(request, starting: starting) { try then(result(of: $0)) }
  }

  /// The same endpoint that also passes on the wait that the server requests with each response (`Retry-After`).
  /// - Parameter now: the wall clock, for a `Retry-After` with a date if the server sends no `Date`.
  package func notingDelay(now: Timestamp, _ note: @escaping (Duration?) -> Void) -> Endpoint {
    Endpoint(request, with: credential, by: http) { response throws(APIError) in
      note(response.retryAfter(now: now))
      return try read(response)
    }
  }

  /// Reads a response. Errors never show a credential that the server may have repeated.
  fileprivate func result(of result: Result<Response, HTTPError>) -> Result<Value, APIError> {
    result.mapError(APIError.http).flatMap { response in
      Result { () throws(APIError) in try read(response) }
    }.mapError { $0.hiding(request.secrets + http.otherSecrets()).sent(with: credential) }
  }
}

extension HTTPClient {
  /// Sends a request for each subject concurrently, and reads each response as it arrives. If the server is
  /// unreachable or rejects the credentials, the remaining requests are skipped: each gets `HTTPError.skipped`.
  /// - Parameters:
  ///   - starting: called with a subject just before its request is first sent. If it throws, nothing more is sent;
  ///     the error is rethrown after the requests in flight have ended.
  ///   - meanwhile: other work that runs while requests are in flight, as in ``send(_:stopsEarly:meanwhile:each:)``.
  /// - Throws: `HTTPError.interrupted` after Ctrl-C, and any error that `starting`, `meanwhile` or `each` throws.
  package func send<Subject, Value>(
    _ subjects: [Subject], to endpoint: (Subject) -> Endpoint<Value>,
    starting: (Subject) throws -> Void = { _ in }, meanwhile: () throws -> Duration? = { nil },
    each: (Subject, Result<Value, APIError>) throws -> Void
  ) throws {
    var startError: (any Error)?
    var begun = 0
    var inFlight: [Int: Endpoint<Value>] = [:]
    func next() -> Next<Request> {
      guard begun < subjects.count, startError == nil else { return .end }
      do { try starting(subjects[begun]) } catch {
        startError = error
        return .end
      }
      let endpointToSend = endpoint(subjects[begun])
      inFlight[begun] = endpointToSend
      begun += 1
      return .next(endpointToSend.request)
    }
    let skipped = try send(from: next, stopsEarly: .server, meanwhile: meanwhile) { index, result in
      guard let sent = inFlight.removeValue(forKey: index) else { preconditionFailure("a result without a request") }
      try each(subjects[index], sent.result(of: result))
    }
    if let startError { throw startError }
    guard let skipped else { return }
    for subject in subjects[begun...] { try each(subject, .failure(.http(.skipped(skipped)))) }
  }
}

/// The client of one of IFTTT's APIs: the HTTP client, and the template of all requests.
package struct APIClient {
  package let http: HTTPClient
  package let template: RequestTemplate

  package init(http: HTTPClient, template: RequestTemplate) { (self.http, self.template) = (http, template) }

  /// The same client with another authentication, such as that of another user.
  package func authenticated(as authentication: Authentication) -> APIClient {
    APIClient(http: http, template: template.authenticated(as: authentication))
  }

  func endpoint<Value>(
    _ request: Request, _ read: @escaping (Response) throws(APIError) -> Value
  ) -> Endpoint<Value> {
    Endpoint(request, with: template.credential, by: http, reading: read)
  }

  /// An endpoint whose response is undocumented, so that any 2xx is success (docs/api/connect.md R12).
  func endpoint(_ request: Request) -> Endpoint<Void> {
    endpoint(request) { response throws(APIError) in _ = try response.accepted() }
  }

  /// - Throws: ``APIError/needs(_:)`` with another level of authentication.
  func require(_ level: Authentication.Level) throws(APIError) {
    guard template.authentication.level == level else { throw .needs(level) }
  }
}

/// A client that exchanges an access token, which the developer's service issued to IFTTT, for an IFTTT user token: the
/// client of the Connect API, or of the Applets API in the older form.
package protocol TokenExchangeClient {
  /// - Throws: ``APIError/needs(_:)`` without a service key.
  func exchange(userID: String, accessToken: Secret) throws(APIError) -> Endpoint<Secret>
}

/// A parsed connection or Applet, and the bytes it was parsed from.
package struct Fetched<Subject: FetchedSubject> {
  package let subject: Subject
  package let raw: [UInt8]

  /// Parses the response to a request for a subject.
  /// - Parameter skipped: keys of members that are not needed. The subject is as if the response had none of them.
  /// - Throws: ``APIError``; unreadable if the id is missing or differs from the requested id. Another subject would
  ///   be shown, stored and changed under the wrong id.
  package init(_ response: Response, for id: Subject.ID, skipping skipped: [String] = []) throws(APIError) {
    guard let subject = Subject.single(in: try response.object(skipping: skipped)) else {
      throw response.unreadable("it is not \(Subject.article) \(Subject.noun)")
    }
    guard subject.id == id else { throw response.unreadable("it is not the requested \(Subject.noun)") }
    (self.subject, raw) = (subject, response.body)
  }

  /// The subject from the response to a change. The response is undocumented: any 2xx is success. Nil if its body is
  /// not the changed subject, which must then be fetched again (docs/api/README.md §7).
  package static func afterChange(
    _ response: Response, of id: Subject.ID, skipping skipped: [String] = []
  ) throws(APIError) -> Fetched? {
    guard case .object(let object) = try response.accepted(skipping: skipped), let subject = Subject.single(in: object),
      subject.id == id
    else { return nil }
    return Fetched(subject: subject, raw: response.body)
  }

  private init(subject: Subject, raw: [UInt8]) { (self.subject, self.raw) = (subject, raw) }
}

/// A value that an endpoint returns under its id.
package protocol FetchedSubject: Sendable {
  associatedtype ID: Equatable
  var id: ID { get }
  /// Its noun in errors, with the indefinite article before it.
  static var noun: String { get }
  static var article: String { get }
  /// The subject in the object of a response; nil if it is not one.
  static func single(in object: JSONObject) -> Self?
}

extension Fetched: Sendable {}

/// The user token from the response to a token exchange, in both APIs. Errors never show the body, because it may
/// contain the token.
package func userToken(in response: Response) throws(APIError) -> Secret {
  let object = try response.object(isSecret: true)
  guard let token = object.text("user_token").flatMap(Secret.init(parsing:)) else {
    throw response.unreadable("it contains no user token", isSecret: true)
  }
  return token
}
