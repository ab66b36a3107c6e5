package import HTTP
package import Text

/// The older Applets API v1 (reference: applets-api-v1.md), one method per endpoint. It is not known whether IFTTT
/// still supports it (U22), so its errors are shown unchanged.
package struct AppletsClient {
  let caller: APIClient
  let requests: AppletsRequests

  package enum Order: String, Sendable, CaseIterable {
    case publishedAscending = "published_at_asc"
    case publishedDescending = "published_at_desc"
    case enabledAscending = "enabled_count_asc"
    case enabledDescending = "enabled_count_desc"
  }

  /// Excludes Applets that need the other platform's own services. Without a platform, excludes those that need any
  /// platform's.
  package enum Platform: String, Sendable, CaseIterable { case ios, android }

  package enum Change: String, Sendable { case enable, disable }

  /// - Parameter service: the slug of the service that owns the Applets.
  package init(caller: APIClient, service: ServiceSlug) {
    self.caller = caller
    requests = AppletsRequests(caller.template, service: service)
  }

  /// GET /v1/services/{slug}/applets
  /// - Parameter order: nil for IFTTT's default, which is not documented (U23).
  package func list(order: Order?, platform: Platform?) throws(APIError) -> AppletList {
    try caller.ask(requests.list(order: order, platform: platform), AppletList.init)
  }

  /// POST /v1/services/{slug}/user_token: the older form of the Connect API's token exchange.
  /// - Throws: ``APIError``; ``APIError/needs(_:)`` without a service key, before the token is used up.
  package func exchange(userID: String, accessToken: Secret) throws(APIError) -> Secret {
    try caller.ask(requests.exchange(userID: userID, accessToken: accessToken), userToken)
  }

  /// The user token in the response to an ``exchangeRequest(userID:accessToken:)``.
  package func exchangedToken(in result: Result<Response, HTTPError>, to request: Request) -> Result<Secret, APIError> {
    caller.read(result, of: request, userToken)
  }

  /// The request only, for `--dry-run` and chains.
  /// - Throws: ``APIError/needs(_:)`` without a service key.
  package func exchangeRequest(userID: String, accessToken: Secret) throws(APIError) -> Request {
    try requests.exchange(userID: userID, accessToken: accessToken)
  }

  /// GET /v1/services/{slug}/applets/{id} for many Applets concurrently; each result is delivered as it arrives.
  /// - Throws: `HTTPError.interrupted` after Ctrl-C, and any error that `each` throws.
  package func show(
    _ ids: [AppletID], each: (AppletID, Result<FetchedApplet, APIError>) throws -> Void
  ) throws {
    try caller.ask(
      ids, requests.show,
      reading: { id, response throws(APIError) in try FetchedApplet(response, for: id) }, each: each)
  }

  /// The request only, for `--dry-run`.
  /// - Throws: ``APIError/needs(_:)`` for a request without a user.
  package func changeRequest(_ change: Change, _ id: AppletID) throws(APIError) -> Request {
    try requests.change(change, id)
  }
}
