import JSON

extension SandboxSeed {
  /// The maximum file size, in bytes.
  package static let sizeLimit = 64 << 20

  /// Parse the format that ``json`` produces; ifttt-sandbox(7) describes it.
  /// - Throws: ``SeedError``, which names the location of the error.
  package init(parsing bytes: [UInt8]) throws(SeedError) {
    let json: JSONValue
    do throws(JSONError) { json = try JSONValue(document: bytes) } catch {
      throw SeedError(path: "", predicate: "is not JSON: \(error)")
    }
    let root = try SeedNode(path: "", value: json)
      .object("format", "services", "users", "accounts", "webhooks_key", "connections", "applets", "salt")
    guard root["format"].value.int == 1 else { throw root["format"].problem("is not 1") }
    let parts = try root["services"].list { node throws(SeedError) in try SeedService(node) }
    let services = parts.map(\.service)
    let partners = parts.compactMap(\.partner)
    try root["services"].refuseRepeated(services.map(\.slug))
    try root["services"].refuseRepeated(partners.map(\.key))
    let users = try root["users"].list { node throws(SeedError) in
      let user = try SandboxFixtures.User(node)
      // An activation creates a user of any service that owns a connection.
      let owners = user.isCreated ? services.map(\.slug) : partners.map(\.service)
      guard owners.contains(user.service) else { throw node["service"].problem("is not a service with a key") }
      return user
    }
    try root["users"].refuseRepeated(users.map(\.id))
    try root["users"].refuseRepeated(users.map { [$0.userToken] + $0.issuedTokens })
    let reader = SeedReader(services: services, users: Set(users.map(\.id)))
    let connections = try root["connections"].list { node throws(SeedError) in try reader.connection(node) }
    let applets = try root["applets"].list { node throws(SeedError) in try reader.applet(node) }
    try root["connections"].refuseRepeated(connections.map(\.id))
    try root["applets"].refuseRepeated(applets.map(\.id))
    for (index, applet) in applets.enumerated() {
      guard partners.contains(where: { $0.service == applet.services[0].slug }) else {
        throw SeedError(path: "applets[\(index)].services[0]", predicate: "is not a service with a key")
      }
    }
    self.init(
      services: services, partners: partners, users: users,
      accounts: try root["accounts"].list { node throws(SeedError) in try node.token().lowercased() },
      webhooksKey: try root["webhooks_key"].optional?.word(), connections: connections, applets: applets)
    salt = try root["salt"].optional?.count()
  }
}

extension SeedNode {
  fileprivate func refuseRepeated(_ names: [String]) throws(SeedError) { try refuseRepeated(names.map { [$0] }) }

  /// - Parameter names: The names of each entry.
  fileprivate func refuseRepeated(_ names: [[String]]) throws(SeedError) {
    var seen: Set<String> = []
    for (index, names) in names.enumerated() where !names.allSatisfy({ seen.insert($0).inserted }) {
      throw SeedError(path: "\(path)[\(index)]", predicate: "repeats an id, key or token of an earlier entry")
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
      slug: id, name: name, shortName: try node["short_name"].optional?.text() ?? name,
      channel: try node["channel"].optional?.count() ?? 7_000_000,
      color: try node["color"].optional?.word() ?? "#000000",
      native: Set(platforms))
    if let key = node["key"].optional {
      partner = SandboxFixtures.Partner(
        service: id, key: try key.word(), inviteCode: try node["invite_code"].optional?.word(),
        usesSignIn: try node["authentication"].optional?.choice(Authentication.self) != Authentication.none)
    } else if let code = node["invite_code"].optional {
      throw code.problem("requires that the service has a key")
    } else {
      partner = nil
    }
  }
}

