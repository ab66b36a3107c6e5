import JSON

/// An Applet of the fixtures with its JSON.
struct SeededApplet {
  let applet: SandboxFixtures.Applet
  private let template: Template

  init(_ applet: SandboxFixtures.Applet) {
    self.applet = applet
    let services = applet.services.map { service in
      JSONValue.object(service.json(isPrimary: service.slug == applet.services.first?.slug))
    }
    let owner = applet.services.first?.slug ?? ""
    template = Template(
      head: [
        "type": "applet", "id": .string(applet.id), "name": .string(applet.name),
        "description": .string(applet.description), "published_at": .text(applet.publishedAt?.text),
      ],
      tail: [
        "services": .array(services), "url": .string("https://ifttt.com/applets/\(applet.id)"),
        "embedded_url": .string("https://ifttt.com/embed/\(owner)/applets/\(applet.id)"),
      ])
  }

  func json(for user: String?, status: SandboxUserStatus?, enabledCount: Int) -> [UInt8] {
    let lastRunAt = user.flatMap { applet.users[$0]?.lastRunAt }
    return template.filled(enabledCount: enabledCount, status: status, lastRunAt: lastRunAt)
  }
}
