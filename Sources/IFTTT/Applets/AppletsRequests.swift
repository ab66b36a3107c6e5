package import HTTP
import JSON
package import Text

/// The requests of the Applets API v1 (reference: applets-api-v1.md, section 1), as pure data.
package struct AppletsRequests: Sendable {
  private let template: RequestTemplate
  private let service: ServiceSlug

  /// - Parameter service: the slug of the service that owns the Applets.
  package init(_ template: RequestTemplate, service: ServiceSlug) {
    (self.template, self.service) = (template, service)
  }

  /// GET /v1/services/{slug}/applets. Returns all Applets at once, without paging (U23).
  package func list(order: AppletsClient.Order?, platform: AppletsClient.Platform?) -> Request {
    template.get(
      path,
      query: [
        order.map { QueryItem("order", $0.rawValue) }, platform.map { QueryItem("platform", $0.rawValue) },
      ].compactMap(\.self))
  }

  /// GET /v1/services/{slug}/applets/{id}
  package func show(_ id: AppletID) -> Request { template.get(path + [id.description]) }

  /// POST /v1/services/{slug}/user_token (section 6). Never retried, because each request creates a token.
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