extension SandboxFixtures.User {
  fileprivate init(_ node: SeedNode) throws(SeedError) {
    let node = try node.object(
      "id", "service", "login", "email", "user_token", "access_token", "refresh_token", "name",
      "issued_tokens", "created")
    self.init(
      id: try node["id"].name(), service: try node["service"].word(), login: try node["login"].name(),
      email: try node["email"].optional?.token().lowercased(),
      userToken: try node["user_token"].token(), accessToken: try node["access_token"].token(),
      refreshToken: try node["refresh_token"].optional?.token(), name: try node["name"].optional?.text(),
      issuedTokens: try node["issued_tokens"].list { item throws(SeedError) in try item.token() },
      isCreated: try node["created"].flag(orElse: false))
  }
}

/// A reader for the parts of a seed that refer to its services and users.
struct SeedReader {
  let services: [SandboxFixtures.Service]
  let users: Set<String>

  func connection(_ node: SeedNode) throws(SeedError) -> SandboxFixtures.Connection {
    let node = try node.object(
      "id", "name", "description", "services", "enabled_count", "published_at", "cover", "lists_legacy_actions",
      "features", "users")
    let features = try node["features"].list { item throws(SeedError) in try feature(item) }
    let users = try node["users"].members { id, item throws(SeedError) in
      try check(user: id, item)
      return try userConnection(item, features)
    }
    return SandboxFixtures.Connection(
      id: try node["id"].word(), name: try node["name"].text(),
      description: try node["description"].optional?.text() ?? "",
      services: try owners(node), enabledCount: try node["enabled_count"].optional?.count() ?? 0,
      publishedAt: try node["published_at"].optional?.time(), cover: try node["cover"].optional?.text(),
      listsLegacyActions: try node["lists_legacy_actions"].flag(orElse: false), features: features, users: users)
  }

  func applet(_ node: SeedNode) throws(SeedError) -> SandboxFixtures.Connection {
    let node = try node.object(
      "id", "name", "description", "services", "enabled_count", "published_at", "users")
    let users = try node["users"].members { id, item throws(SeedError) in
      try check(user: id, item)
      let item = try item.object("status", "last_run_at")
      return SandboxFixtures.UserConnection(
        status: try item["status"].choice(SandboxUserStatus.self), lastRunAt: try item["last_run_at"].optional?.time())
    }
    return SandboxFixtures.Connection(
      id: try node["id"].word(), name: try node["name"].text(),
      description: try node["description"].optional?.text() ?? "",
      services: try owners(node), enabledCount: try node["enabled_count"].optional?.count() ?? 0,
      publishedAt: try node["published_at"].optional?.time(), isApplet: true, users: users)
  }

  /// The services of a connection or Applet, starting with the owner.
  private func owners(_ node: SeedNode) throws(SeedError) -> [SandboxFixtures.Service] {
    let found = try node["services"].list { item throws(SeedError) in try service(item) }
    guard !found.isEmpty else { throw node["services"].problem("is empty; the first service is the owner") }
    return found
  }

  private func service(_ node: SeedNode) throws(SeedError) -> SandboxFixtures.Service {
    let id = try node.word()
    guard let service = services.first(where: { $0.slug == id }) else { throw node.problem("is not a known service") }
    return service
  }

  private func check(user: String, _ node: SeedNode) throws(SeedError) {
    guard user == SandboxSeed.generatedKey || users.contains(user) else { throw node.problem("is not a known user") }
  }

  private func feature(_ node: SeedNode) throws(SeedError) -> SandboxFixtures.Feature {
    let node = try node.object("id", "title", "description", "icon", "fields", "triggers", "queries", "actions")
    let id = try node["id"].word()
    return SandboxFixtures.Feature(
      id: id, title: try node["title"].text(), description: try node["description"].optional?.text(),
      icon: try node["icon"].optional?.word() ?? "feature", fields: try fields(node["fields"]),
      triggers: try steps(node["triggers"], .triggers), queries: try steps(node["queries"], .queries),
      actions: try steps(node["actions"], .actions))
  }

