package import HTTP
package import Secrets

/// What every call to one of IFTTT's APIs needs: the client that sends, the API's base URL, and who is asking.
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

  /// All but the client: enough to make the requests.
  package var template: RequestTemplate {
    RequestTemplate(base: base, authentication: authentication, inviteCode: inviteCode, identity: identity)
  }

  /// Sends one request and reads its answer.
  package func ask<Answer>(
    _ request: Request, _ read: (Response) throws(APIError) -> Answer
  ) throws(APIError) -> Answer {
    let response: Response
    do throws(HTTPError) { response = try http.send(request) } catch { throw .http(error) }
    do throws(APIError) { return try read(response) } catch {
      throw error.hiding(request.secrets + http.otherSecrets())
    }
  }

  /// Sends a request for each subject concurrently, and reads each response as it arrives. If the server cannot be reached
  /// or rejects the credentials, the remaining requests are skipped: each gets `HTTPError.skipped`.
  /// - Parameter starting: called with a subject's place just before its request goes out for the first time. An error
  ///   it throws sends nothing more; what is under way is waited for, and then it is thrown on.
  /// - Parameter meanwhile: other work that goes on while requests are in flight, as in `HTTPClient.send`.
  /// - Throws: `HTTPError.interrupted` after Ctrl-C, and whatever `starting`, `meanwhile` and `each` throw.
  package func ask<Subject, Answer>(
    _ subjects: [Subject], starting: (Int) throws -> Void = { _ in }, _ request: (Subject) -> Request,
    reading read: (Subject, Response) throws(APIError) -> Answer, meanwhile: () throws -> Duration? = { nil },
    each: (Subject, Result<Answer, APIError>) throws -> Void
  ) throws {
    var refusal: (any Error)?
    var begun = 0
    var skipped: SkipReason?
    try withoutActuallyEscaping(request) { request in
      try withoutActuallyEscaping(starting) { starting in
        let requests = AnyIterator<Request> {
          guard begun < subjects.count else { return nil }
          do { try starting(begun) } catch {
            refusal = error
            return nil
          }
          begun += 1
          return request(subjects[begun - 1])
        }
        skipped = try http.send(requests, stopsEarly: true, meanwhile: meanwhile) { place, result in
          let subject = subjects[place]
          let answer = result.mapError(APIError.http).flatMap { response in
            Result { () throws(APIError) in try read(subject, response) }
          }
          try each(subject, answer.mapError { $0.hiding(request(subject).secrets + http.otherSecrets()) })
        }
      }
    }
    if let refusal { throw refusal }
    guard let skipped else { return }
    for subject in subjects[begun...] { try each(subject, .failure(.http(.skipped(skipped)))) }
  }
}
