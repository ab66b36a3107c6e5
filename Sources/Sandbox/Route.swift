import HTTP

/// The generations of the API: 1 has Applets, 2 has connections.
enum APIVersion {
  case v1, v2

  /// Nil where this version of the world has nothing to say.
  init?(of url: WebURL) {
    let isFirst = url.path.utf8.starts(with: "/v1/".utf8)
    guard isFirst || url.path.utf8.starts(with: "/v2/".utf8) else { return nil }
    switch url.host {
    case "connect.ifttt.com": if isFirst { return nil }
    case "api.ifttt.com": if !isFirst { return nil }
    case "connectapi.ifttt.com", "ifttt.com", "realtime.ifttt.com", "maker.ifttt.com": return nil
    default: break
    }
    self = isFirst ? .v1 : .v2
  }
}

/// Switching something on again, or off.
enum Turn: String {
  case enable, disable

  var result: UserStatus { self == .enable ? .enabled : .disabled }
}

/// What a path asks for.
enum Route {
  case me
  case findAccount
  /// With the slug, in the older API.
  case userToken(service: String?)
  case connection(String)
  case turnConnection(String, Turn)
  case applets(of: String)
  case applet(String, of: String)
  case turnApplet(String, of: String, Turn)

  /// - Parameter segments: decoded, the version first.
  init?(in version: APIVersion, segments: [String]) {
    let turn = segments.last.flatMap(Turn.init)
    let path = segments.dropFirst()
    func at(_ place: Int) -> String { path[path.startIndex + place] }

    switch (version, path.count, path.first) {
    case (_, 1, "me"): self = .me
    case (_, 2, "account") where at(1) == "find": self = .findAccount
    case (.v2, 1, "user_token"): self = .userToken(service: nil)
    case (.v2, 2, "connections"): self = .connection(at(1))
    case (.v2, 3, "connections"):
      guard let turn else { return nil }
      self = .turnConnection(at(1), turn)
    case (.v1, 3, "services") where at(2) == "user_token": self = .userToken(service: at(1))
    case (.v1, 3, "services") where at(2) == "applets": self = .applets(of: at(1))
    case (.v1, 4, "services") where at(2) == "applets": self = .applet(at(3), of: at(1))
    case (.v1, 5, "services") where at(2) == "applets":
      guard let turn else { return nil }
      self = .turnApplet(at(3), of: at(1), turn)
    default: return nil
    }
  }

  var isWriting: Bool {
    switch self {
    case .me, .findAccount, .connection, .applets, .applet: false
    case .userToken, .turnConnection, .turnApplet: true
    }
  }

  var allowed: String { isWriting ? "POST" : "GET, HEAD" }

  func allows(_ method: Method) -> Bool {
    isWriting ? method == .post : method == .get || method == .head
  }
}