  /// How values are validated, as in a service definition.
  private enum Validation: String, CaseIterable { case contextual }

  private func steps(_ node: SeedNode, _ kind: StepKind) throws(SeedError) -> [SandboxFixtures.Step] {
    try node.list { item throws(SeedError) in
      let item = try item.object("id", "service", "slug", "label", "fields", "validation", "rows", "page_size")
      let validation = try item["validation"].optional?.choice(Validation.self)
      guard validation == nil || kind == .triggers else { throw item["validation"].problem("is only for triggers") }
      return SandboxFixtures.Step(
        try item["id"].word(), try service(item["service"]), try item["slug"].word(), try item["label"].text(),
        try fields(item["fields"]), rows: try item.queryRows(), isContextual: validation == .contextual)
    }
  }

  private func fields(_ node: SeedNode) throws(SeedError) -> [SandboxFixtures.Field] {
    try node.list { item throws(SeedError) in
      let item = try item.object("id", "label", "type", "required", "hidden", "preset", "options")
      let type = try item["type"].choice(SandboxFixtures.FieldType.self)
      return SandboxFixtures.Field(
        try item["id"].word(), try item["label"].text(), type, preset: try item["preset"].optional?.value(for: type),
        required: try item["required"].flag(orElse: true), hidden: try item["hidden"].flag(orElse: false),
        options: try item["options"].options())
    }
  }

  private func userConnection(
    _ node: SeedNode, _ features: [SandboxFixtures.Feature]
  ) throws(SeedError) -> SandboxFixtures.UserConnection {
    let node = try node.object("status", "pending", "last_run_at", "features")
    return SandboxFixtures.UserConnection(
      status: try node["status"].choice(SandboxUserStatus.self), isPending: try node["pending"].flag(orElse: false),
      lastRunAt: try node["last_run_at"].optional?.time(),
      features: try node["features"].list { item throws(SeedError) in try userFeature(item, features) })
  }

  func userFeature(
    _ node: SeedNode, _ features: [SandboxFixtures.Feature]
  ) throws(SeedError) -> SandboxFixtures.UserFeature {
    let node = try node.object("id", "feature", "enabled", "values", "triggers", "queries", "actions")
    let name = try node["feature"].word()
    guard let feature = features.first(where: { $0.id == name }) else {
      throw node["feature"].problem("is not a feature of this connection")
    }
    return SandboxFixtures.UserFeature(
      id: try node["id"].word(), feature: feature, isEnabled: try node["enabled"].flag(orElse: true),
      values: try values(node["values"], feature.fields), triggers: try userSteps(node["triggers"], feature.triggers),
      queries: try userSteps(node["queries"], feature.queries), actions: try userSteps(node["actions"], feature.actions)
    )
  }

  private func userSteps(
    _ node: SeedNode, _ steps: [SandboxFixtures.Step]
  ) throws(SeedError) -> [SandboxFixtures.UserStep?] {
    var position = 0
    let found = try node.list { item throws(SeedError) -> SandboxFixtures.UserStep? in
      guard position < steps.count else { throw item.problem("is more than the feature has") }
      position += 1
      guard let item = try item.optional?.object("id", "values") else { return nil }
      return SandboxFixtures.UserStep(
        try item["id"].word(), values: try values(item["values"], steps[position - 1].fields))
    }
    guard found.count == steps.count else { throw node.problem("has fewer entries than the feature") }
    return found
  }

  private func values(_ node: SeedNode, _ fields: [SandboxFixtures.Field]) throws(SeedError) -> [SandboxFixtures.Value?]
  {
    var position = 0
    let found = try node.list { item throws(SeedError) -> SandboxFixtures.Value? in
      guard position < fields.count else { throw item.problem("is more than there are fields") }
      position += 1
      return try item.optional?.value(for: fields[position - 1].type)
    }
    guard found.count == fields.count else { throw node.problem("has fewer values than there are fields") }
    return found
  }
}
