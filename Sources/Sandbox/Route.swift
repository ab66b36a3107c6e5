import HTTP
import World

/// A version of the API: version 1 has Applets, version 2 has connections. Location events have their own path and
/// host, and version 2's errors.
enum APIVersion {
  case v1, v2, location

  /// The version for a URL, or nil if no API is served there. The Realtime API has no version, although its path has.
  init?(of url: WebURL) {
    let isFirst = url.path.utf8.starts(with: "/v1/".utf8)
    guard isFirst || url.path.utf8.starts(with: "/v2/".utf8), url.path != "/v1/notifications" else { return nil }
    let isLocation = url.path == "/v1/location_events"
    switch url.host {
    case "connect.ifttt.com": if isFirst { return nil }
    case "api.ifttt.com": if !isFirst || isLocation { return nil }
    case "connectapi.ifttt.com": if !isLocation { return nil }
    case "ifttt.com", "realtime.ifttt.com", "maker.ifttt.com": return nil
    default: break
    }
    self = isLocation ? .location : isFirst ? .v1 : .v2
  }
}

/// A change of status: enable or disable.
enum Toggle: String {
  case enable, disable

  var result: SandboxUserStatus { self == .enable ? .enabled : .disabled }
}

/// The endpoint for a path.
enum Route {
  case me
  case findAccount
  /// The token exchange; with the service's slug in the older API.
  case userToken(service: String?)
  case connection(String)
  case turnConnection(String, Toggle)
  case fieldOptions(String, OptionsOwner)
  case userConnection(String)
  case refresh(String)
  /// The names of steps are prefixed with their service's slug and a dot.
  case run(String, String)
  case perform(String, String)
  case test(String, String)
  case provisionalCode
  case events
  case locationEvents
  case applets(of: String)
  case applet(String, of: String)
  case turnApplet(String, of: String, Toggle)

  /// Whether the body must be an array; all other endpoints require an object.
  var acceptsList: Bool { if case .locationEvents = self { true } else { false } }
}

extension APIVersion {
  private static let appletRoutes = RouteTable(Route.appletPaths)
  private static let connectRoutes = RouteTable(Route.connectPaths + Route.usagePaths)
  private static let locationRoutes = RouteTable(Route.locationPaths)

  var routes: RouteTable<Route> {
    switch self {
    case .v1: Self.appletRoutes
    case .v2: Self.connectRoutes
    case .location: Self.locationRoutes
    }
  }
}

/// The owner of the requested options: a feature, or a step by its full name, within one feature or any
/// (docs/api/connect.md C25).
enum OptionsOwner {
  case feature(String)
  case step(StepKind, String, in: String?)
}

/// An endpoint of the hosts that are called by partners' servers and by programs, not by clients of the Connect API:
/// the Realtime API and the Webhooks service (docs/api/service.md §9 and §11).
enum PartnerRoute: Equatable {
  case notifications
  /// An event of the Webhooks service, with three values or with any JSON.
  case trigger(event: String, key: String, acceptsJSON: Bool)

  private static let realtime = RouteTable(realtimePaths)
  private static let webhooks = RouteTable(webhookPaths)

  /// The endpoint for a URL, or nil if the URL belongs to another part of IFTTT.
  static func match(_ url: WebURL) -> RouteTable<PartnerRoute>.Match? {
    let (isRealtime, isMaker) = (url.host == "realtime.ifttt.com", url.host == "maker.ifttt.com")
    // Every other name of IFTTT serves something else; any other host serves everything.
    guard isRealtime || isMaker || !(url.host == "ifttt.com" || url.host.hasSuffix(".ifttt.com")) else { return nil }
    let isNotification = url.path == "/v1/notifications"
    // Most requests are for other endpoints, so skip parsing their paths.
    guard isNotification ? !isMaker : !isRealtime && url.path.utf8.starts(with: "/trigger/".utf8),
      let segments = try? url.pathSegments()
    else { return nil }
    return (isNotification ? realtime : webhooks).match(segments)
  }
}

extension Emulator {
  mutating func reply(
    to request: Request, at found: RouteTable<PartnerRoute>.Match, _ now: Timestamp
  ) throws(ErrorResponse) -> EmulatorResponse {
    try found.methods.check(request.method)
    switch found.route {
    case .notifications: return try receive(notifications: request, at: now)
    case .trigger(let event, let key, let acceptsJSON):
      return try fire(event, key: key, acceptsJSON: acceptsJSON, request)
    }
  }
}

/// A page of IFTTT's website that the sandbox emulates.
package enum WebRoute: Sendable, Equatable {
  /// The two pages on which a connection is enabled for the first time.
  case access(String)
  case connect(String)
  /// The page of an Applet of the older API.
  case embedded(service: String, applet: String)
  /// The page with a user's configuration of a connection, and the page to edit it.
  case manage(String, edits: Bool)
  /// The URL to which a service redirects a person who signs in there.
  case signIn(service: String)
  /// The page of a connection or an Applet, the target of its `url`.
  case about(String)
  /// The page of a service, the target of its `url`.
  case service(String)
  /// IFTTT's terms, which the SDKs link to.
  case terms

  /// The page for a URL, or nil if the URL belongs to an API or to nothing.
  /// - Parameter isService: Whether a service with this id exists.
  init?(of url: WebURL, isService: (String) -> Bool) {
    switch url.host {
    case "connect.ifttt.com", "api.ifttt.com", "connectapi.ifttt.com", "realtime.ifttt.com", "maker.ifttt.com":
      return nil
    default: break
    }
    // Most requests are API requests, so skip parsing their paths.
    guard !url.path.utf8.starts(with: "/v1/".utf8), !url.path.utf8.starts(with: "/v2/".utf8),
      let path = try? url.pathSegments()
    else { return nil }
    switch (path.count, path.first) {
    case (3, "access") where path[1] == "api": self = .access(path[2])
    case (2, "connect"): self = .connect(path[1])
    case (4, "embed") where path[2] == "applets": self = .embedded(service: path[1], applet: path[3])
    case (3, "channels") where path[2] == "authorize": self = .signIn(service: path[1])
    case (2, "connections"): self = .manage(path[1], edits: false)
    case (3, "connections") where path[2] == "edit": self = .manage(path[1], edits: true)
    case (2, "applets"): self = .about(path[1])
    case (1, "terms"): self = .terms
    case (1, let id?) where isService(id): self = .service(id)
    default: return nil
    }
  }

  /// - Parameter target: The path and query of a request to the built-in sandbox, as sent.
  package init?(target: String) {
    guard let request = Request(receivedMethod: "GET", target: target, headers: [], body: []) else { return nil }
    self.init(of: request.url) { id in SandboxFixtures.Service.all.contains { $0.slug == id } }
  }
}
