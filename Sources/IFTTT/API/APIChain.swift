package import HTTP

// Requests of a chain, whose responses are parsed as in ``APIClient/ask(_:_:)``.
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
