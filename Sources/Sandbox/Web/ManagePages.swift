import HTTP
import JSON

extension Emulator {
  /// The pages at `/connections/{id}`: the users who have it and, with `/edit`, their configurations. They change
  /// nothing.
  func managePage(_ id: String, edits: Bool, _ request: Request) throws(WebPageError) -> WebPage {
    // The real site requires signing in. The sandbox shows all users to every visitor.
    guard let seeded = seed.connection(id) else { throw .notFound }
    let owner = seeded.connection.services.first?.slug
    let users: [HTML] = everyone.filter { $0.service == owner }.map { user in
      edits ? configured(user, in: seeded) : "<dt>\(user.id)</dt><dd>\(standing(user, in: seeded))</dd>"
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

  private func standing(_ user: SandboxFixtures.User, in seeded: SeededConnection) -> HTML {
    let status = status(of: user, in: seeded)
    let words = status == .enabled && configuration(of: user, in: seeded).isPending ? "enabled, pending" : status.words
    return "<strong>\(words)</strong> – \(.name(user.login))"
  }

  private func configured(_ user: SandboxFixtures.User, in seeded: SeededConnection) -> HTML {
    let features: [HTML] = configuration(of: user, in: seeded).features.map { its in
      let steps: [HTML] = StepKind.allCases.flatMap { kind in
        zip(its.feature[keyPath: kind.ofFeature], its[keyPath: kind.ofUser]).map { step, configured in
          Self.values(step.fields, configured?.values ?? [])
        }
      }
      return """
        <h2 dir="auto">\(its.feature.title)</h2><p class="soft">\(its.isEnabled ? "On" : "Off")</p>\
        <dl>\(Self.values(its.feature.fields, its.values))\(steps)</dl>
        """
    }
    return "<section class=\"card\"><p>\(.name(user.id)): \(standing(user, in: seeded))</p>\(features)</section>"
  }

  private static func values(_ fields: [SandboxFixtures.Field], _ values: [SandboxFixtures.Value?]) -> HTML {
    let rows: [HTML] = zip(fields, values).map { field, value in
      "<dt>\(.name(field.label))</dt><dd><bdi>\(value?.words ?? "–")</bdi></dd>"
    }
    return "\(rows)"
  }
}

extension SandboxUserStatus {
  fileprivate var words: String {
    switch self {
    case .enabled: "enabled"
    case .disabled: "disabled"
    case .neverEnabled: "never enabled"
    }
  }
}

extension SandboxFixtures.Value {
  fileprivate var words: String {
    switch self {
    case .text(let text): text
    case .option(_, let label, let group): group.map { "\($0) › \(label)" } ?? label
    case .options(let options): options.map(\.label).joined(separator: ", ")
    case .place(let latitude, let longitude, let radius, let address, _, _):
      "\(latitude), \(longitude)" + (radius.map { ", \($0) m" } ?? "") + (address.isEmpty ? "" : ", \(address)")
    }
  }
}
