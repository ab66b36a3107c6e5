import HTTP

/// The pages that the API's `url` members and the SDKs' texts link to. They change nothing.
extension Emulator {
  /// The page at `/applets/{id}`, for a connection or an Applet.
  func aboutPage(_ id: String, _ request: Request) throws(WebPageError) -> WebPage {
    let thing: Activated
    do { thing = try connection(id, request) } catch {
      let applets = seed.partners.compactMap { seed.applets(of: $0.service) }.joined()
      guard let seeded = applets.first(where: { $0.applet.id == id }),
        seeded.applet.isPublished || isInvited(to: seeded.applet.services, request)
      else { throw error }
      thing = .applet(seeded)
    }
    var link: HTML = ""
    if case .connection = thing { link = "<p><a href=\"/connections/\(id)\">Users</a></p>" }
    return WebPage(title: thing.name, body: "<section class=\"card\">\(heading(thing))\(link)</section>")
  }

  /// The page at `/{service}`, with its connections and Applets.
  func servicePage(_ id: String, _ request: Request) throws(WebPageError) -> WebPage {
    guard let service = seed.service(id) else { throw .notFound }
    func isShown(_ services: [SandboxFixtures.Service], _ isPublished: Bool) -> Bool {
      services.contains { $0.slug == id } && (isPublished || isInvited(to: services, request))
    }
    let connections = seed.allConnections.map(\.connection).filter { isShown($0.services, $0.isPublished) }
    let applets = (seed.applets(of: id) ?? []).map(\.applet).filter { isShown($0.services, $0.isPublished) }
    let links = connections.map { ($0.id, $0.name) } + applets.map { ($0.id, $0.name) }
    let items: [HTML] = links.map { "<li><a dir=\"auto\" href=\"/applets/\($0.0)\">\($0.1)</a></li>" }
    let list: HTML = items.isEmpty ? "<p>This service has no connections or Applets.</p>" : "<ul>\(items)</ul>"
    return WebPage(
      title: service.name,
      body: "<section class=\"card\"><h1>\(.dot(service.color))\(.name(service.name))</h1>\(list)</section>")
  }

  var termsPage: WebPage {
    WebPage(
      title: "Terms",
      body:
        "<section class=\"card\"><h1>Terms</h1><p>IFTTT shows its terms of use here. The sandbox has none.</p></section>"
    )
  }
}
