import JSON

extension SandboxSeed {
  /// The maximum file size, in bytes.
  package static let sizeLimit = 64 << 20

  /// Parse the format that ``json`` produces; ifttt-sandbox(7) describes it.
  /// - Throws: ``SeedError``, which names the location of the error.
  package init(parsing bytes: [UInt8]) throws(SeedError) {
    let json: JSONValue
    do throws(JSONError) { json = try JSONValue(document: bytes) } catch {
      throw SeedError(path: "", words: "is not JSON: \(error)")
    }
    let root = try SeedNode(path: "", value: json)
      .object("format", "services", "users", "accounts", "webhooks_key", "connections", "applets")
    guard root["format"].value.int == 1 else { throw root["format"].problem("is not 1") }
    let parts = try root["services"].list { node throws(SeedError) in try SeedService(node) }
    let services = parts.map(\.service)
    let partners = parts.compactMap(\.partner)
    try root["services"].refuseRepeated(services.map(\.slug))
    try root["services"].refuseRepeated(partners.map(\.key))
    let users = try root["users"].list { node throws(SeedError) in
      let user = try SandboxFixtures.User(node)
      guard partners.contains(where: { $0.service == user.service }) else {
        throw node["service"].problem("is not a service with a key")
      }
      return user
    }
    try root["users"].refuseRepeated(users.map(\.id))
    try root["users"].refuseRepeated(users.map(\.userToken))
    let reader = SeedReader(services: services, users: Set(users.map(\.id)))
    let connections = try root["connections"].list { node throws(SeedError) in try reader.connection(node) }
    let applets = try root["applets"].list { node throws(SeedError) in try reader.applet(node) }
    try root["connections"].refuseRepeated(connections.map(\.id))
    try root["applets"].refuseRepeated(applets.map(\.id))
    for (place, applet) in applets.enumerated() {
      guard partners.contains(where: { $0.service == applet.services[0].slug }) else {
        throw SeedError(path: "applets[\(place)].services[0]", words: "is not a service with a key")
      }
    }
    self.init(
      services: services, partners: partners, users: users,
      accounts: try root["accounts"].list { node throws(SeedError) in try node.word().lowercased() },
      webhooksKey: try root["webhooks_key"].orNil?.word(), connections: connections, applets: applets)
  }
}

extension SeedNode {
  fileprivate func refuseRepeated(_ names: [String]) throws(SeedError) {
    var seen: Set<String> = []
    for (place, name) in names.enumerated() where !seen.insert(name).inserted {
      throw SeedError(path: "\(path)[\(place)]", words: "repeats an id, key or token of an earlier entry")
    }
  }
}

/// A service, with its credentials if it is a partner.
private struct SeedService {
  let service: SandboxFixtures.Service
  let partner: SandboxFixtures.Partner?

  /// How users sign in, as in a service definition.
  private enum Authentication: String, CaseIterable { case oauth2, none }

  init(_ node: SeedNode) throws(SeedError) {
    let node = try node.object(
      "id", "name", "short_name", "channel", "color", "platforms", "key", "invite_code", "authentication")
    let id = try node["id"].word()
    let name = try node["name"].text()
    let platforms = try node["platforms"].list { item throws(SeedError) in
      try item.choice(SandboxFixtures.Platform.self)
    }
    service = SandboxFixtures.Service(
      slug: id, name: name, shortName: try node["short_name"].orNil?.text() ?? name,
      channel: try node["channel"].orNil?.count() ?? 7_000_000, color: try node["color"].orNil?.word() ?? "#000000",
      native: Set(platforms))
    if let key = node["key"].orNil {
      partner = SandboxFixtures.Partner(
        service: id, key: try key.word(), inviteCode: try node["invite_code"].orNil?.word(),
        usesSignIn: try node["authentication"].orNil?.choice(Authentication.self) != Authentication.none)
    } else if let code = node["invite_code"].orNil {
      throw code.problem("requires that the service has a key")
    } else {
      partner = nil
    }
  }
}

extension SandboxFixtures.User {
  fileprivate init(_ node: SeedNode) throws(SeedError) {
    let node = try node.object("id", "service", "login", "email", "user_token", "access_token", "refresh_token")
    self.init(
      id: try node["id"].word(), service: try node["service"].word(), login: try node["login"].word(),
      email: try node["email"].orNil?.word().lowercased(),
      userToken: try node["user_token"].word(), accessToken: try node["access_token"].word(),
      refreshToken: try node["refresh_token"].orNil?.word())
  }
}
