import HTTP
import JSON

extension Emulator {
  /// `GET /v1/services/{slug}/applets`: all Applets, on one page.
  func list(appletsOf service: String, _ credential: RequestCredential, _ request: Request) throws(ErrorResponse)
    -> EmulatorResponse
  {
    let viewer = try viewer(of: request, credential)
    let order = try choice("order", of: request, AppletOrder.init)
    let platform = try choice("platform", of: request, SandboxFixtures.Platform.init)
    var shown = try visible(of: service, credential, request).filter { $0.applet.runs(on: platform) }
    if let order { shown.sort(by: order, enabledCount: { enabledCount(of: $0.applet) }) }
    var writer = JSONWriter(reserving: shown.count * 1200)
    writer.beginObject()
    writer.key("type")
    writer.string("list")
    writer.key("data")
    writer.beginArray()
    for seeded in shown { writer.raw(json(of: seeded, for: viewer)) }
    writer.endArray()
    writer.endObject()
    return EmulatorResponse(body: writer.bytes, assumptions: order == nil ? [.olderAPI] : [])
  }

  /// `GET /v1/services/{slug}/applets/{id}`.
  func show(
    applet id: String, of service: String, _ credential: RequestCredential, _ request: Request
  ) throws(ErrorResponse) -> EmulatorResponse {
    let viewer = try viewer(of: request, credential)
    return EmulatorResponse(body: json(of: try find(id, of: service, credential, request), for: viewer))
  }

  /// `POST …/enable` and `/disable`: with a user token, or with the service key and a `user_id` in the body.
  mutating func turn(
    _ turn: Toggle, applet id: String, of service: String, _ credential: RequestCredential, _ request: Request,
    _ body: JSONObject?
  ) throws(ErrorResponse) -> EmulatorResponse {
    let named = try identifier("user_id", of: body ?? [:])
    let viewer: Viewer
    switch credential {
    case .none: throw .unauthorized()
    case .key(let owner):
      guard let named, !named.isEmpty else { throw .badRequest("user_id is missing") }
      viewer = self.viewer(named, of: owner)
    case .token(let user):
      guard named == nil || named == user.id else { throw .forbidden("The token belongs to another user") }
      viewer = .user(user)
    }
    let seeded = try find(id, of: service, credential, request)
    guard let user = viewer.user else { throw .neverEnabled(.turning) }
    let before = seeded.applet.users[seed.model(of: user.id)]?.status
    if state.status(of: user.id, in: id, seeded: before) == .neverEnabled { throw .neverEnabled(.turning) }
    state.set(turn.result, of: user.id, in: id) { [seed] in seeded.applet.users[seed.model(of: $0)]?.status }
    return EmulatorResponse(body: json(of: seeded, for: viewer))
  }

  private func visible(
    of service: String, _ credential: RequestCredential, _ request: Request
  ) throws(ErrorResponse) -> [SeededApplet] {
    guard let applets = seed.applets(of: service) else { throw .unknownApplet }
    try credential.mayUse(service)
    return applets.filter { $0.applet.isPublished || credential.reveals(service, to: request, seed) }
  }

  private func find(
    _ id: String, of service: String, _ credential: RequestCredential, _ request: Request
  ) throws(ErrorResponse) -> SeededApplet {
    let applets = try visible(of: service, credential, request)
    guard let seeded = applets.first(where: { $0.applet.id == id }) else { throw .unknownApplet }
    return seeded
  }

  private func enabledCount(of applet: SandboxFixtures.Applet) -> Int {
    state.enabledCount(of: applet.id, seeded: applet.enabledCount) { applet.users[seed.model(of: $0)]?.status }
  }

  private func json(of seeded: SeededApplet, for viewer: Viewer) -> [UInt8] {
    let status = state.status(seeded.applet.id, for: viewer) { seeded.applet.users[seed.model(of: $0)]?.status }
    return seeded.json(
      for: viewer.user.map { seed.model(of: $0.id) }, status: status, enabledCount: enabledCount(of: seeded.applet))
  }

  private func choice<Choice>(
    _ name: String, of request: Request, _ parse: (String) -> Choice?
  ) throws(ErrorResponse) -> Choice? {
    guard let text = parameter(name, of: request) else { return nil }
    guard let choice = parse(text) else { throw .badRequest("\(name) has an unknown value") }
    return choice
  }
}

/// The sort orders for Applets in the older API.
enum AppletOrder: String {
  case publishedAscending = "published_at_asc"
  case publishedDescending = "published_at_desc"
  case countAscending = "enabled_count_asc"
  case countDescending = "enabled_count_desc"
}

extension SandboxFixtures.Applet {
  /// Whether the Applet runs on a platform. An Applet that needs the other platform's phone does not; without a
  /// platform, neither does one that needs any phone.
  func runs(on platform: SandboxFixtures.Platform?) -> Bool {
    native.allSatisfy { platforms in platform.map(platforms.contains) ?? false }
  }
}

extension [SeededApplet] {
  /// Sort by time of publication, regardless of time zone and with unpublished Applets last, or by number of users.
  /// Equal elements keep the order of the catalog.
  mutating func sort(by order: AppletOrder, enabledCount: (SeededApplet) -> Int) {
    let ranked = enumerated().map { index, seeded in
      let published = seeded.applet.publishedAt.map { Int($0.secondsSince1970) }
      let rank =
        switch order {
        case .publishedAscending: published ?? .max
        case .publishedDescending: published.map(-) ?? .max
        case .countAscending: enabledCount(seeded)
        case .countDescending: -enabledCount(seeded)
        }
      return (rank: rank, index: index, seeded: seeded)
    }
    self = ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.seeded)
  }
}
