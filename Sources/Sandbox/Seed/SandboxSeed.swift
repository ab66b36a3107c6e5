package import JSON
import Text

/// The initial contents of a sandbox: a built-in seed, or a seed file written by a user.
package struct SandboxSeed: Sendable {
  var services: [SandboxFixtures.Service]
  var partners: [SandboxFixtures.Partner]
  package internal(set) var users: [SandboxFixtures.User]
  var accounts: [String]
  /// The key of the Webhooks service; nil if every key is rejected.
  var webhooksKey: String?
  /// The connections of a seed file.
  var connections: [String: SeededConnection] = [:]
  /// The Applets of a seed file, by service.
  var applets: [String: [SeededConnection]] = [:]
  /// The connections and Applets of a built-in seed; nil for a seed file.
  private let builtIn: BuiltInFixtures?
  /// The number of generated connections for load tests: `L0000001` and so on.
  package var generated = 0
  /// The number of generated users of the first service with a key.
  package var generatedUsers = 0
  /// The service key of the first partner's server, which is accepted like that of the fixtures; nil if it is the same.
  package var serverKey: String?
  /// The key of all generated users among the users of a connection or an Applet.
  static let generatedKey = "*"
  /// Whether generated users have states of their own under this key, instead of those of the first user.
  let hasGeneratedStates: Bool
  /// The salt for the tokens and ids that the server makes; nil for that of its state.
  var salt: Int?

  package init(_ seed: BuiltInSeed) {
    let fixtures = seed.fixtures
    (builtIn, services) = (fixtures, fixtures.services)
    (partners, users, accounts) = (SandboxFixtures.partners, SandboxFixtures.users, SandboxFixtures.accounts)
    webhooksKey = SandboxFixtures.webhooksKey
    hasGeneratedStates = false
  }

  init(
    services: [SandboxFixtures.Service], partners: [SandboxFixtures.Partner], users: [SandboxFixtures.User],
    accounts: [String], webhooksKey: String?, connections: [SandboxFixtures.Connection],
    applets: [SandboxFixtures.Connection]
  ) {
    (self.services, self.partners, self.users, self.accounts) = (services, partners, users, accounts)
    self.webhooksKey = webhooksKey
    self.connections = Dictionary(uniqueKeysWithValues: connections.map { ($0.id, SeededConnection($0)) })
    self.applets = Dictionary(grouping: applets.map(SeededConnection.init)) { $0.connection.services[0].slug }
    builtIn = nil
    let key = Self.generatedKey
    hasGeneratedStates =
      !users.contains { $0.id == key }
      && (connections + applets).contains { $0.users[key] != nil }
  }

  func service(_ id: String) -> SandboxFixtures.Service? { services.first { $0.slug == id } }
  /// The service with this key. The first partner's server may have a key of its own.
  func service(ofKey key: String) -> String? {
    if let serverKey, key == serverKey { return partners.first?.service }
    return partners.first { $0.key == key }?.service
  }
  func inviteCode(of service: String) -> String? { partners.first { $0.service == service }?.inviteCode }

  func connection(_ id: String) -> SeededConnection? {
    // A connection of the seed takes the place of a generated one.
    if let own = connections[id] { return own }
    if let number = GeneratedConnection.number(of: id), number <= generated, let owner = partners.first?.service {
      return GeneratedConnection.make(number, services: services.filter { $0.slug == owner }, users: users)
    }
    return builtIn?.connection(id)
  }

  /// All connections except the generated ones.
  var allConnections: [SeededConnection] {
    builtIn?.allConnections ?? connections.inOrder.map(\.value)
  }

  /// The service's Applets, or nil if there is no such partner.
  func applets(of service: String) -> [SeededConnection]? {
    if let builtIn { return builtIn.applets(of: service) }
    return partners.contains { $0.service == service } ? applets[service] ?? [] : nil
  }
}

/// Generated connections for load tests, which differ only in their number.
enum GeneratedConnection {
  static func id(_ number: Int) -> String { "L" + String(number, width: 7) }

  static func number(of id: String) -> Int? { generatedNumber(in: id, after: "L") }

  /// A generated connection: enabled for the first user if the number is even, disabled if it is odd.
  static func make(
    _ number: Int, services: [SandboxFixtures.Service], users: [SandboxFixtures.User]
  ) -> SeededConnection {
    let status = SandboxFixtures.UserConnection(status: number.isMultiple(of: 2) ? .enabled : .disabled)
    // A generated user that an earlier sandbox changed is a user of the seed.
    let changed = users.filter { $0.isCreated && GeneratedUser.number(ofID: $0.id) != nil }.map(\.id)
    let states = users.first.map { [$0.id, SandboxSeed.generatedKey] + changed } ?? []
    return SeededConnection(
      SandboxFixtures.Connection(
        id: id(number), name: "Load \(String(number, width: 7))", description: "Made for load.", services: services,
        enabledCount: number, publishedAt: OffsetTime(2026, 1, 31, 12, 0), features: [],
        users: Dictionary(states.map { ($0, status) }) { $1 }))
  }
}

