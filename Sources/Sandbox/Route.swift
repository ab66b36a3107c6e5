import HTTP

/// A version of the API: version 1 has Applets, version 2 has connections. Location events have their own path and
/// host, and version 2's errors.
enum APIVersion {
  case v1, v2, location

  /// The version for a URL, or nil if no API is served there.
  init?(of url: WebURL) {
    let isFirst = url.path.utf8.starts(with: "/v1/".utf8)
    guard isFirst || url.path.utf8.starts(with: "/v2/".utf8) else { return nil }
    let isLocation = url.path == "/v1/location_events"
    let isRealtime = url.path == "/v1/notifications"
    switch url.host {
    case "connect.ifttt.com": if isFirst { return nil }
    case "api.ifttt.com": if !isFirst || isLocation { return nil }
    case "connectapi.ifttt.com": if !isLocation { return nil }
    case "realtime.ifttt.com": if !isRealtime { return nil }
    case "ifttt.com", "maker.ifttt.com": return nil
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
  case fieldOptions(String, OptionsPlace)
  case userConnection(String)
  case refresh(String)
  /// The names of steps are prefixed with their service's slug and a dot.
  case run(String, String)
  case perform(String, String)
  case test(String, String)
  case provisionalCode
  case events
  case locationEvents
  /// The Realtime API.
  case notifications
  case applets(of: String)
  case applet(String, of: String)
  case turnApplet(String, of: String, Toggle)

  /// - Parameter segments: The decoded path segments, starting with the version.
  init?(in version: APIVersion, segments: [String]) {
    let path = Array(segments.dropFirst())
    let found: Route? =
      switch version {
      case .v1: Self.older(path)
      case .v2: Self.newer(path)
      case .location: .locationEvents
      }
    guard let found else { return nil }
    self = found
  }

  private static func older(_ path: [String]) -> Route? {
    let turn = path.last.flatMap(Toggle.init)
    return switch (path.count, path.first) {
    case (1, "me"): .me
    case (1, "notifications"): .notifications
    case (2, "account") where path[1] == "find": .findAccount
    case (3, "services") where path[2] == "user_token": .userToken(service: path[1])
    case (3, "services") where path[2] == "applets": .applets(of: path[1])
    case (4, "services") where path[2] == "applets": .applet(path[3], of: path[1])
    case (5, "services") where path[2] == "applets": turn.map { .turnApplet(path[3], of: path[1], $0) }
    default: nil
    }
  }

  private static func newer(_ path: [String]) -> Route? {
    switch (path.count, path.first) {
    case (1, "me"): .me
    case (2, "account") where path[1] == "find": .findAccount
    case (1, "user_token"): .userToken(service: nil)
    case (1, "provisional_access_code"): .provisionalCode
    case (2, "sdk") where path[1] == "events": .events
    case (2..., "connections"): connection(path[1], path.dropFirst(2))
    default: nil
    }
  }

  private static func connection(_ id: String, _ rest: ArraySlice<String>) -> Route? {
    let rest = Array(rest)
    switch (rest.count, rest.first, rest.last) {
    case (0, _, _): return .connection(id)
    case (1, "user_connection", _): return .userConnection(id)
    case (1, _, _): return rest.last.flatMap(Toggle.init).map { .turnConnection(id, $0) }
    case (2, "user_connection", "refresh"): return .refresh(id)
    case (3, "actions", "run"): return .run(rest[1], id)
    case (3, "queries", "perform"): return .perform(rest[1], id)
    case (3, "triggers", "test"): return .test(rest[1], id)
    case (3, "features", "field_options"): return .fieldOptions(id, .feature(rest[1]))
    case (3, _, "field_options"):
      return StepKind(rawValue: rest[0]).map { .fieldOptions(id, .step($0, rest[1], in: nil)) }
    case (5, "features", "field_options"):
      return StepKind(rawValue: rest[2]).map { .fieldOptions(id, .step($0, rest[3], in: rest[1])) }
    default: return nil
    }
  }

  private var methods: [Method] {
    switch self {
    case .me, .findAccount, .fieldOptions, .applets, .applet: [.get, .head]
    case .connection: [.get, .head, .post]
    case .userConnection: [.put]
    case .userToken, .turnConnection, .refresh, .run, .perform, .test, .provisionalCode, .events, .locationEvents,
      .notifications, .turnApplet:
      [.post]
    }
  }

  var allowed: String { methods.map(\.rawValue).joined(separator: ", ") }

  /// Whether the body must be an array; all other endpoints require an object.
  var takesList: Bool { if case .locationEvents = self { true } else { false } }

  func allows(_ method: Method) -> Bool { methods.contains(method) }
}

/// The owner of the requested options: a feature, or a step by its full name, within one feature or any (C25).
enum OptionsPlace {
  case feature(String)
  case step(StepKind, String, in: String?)
}
