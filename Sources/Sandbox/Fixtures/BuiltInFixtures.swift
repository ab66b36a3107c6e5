import JSON
import World

/// The services, connections and Applets of a built-in seed: those of the catalog, with the seed's own texts.
///
/// Unchecked: all mutable state is guarded by `lock`.
final class BuiltInFixtures: @unchecked Sendable {
  static let plain = BuiltInFixtures(.plain)
  static let unusual = BuiltInFixtures(.unchanged)

  let services: [SandboxFixtures.Service]
  private let texts: FixtureTexts
  private var connections: [String: SeededConnection] = [:]
  private var applets: [String: [SeededConnection]] = [:]
  private let lock = Mutex()

  private init(_ texts: FixtureTexts) {
    self.texts = texts
    services = SandboxFixtures.Service.all.map(texts.service)
  }

  /// The connection, which is built on first use.
  func connection(_ id: String) -> SeededConnection? {
    lock.withLock {
      if let built = connections[id] { return built }
      guard let connection = SandboxFixtures.connection(id) else { return nil }
      let built = SeededConnection(texts.connection(connection))
      connections[id] = built
      return built
    }
  }

  var allConnections: [SeededConnection] { SandboxFixtures.allConnectionIDs.compactMap(connection) }

  /// The service's Applets, which are built on first use; nil for an unknown partner.
  func applets(of service: String) -> [SeededConnection]? {
    lock.withLock {
      if let built = applets[service] { return built }
      let built = SandboxFixtures.applets(of: service)?.map { SeededConnection(texts.connection($0)) }
      applets[service] = built
      return built
    }
  }
}

/// The texts and places of a built-in seed, each by the text that it replaces in the catalog. A text without a
/// replacement stays as it is in the catalog. Ids, option values, keys, statuses and times are never replaced.
struct FixtureTexts {
  /// A point on the map, in degrees.
  typealias Place = (latitude: Double, longitude: Double)

  private let texts: [String: String]
  /// The places by the address in the catalog.
  private let places: [String: Place]

  init(_ texts: [String: String], places: [String: Place]) { (self.texts, self.places) = (texts, places) }

  /// The texts and places of the catalog.
  static let unchanged = FixtureTexts([:], places: [:])

  /// The replaced texts.
  var replaced: Set<String> { Set(texts.keys) }

  private func text(_ text: String) -> String { texts[text] ?? text }
}

extension FixtureTexts {
  func service(_ service: SandboxFixtures.Service) -> SandboxFixtures.Service {
    SandboxFixtures.Service(
      slug: service.slug, name: text(service.name), shortName: text(service.shortName), channel: service.channel,
      color: service.color, native: service.native)
  }

  func connection(_ connection: SandboxFixtures.Connection) -> SandboxFixtures.Connection {
    SandboxFixtures.Connection(
      id: connection.id, name: text(connection.name), description: text(connection.description),
      services: connection.services.map(service), enabledCount: connection.enabledCount,
      publishedAt: connection.publishedAt, isApplet: connection.isApplet, cover: connection.cover,
      listsLegacyActions: connection.listsLegacyActions, features: connection.features.map(feature),
      users: connection.users.mapValues { user in
        var user = user
        user.features = user.features.map(userFeature)
        return user
      })
  }

  private func feature(_ feature: SandboxFixtures.Feature) -> SandboxFixtures.Feature {
    SandboxFixtures.Feature(
      id: feature.id, title: text(feature.title), description: feature.description.map(text), icon: feature.icon,
      fields: feature.fields.map(field), triggers: feature.triggers.map(step), queries: feature.queries.map(step),
      actions: feature.actions.map(step))
  }

  private func step(_ step: SandboxFixtures.Step) -> SandboxFixtures.Step {
    let rows = step.rows.all.map { JSONObject(members: $0.members.map { (key: $0.key, value: json($0.value)) }) }
    return SandboxFixtures.Step(
      step.id, service(step.service), step.slug, text(step.label), step.fields.map(field),
      rows: SandboxFixtures.QueryRows(rows, pageSize: step.rows.pageSize), isContextual: step.isContextual)
  }

  private func field(_ field: SandboxFixtures.Field) -> SandboxFixtures.Field {
    SandboxFixtures.Field(
      field.id, text(field.label), field.type, preset: field.preset.map(value), required: field.isRequired,
      hidden: field.isHidden,
      options: field.options.map { SandboxFixtures.Option($0.value, text($0.label), group: $0.group.map(text)) })
  }

  private func value(_ value: SandboxFixtures.Value) -> SandboxFixtures.Value {
    switch value {
    case .text(let typed): return .text(text(typed))
    case .option(let value, let label, let group): return .option(value, label: text(label), group: group.map(text))
    case .options(let options): return .options(options.map { (value: $0.value, label: text($0.label)) })
    case .location(let latitude, let longitude, let radius, let address, let description, let zoom):
      let place = places[address] ?? (latitude, longitude)
      return .location(
        place.latitude, place.longitude, radius: radius, address: text(address), description: text(description),
        zoom: zoom)
    }
  }

  private func userFeature(_ feature: SandboxFixtures.UserFeature) -> SandboxFixtures.UserFeature {
    SandboxFixtures.UserFeature(
      id: feature.id, feature: self.feature(feature.feature), isEnabled: feature.isEnabled,
      values: feature.values.map { $0.map(value) }, triggers: feature.triggers.map { $0.map(userStep) },
      queries: feature.queries.map { $0.map(userStep) }, actions: feature.actions.map { $0.map(userStep) })
  }

  private func userStep(_ step: SandboxFixtures.UserStep) -> SandboxFixtures.UserStep {
    SandboxFixtures.UserStep(step.id, values: step.values.map { $0.map(value) })
  }

  private func json(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let string): .string(text(string))
    case .array(let elements): .array(elements.map(json))
    case .object(let object):
      .object(JSONObject(members: object.members.map { (key: $0.key, value: json($0.value)) }))
    default: value
    }
  }
}