/// The credentials that a sandbox accepts: those of the first service with a key, and its first user.
package struct SandboxCredentials: Sendable, Equatable {
  package var service: String
  package var serviceKey: String
  package var inviteCode: String?
  package var user: SandboxFixtures.User?
  /// The key of the Webhooks service.
  package var webhooksKey: String?
}

extension SandboxSeed {
  /// The credentials, or nil if no service has a key.
  package var credentials: SandboxCredentials? {
    partners.first.map { partner in
      SandboxCredentials(
        service: partner.service, serviceKey: partner.key, inviteCode: partner.inviteCode,
        user: users.first { $0.service == partner.service }, webhooksKey: webhooksKey)
    }
  }
}

/// Generated users for load tests, which differ only in their number: `u-0000001` and so on.
///
/// A generated user is made when a request names it, so a million of them need no memory. The emulator's state has an
/// entry for a user from its first change on.
enum GeneratedUser {
  private static let userTokenPrefix = "sandbox-user-token-"
  private static let accessTokenPrefix = "sandbox-access-token-"

  static func make(_ number: Int, of service: String) -> SandboxFixtures.User {
    let digits = String(number, width: 7)
    return SandboxFixtures.User(
      id: "u-" + digits, service: service, login: "load_" + digits, email: nil, userToken: userTokenPrefix + digits,
      accessToken: accessToken(number))
  }

  static func accessToken(_ number: Int) -> String { accessTokenPrefix + String(number, width: 7) }
  static func number(ofID id: String) -> Int? { generatedNumber(in: id, after: "u-") }
  static func number(ofUserToken token: String) -> Int? {
    generatedNumber(in: token, after: userTokenPrefix)
  }
}

/// The number of seven digits at the end of a generated id or token; nil for any other text.
private func generatedNumber(in text: String, after prefix: String) -> Int? {
  let digits = text.utf8.dropFirst(prefix.utf8.count)
  guard text.utf8.starts(with: prefix.utf8), digits.count == 7, digits.allSatisfy(\.isDigit) else { return nil }
  return Int(Substring(digits)).flatMap { $0 > 0 ? $0 : nil }
}

extension SandboxSeed {
  func generatedUser(_ id: String, of service: String) -> SandboxFixtures.User? {
    guard service == partners.first?.service else { return nil }
    return generatedUser(GeneratedUser.number(ofID: id))
  }

  func generatedUser(ofToken token: String) -> SandboxFixtures.User? {
    generatedUser(GeneratedUser.number(ofUserToken: token))
  }

  private func generatedUser(_ number: Int?) -> SandboxFixtures.User? {
    guard let number, number <= generatedUsers, let service = partners.first?.service else { return nil }
    return GeneratedUser.make(number, of: service)
  }

  /// Whether the user is generated. A user of a seed file may have an id of the same form.
  func isGenerated(_ user: String) -> Bool {
    guard generatedUsers > 0, let number = GeneratedUser.number(ofID: user), number <= generatedUsers else {
      return false
    }
    return !users.contains { $0.id == user }
  }

  /// The key of a user's state among the users of a connection or an Applet: generated users share one state, which is
  /// that of the first user unless the seed has another one.
  func model(of user: String) -> String {
    guard isGenerated(user) else { return user }
    if hasGeneratedStates { return Self.generatedKey }
    return modelUser?.id ?? user
  }

  /// The first user of the first service, whose initial state generated users have.
  var modelUser: SandboxFixtures.User? {
    users.first { $0.service == partners.first?.service && !$0.isCreated }
  }
}

extension SandboxSeed {
  /// The seed in the format that ``init(parsing:)`` reads.
  package var json: JSONValue {
    let all = allConnections.map(\.connection)
    let applets = partners.flatMap { self.applets(of: $0.service) ?? [] }.map(\.connection)
    var json: JSONObject = [
      "format": 1,
      "services": .array(
        services.map { service in service.seedJSON(as: partners.first { $0.service == service.slug }) }),
      "users": .array(users.map(\.seedJSON)),
      "accounts": .array(accounts.map(JSONValue.string)),
      "webhooks_key": .text(webhooksKey),
      "connections": .array(all.map(\.seedJSON)),
      "applets": .array(applets.map(\.seedJSON)),
    ]
    json["salt"] = salt.map { JSONValue($0) }
    return .object(json)
  }
}

extension SandboxFixtures.Service {
  fileprivate func seedJSON(as partner: SandboxFixtures.Partner?) -> JSONValue {
    [
      "id": .string(slug), "name": .string(name), "short_name": .string(shortName), "channel": JSONValue(channel),
      "color": .string(color), "platforms": .array(native.map(\.rawValue).sorted().map(JSONValue.string)),
      "key": .text(partner?.key), "invite_code": .text(partner?.inviteCode),
      "authentication": .text(partner.map { $0.usesSignIn ? "oauth2" : "none" }),
    ]
  }
}

