import HTTP
import JSON

/// The pages that the API's `url` members and the SDKs' texts link to. They change nothing.
extension Emulator {
  /// The page at `/applets/{id}`, for a connection or an Applet.
  func aboutPage(_ id: String, _ request: Request) throws(WebPageError) -> WebPage {
    let subject: ActivationSubject
    do { subject = try connection(id, request) } catch {
      let applets = seed.partners.compactMap { seed.applets(of: $0.service) }.joined()
      guard let seeded = applets.first(where: { $0.applet.id == id }),
        seeded.applet.isPublished || isInvited(to: seeded.applet.services, request)
      else { throw error }
      subject = .applet(seeded)
    }
    var link: HTML = ""
    if case .connection = subject { link = "<p><a href=\"/connections/\(id)\">Users</a></p>" }
    return WebPage(title: subject.name, body: "<section class=\"card\">\(heading(subject))\(link)</section>")
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

  /// The pages at `/connections/{id}`: the users who have it and, with `/edit`, their configurations. They change
  /// nothing.
  func managePage(_ id: String, edits: Bool, _ request: Request) throws(WebPageError) -> WebPage {
    // The real site requires signing in. The sandbox shows all users to every visitor.
    guard let seeded = seed.connection(id) else { throw .notFound }
    let owner = seeded.connection.services.first?.slug
    let users: [HTML] = everyone.filter { $0.service == owner }.map { user in
      edits ? configured(user, in: seeded) : "<dt>\(user.id)</dt><dd>\(statusLine(of: user, in: seeded))</dd>"
    }
    let path = "/connections/\(id)"
    let body: HTML = edits ? "\(users)" : "<section class=\"card\"><h2>Users</h2><dl>\(users)</dl></section>"
    return WebPage(
      title: seeded.connection.name,
      body: """
        <section class="card">\(heading(.connection(seeded)))\
        <p><a href="\(edits ? path : "\(path)/edit")">\(edits ? "Back to the connection" : "Configuration")</a></p></section>
        \(body)
        """)
  }

  private func statusLine(of user: SandboxFixtures.User, in seeded: SeededConnection) -> HTML {
    let status = status(of: user, in: seeded)
    let text = status == .enabled && configuration(of: user, in: seeded).isPending ? "enabled, pending" : status.text
    return "<strong>\(text)</strong> – \(.name(user.login))"
  }

  private func configured(_ user: SandboxFixtures.User, in seeded: SeededConnection) -> HTML {
    let features: [HTML] = configuration(of: user, in: seeded).features.map { userFeature in
      let steps: [HTML] = StepKind.allCases.flatMap { kind in
        zip(userFeature.feature[keyPath: kind.ofFeature], userFeature[keyPath: kind.ofUser]).map { step, configured in
          Self.values(step.fields, configured?.values ?? [])
        }
      }
      return """
        <h2 dir="auto">\(userFeature.feature.title)</h2><p class="soft">\(userFeature.isEnabled ? "On" : "Off")</p>\
        <dl>\(Self.values(userFeature.feature.fields, userFeature.values))\(steps)</dl>
        """
    }
    return "<section class=\"card\"><p>\(.name(user.id)): \(statusLine(of: user, in: seeded))</p>\(features)</section>"
  }

  private static func values(_ fields: [SandboxFixtures.Field], _ values: [SandboxFixtures.Value?]) -> HTML {
    let rows: [HTML] = zip(fields, values).map { field, value in
      "<dt>\(.name(field.label))</dt><dd><bdi>\(value?.text ?? "–")</bdi></dd>"
    }
    return "\(rows)"
  }
}

extension SandboxUserStatus {
  fileprivate var text: String {
    switch self {
    case .enabled: "enabled"
    case .disabled: "disabled"
    case .neverEnabled: "never enabled"
    }
  }
}

extension SandboxFixtures.Value {
  fileprivate var text: String {
    switch self {
    case .text(let text): text
    case .option(_, let label, let group): group.map { "\($0) › \(label)" } ?? label
    case .options(let options): options.map(\.label).joined(separator: ", ")
    case .location(let latitude, let longitude, let radius, let address, _, _):
      "\(latitude), \(longitude)" + (radius.map { ", \($0) m" } ?? "") + (address.isEmpty ? "" : ", \(address)")
    }
  }
}
