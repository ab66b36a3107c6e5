package import HTTP
import JSON
package import Text

/// The older Applets API v1 (docs/api/applets.md), one method per endpoint. It is not known whether IFTTT still
/// supports it (docs/api/applets.md U22), so its errors are shown unchanged.
package struct AppletsClient: TokenExchangeClient {
  package let caller: APIClient
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
  /// - Parameter order: nil for IFTTT's default, which is not documented (docs/api/applets.md U23).
  package func list(order: Order?, platform: Platform?) throws(APIError) -> AppletList {
    try caller.send(requests.list(order: order, platform: platform), AppletList.init)
  }

  /// POST /v1/services/{slug}/user_token
  package func exchangeRequest(userID: String, accessToken: Secret) throws(APIError) -> Request {
    try requests.exchange(userID: userID, accessToken: accessToken)
  }

  /// GET /v1/services/{slug}/applets/{id} for many Applets concurrently; each result is delivered as it arrives.
  /// - Throws: `HTTPError.interrupted` after Ctrl-C, and any error that `each` throws.
  package func show(
    _ ids: [AppletID], each: (AppletID, Result<FetchedApplet, APIError>) throws -> Void
  ) throws {
    try caller.send(
      ids, requests.show,
      reading: { id, response throws(APIError) in try FetchedApplet(response, for: id) }, each: each)
  }

  /// The request only, for `--dry-run`.
  /// - Throws: ``APIError/needs(_:)`` for a request without a user.
  package func changeRequest(_ change: Change, _ id: AppletID) throws(APIError) -> Request {
    try requests.change(change, id)
  }
}

/// The requests of the Applets API v1 (docs/api/applets.md §1), as pure data.
package struct AppletsRequests: Sendable {
  private let template: RequestTemplate
  private let service: ServiceSlug

  /// - Parameter service: the slug of the service that owns the Applets.
  package init(_ template: RequestTemplate, service: ServiceSlug) {
    (self.template, self.service) = (template, service)
  }

  /// GET /v1/services/{slug}/applets. Returns all Applets at once, without paging (docs/api/applets.md U23).
  package func list(order: AppletsClient.Order?, platform: AppletsClient.Platform?) -> Request {
    template.get(
      path,
      query: [
        order.map { QueryItem("order", $0.rawValue) }, platform.map { QueryItem("platform", $0.rawValue) },
      ].compactMap(\.self))
  }

  /// GET /v1/services/{slug}/applets/{id}
  package func show(_ id: AppletID) -> Request { template.get(path + [id.description]) }

  /// POST /v1/services/{slug}/user_token (docs/api/applets.md §6). Never retried, because each request creates a token.
  /// - Throws: ``APIError/needs(_:)`` without a service key.
  package func exchange(userID: String, accessToken: Secret) throws(APIError) -> Request {
    guard template.authentication.level == .service else { throw .needs(.service) }
    return template.post(
      ["v1", "services", service.description, "user_token"],
      json: ["user_id": .string(userID), "token": .string(accessToken.revealed)], secrets: ["token"],
      isRepeatable: false)
  }

  /// POST /v1/services/{slug}/applets/{id}/enable or /disable: with a user token and an empty body, or with the
  /// service key and a body that names the user.
  /// - Throws: ``APIError/needs(_:)`` for a request without a user.
  package func change(_ change: AppletsClient.Change, _ id: AppletID) throws(APIError) -> Request {
    var request = template.post(path + [id.description, change.rawValue], isRepeatable: change == .disable)
    switch template.authentication {
    case .user: return request
    case .service(_, let userID?):
      let body: JSONValue = ["user_id": JSONValue(userID)]
      request.body = body.bytes
      request.headers.append(Header("Content-Type", "application/json"))
      return request
    case .service, .anonymous: throw .needs(.user)
    }
  }

  private var path: [String] { ["v1", "services", service.description, "applets"] }
}

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

/// The Applets that could be parsed, in the order received, and the elements that were skipped.
package struct AppletList: Sendable {
  package let applets: [Applet]
  package let skipped: SkippedElements
  package let raw: [UInt8]

  /// - Throws: ``APIError``; unreadable if the response contains no list.
  package init(_ response: Response) throws(APIError) {
    let object = try response.object()
    guard object.text("type") == "list" || object["data"]?.array != nil else {
      throw response.unreadable("it is not a list of Applets")
    }
    var skipped = SkippedElements()
    applets = object.members("data", skipped: &skipped) { member, inner in
      guard let applet = Applet(reading: member) else { return nil }
      inner = applet.skipped
      return applet
    }
    self.skipped = skipped
    raw = response.body
  }
}

/// A parsed Applet, and the bytes it was parsed from.
package struct FetchedApplet: Sendable {
  package let applet: Applet
  package let raw: [UInt8]

  /// - Throws: ``APIError``; unreadable if the id is missing or differs from the requested one. Another Applet would
  ///   be shown and stored under the wrong id.
  package init(_ response: Response, for id: AppletID) throws(APIError) {
    guard let applet = Applet(reading: try response.object()) else {
      throw response.unreadable("it is not an Applet")
    }
    guard applet.id == id else { throw response.unreadable("it is not the requested Applet") }
    (self.applet, raw) = (applet, response.body)
  }

  /// The Applet from the response to a change; nil if a 2xx does not contain the changed Applet.
  package static func afterChange(_ response: Response, of id: AppletID) throws(APIError) -> FetchedApplet? {
    _ = try response.accepted()
    do throws(APIError) { return try FetchedApplet(response, for: id) } catch { return nil }
  }
}
