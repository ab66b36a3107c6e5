package import HTTP
package import JSON
package import Text

/// The older Applets API v1 (docs/api/applets.md), one method per endpoint. It is not known whether IFTTT still
/// supports it (docs/api/applets.md U22), so its errors are shown unchanged.
package struct AppletsClient: TokenExchangeClient {
  private let caller: APIClient
  private let service: ServiceSlug

  package enum Order: String, Sendable, CaseIterable {
    case publishedAscending = "published_at_asc"
    case publishedDescending = "published_at_desc"
    case enabledAscending = "enabled_count_asc"
    case enabledDescending = "enabled_count_desc"
  }

  /// A platform in the list request. IFTTT then excludes the Applets that need services of the other platform. Without
  /// a platform, it excludes the Applets that need services of either platform.
  package enum Platform: String, Sendable, CaseIterable { case ios, android }

  /// - Parameter service: the slug of the service that owns the Applets.
  package init(caller: APIClient, service: ServiceSlug) { (self.caller, self.service) = (caller, service) }

  /// The client that sends the requests, for batches of requests.
  package var http: HTTPClient { caller.http }

  private var path: [String] { ["v1", "services", service.description] }

  /// GET /v1/services/{slug}/applets. Returns all Applets at once, without paging (docs/api/applets.md U23).
  /// - Parameter order: nil for IFTTT's default, which is not documented (docs/api/applets.md U23).
  package func list(order: Order?, platform: Platform?) -> Endpoint<AppletList> {
    let query = [
      order.map { QueryItem("order", $0.rawValue) }, platform.map { QueryItem("platform", $0.rawValue) },
    ].compactMap(\.self)
    return caller.endpoint(caller.template.get(path + ["applets"], query: query), AppletList.init)
  }

  /// GET /v1/services/{slug}/applets/{id}
  package func show(_ id: AppletID) -> Endpoint<FetchedApplet> {
    caller.endpoint(caller.template.get(path + ["applets", id.description])) { response throws(APIError) in
      try FetchedApplet(response, for: id)
    }
  }

  /// POST /v1/services/{slug}/user_token: the older form of the Connect API's token exchange (docs/api/applets.md §6).
  /// Never retried, because each request creates a token.
  /// - Throws: ``APIError/needs(_:)`` without a service key.
  package func exchange(userID: String, accessToken: Secret) throws(APIError) -> Endpoint<Secret> {
    try caller.require(.service)
    let request = caller.template.post(
      path + ["user_token"], json: ["user_id": .string(userID), "token": .string(accessToken.revealed)],
      secrets: ["token"], isRepeatable: false)
    return caller.endpoint(request, userToken)
  }

  /// POST /v1/services/{slug}/applets/{id}/enable or /disable: with a user token and an empty body, or with the
  /// service key and a body that names the user. The value is nil if the response is not the changed Applet.
  /// - Throws: ``APIError/needs(_:)`` for a request without a user.
  package func change(_ change: StatusSwitch, _ id: AppletID) throws(APIError) -> Endpoint<FetchedApplet?> {
    var request = caller.template.post(
      path + ["applets", id.description, change.rawValue], isRepeatable: change == .disable)
    switch caller.template.authentication {
    case .user: break
    case .service(_, let userID?):
      let body: JSONValue = ["user_id": JSONValue(userID)]
      request.body = body.bytes
      request.headers.append(Header("Content-Type", "application/json"))
    case .service, .anonymous: throw .needs(.user)
    }
    return caller.endpoint(request) { response throws(APIError) in try FetchedApplet.afterChange(response, of: id) }
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

package typealias FetchedApplet = Fetched<Applet>

extension Fetched<Applet> {
  package var applet: Applet { subject }
}

extension Applet: FetchedSubject {
  package static var noun: String { "Applet" }
  package static var article: String { "an" }

  package static func single(in object: JSONObject) -> Applet? { Applet(reading: object) }
}
