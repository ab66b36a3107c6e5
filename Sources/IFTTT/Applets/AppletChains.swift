package import HTTP

// The endpoints as requests of a chain. In each, `then` returns what follows from the result.
extension AppletsClient {
  /// GET /v1/services/{slug}/applets/{id}
  package func chain(
    showing id: AppletID, then: @escaping (Result<FetchedApplet, APIError>) throws -> RequestChain
  ) -> RequestChain {
    caller.chain(
      requests.show(id), reading: { response throws(APIError) in try FetchedApplet(response, for: id) }, then: then)
  }

  /// POST …/enable or …/disable. The result is nil if the response is not the changed Applet.
  /// - Parameter starting: called just before the request is sent.
  /// - Throws: ``APIError/needs(_:)`` for a request without a user.
  package func chain(
    changing id: AppletID, _ change: Change, starting: @escaping () throws -> Void,
    then: @escaping (Result<FetchedApplet?, APIError>) throws -> RequestChain
  ) throws(APIError) -> RequestChain {
    caller.chain(
      try requests.change(change, id), starting: starting,
      reading: { response throws(APIError) in try FetchedApplet.afterChange(response, of: id) }, then: then)
  }
}
