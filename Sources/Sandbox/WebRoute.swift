import HTTP

/// A page of IFTTT's website that the sandbox emulates.
package enum WebRoute: Sendable, Equatable {
  /// The two pages on which a connection is enabled for the first time.
  case access(String)
  case connect(String)
  /// The page of an Applet of the older API.
  case embedded(service: String, applet: String)
  /// The page with a user's configuration of a connection, and the page to edit it.
  case manage(String, edits: Bool)
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
      let path = try? pathSegments(of: url)
    else { return nil }
    switch (path.count, path.first) {
    case (3, "access") where path[1] == "api": self = .access(path[2])
    case (2, "connect"): self = .connect(path[1])
    case (4, "embed") where path[2] == "applets": self = .embedded(service: path[1], applet: path[3])
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
    self.init(of: request.url) { SandboxSeed.builtIn.service($0) != nil }
  }
}
