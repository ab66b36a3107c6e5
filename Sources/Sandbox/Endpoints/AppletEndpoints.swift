import HTTP
import JSON
import Text

extension Emulator {
  /// `GET /v1/services/{slug}/applets`: all Applets, on one page.
  func list(appletsOf service: String, _ request: APIRequest) throws(ErrorResponse) -> EmulatorResponse {
    let viewer = try viewer(of: request)
    let order = try choice("order", of: request.http, AppletOrder.init)
    let platform = try choice("platform", of: request.http, SandboxFixtures.Platform.init)
    var shown = try visible(of: service, request).filter { $0.connection.runs(on: platform) }
    if let order { shown.sort(by: order, enabledCount: { enabledCount(of: $0) }) }
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
  func show(applet id: String, of service: String, _ request: APIRequest) throws(ErrorResponse) -> EmulatorResponse {
    let viewer = try viewer(of: request)
    return EmulatorResponse(body: json(of: try find(id, of: service, request), for: viewer))
  }

  /// `POST …/enable` and `/disable`: with a user token, or with the service key and a `user_id` in the body.
  mutating func turn(
    _ turn: Toggle, applet id: String, of service: String, _ request: APIRequest
  ) throws(ErrorResponse) -> EmulatorResponse {
    let viewer = try requiredViewer(named: request.body?.identifier("user_id"), request.credential)
    let seeded = try find(id, of: service, request)
    guard let user = viewer.user, status(of: user, in: seeded) != .neverEnabled else {
      throw .neverEnabled(.statusChange)
    }
    set(turn.result, of: user, in: seeded)
    return EmulatorResponse(body: json(of: seeded, for: viewer))
  }

  private func visible(of service: String, _ request: APIRequest) throws(ErrorResponse) -> [SeededConnection] {
    guard let applets = seed.applets(of: service) else { throw .unknownApplet }
    try request.credential.checkAccess(to: service)
    return applets.filter { $0.connection.isPublished || request.reveals(service, seed) }
  }

  private func find(
    _ id: String, of service: String, _ request: APIRequest
  ) throws(ErrorResponse) -> SeededConnection {
    let applets = try visible(of: service, request)
    guard let seeded = applets.first(where: { $0.id == id }) else { throw .unknownApplet }
    return seeded
  }

  private func choice<Choice>(
    _ name: String, of request: Request, _ parse: (String) -> Choice?
  ) throws(ErrorResponse) -> Choice? {
    guard let text = request.parameter(name) else { return nil }
    guard let choice = parse(text) else { throw .badRequest("\(name) has an unknown value") }
    return choice
  }
}

/// The sort orders for Applets in the older API.
enum AppletOrder: String, CaseIterable {
  case publishedAscending = "published_at_asc"
  case publishedDescending = "published_at_desc"
  case countAscending = "enabled_count_asc"
  case countDescending = "enabled_count_desc"
}

extension SandboxFixtures.Connection {
  /// Whether the Applet runs on a platform, because each of its native services is part of that platform. Without a
  /// platform, only an Applet without native services runs.
  func runs(on platform: SandboxFixtures.Platform?) -> Bool {
    native.allSatisfy { platforms in platform.map(platforms.contains) ?? false }
  }
}

extension [SeededConnection] {
  /// Sort by time of publication, regardless of time zone and with unpublished Applets last, or by number of users.
  /// Equal elements keep the order of the catalog.
  mutating func sort(by order: AppletOrder, enabledCount: (SeededConnection) -> Int) {
    self = sorted { seeded in
      let published = seeded.connection.publishedAt.map { Int($0.secondsSince1970) }
      return switch order {
      case .publishedAscending: published ?? .max
      case .publishedDescending: published.map(-) ?? .max
      case .countAscending: enabledCount(seeded)
      case .countDescending: -enabledCount(seeded)
      }
    }
  }
}