extension SandboxFixtures.User {
  var seedJSON: JSONValue {
    var user: JSONObject = [
      "id": .string(id), "service": .string(service), "login": .string(login), "email": .text(email),
      "user_token": .string(userToken), "access_token": .string(accessToken),
    ]
    user["refresh_token"] = refreshToken.map(JSONValue.string)
    user["name"] = name.map(JSONValue.string)
    if !issuedTokens.isEmpty { user["issued_tokens"] = .array(issuedTokens.map(JSONValue.string)) }
    if isCreated { user["created"] = true }
    return .object(user)
  }
}

extension SandboxFixtures.Connection {
  fileprivate var seedJSON: JSONValue {
    let users = users.inOrder.map { (key: $0.key, value: $0.value.seedJSON(isApplet: isApplet)) }
    var json: JSONObject = [
      "id": .string(id), "name": .string(name), "description": .string(description),
      "services": .array(services.map { .string($0.slug) }), "enabled_count": JSONValue(enabledCount),
      "published_at": .text(publishedAt?.text),
    ]
    if !isApplet {
      json["cover"] = .text(cover)
      json["lists_legacy_actions"] = .bool(listsLegacyActions)
      json["features"] = .array(features.map(\.seedJSON))
    }
    json["users"] = .object(JSONObject(members: users))
    return .object(json)
  }
}

extension SandboxFixtures.Feature {
  fileprivate var seedJSON: JSONValue {
    [
      "id": .string(id), "title": .string(title), "description": .text(description), "icon": .string(icon),
      "fields": .array(fields.map(\.seedJSON)), "triggers": .array(triggers.map(\.seedJSON)),
      "queries": .array(queries.map(\.seedJSON)), "actions": .array(actions.map(\.seedJSON)),
    ]
  }
}

extension SandboxFixtures.Step {
  fileprivate var seedJSON: JSONValue {
    [
      "id": .string(id), "service": .string(service.slug), "slug": .string(slug), "label": .string(label),
      "fields": .array(fields.map(\.seedJSON)), "validation": .text(isContextual ? "contextual" : nil),
      "rows": .array(rows.all.map(JSONValue.object)),
      "page_size": JSONValue(rows.pageSize),
    ]
  }
}

extension SandboxFixtures.Field {
  fileprivate var seedJSON: JSONValue {
    [
      "id": .string(id), "label": .string(label), "type": .string(type.rawValue), "required": .bool(isRequired),
      "hidden": .bool(isHidden), "preset": preset?.json ?? .null, "options": .array(options.map(\.json)),
    ]
  }
}

extension SandboxFixtures.UserConnection {
  fileprivate func seedJSON(isApplet: Bool) -> JSONValue {
    if isApplet { return ["status": .string(status.rawValue), "last_run_at": .text(lastRunAt?.text)] }
    return [
      "status": .string(status.rawValue), "pending": .bool(isPending), "last_run_at": .text(lastRunAt?.text),
      "features": .array(features.map(\.seedJSON)),
    ]
  }
}

extension SandboxFixtures.UserFeature {
  /// The JSON in seed files and stored states.
  var seedJSON: JSONValue {
    [
      "id": .string(id), "feature": .string(feature.id), "enabled": .bool(isEnabled), "values": json(values),
      "triggers": json(triggers), "queries": json(queries), "actions": json(actions),
    ]
  }

  private func json(_ steps: [SandboxFixtures.UserStep?]) -> JSONValue {
    .array(steps.map { step in step.map { ["id": .string($0.id), "values": json($0.values)] } ?? .null })
  }

  private func json(_ values: [SandboxFixtures.Value?]) -> JSONValue { .array(values.map { $0?.json ?? .null }) }
}

extension SandboxFixtures.UserFeature: Equatable {
  static func == (a: Self, b: Self) -> Bool { a.seedJSON == b.seedJSON }
}

/// A seed that is part of the program, by its name.
///
/// All built-in seeds have the same ids, credentials, statuses and fields; they differ in their texts and places.
package enum BuiltInSeed: String, Sendable, CaseIterable {
  case plain, unusual

  /// A summary of the seed for users.
  package var summary: String {
    switch self {
    case .plain: "short English names, and places in one city"
    case .unusual: "texts in other scripts, with emoji, markup and escapes, and places that are hard to draw"
    }
  }

  /// The names of all built-in seeds, for errors.
  package static let names = allCases.map(\.rawValue)

  /// The case of the letters is ignored, as in every closed set.
  package init?(named name: String) {
    guard let seed = Self.allCases.first(where: { $0.rawValue.isSame(ignoringASCIICase: name) }) else { return nil }
    self = seed
  }

  var fixtures: BuiltInFixtures {
    switch self {
    case .plain: .plain
    case .unusual: .unusual
    }
  }
}
