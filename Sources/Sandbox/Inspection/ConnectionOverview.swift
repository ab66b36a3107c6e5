package import JSON
package import World

extension Emulator {
  /// The connections of a user's service with the user's state and configuration, as an array for the control endpoint.
  /// Generated connections are left out.
  package func connections(of userID: String, at now: Timestamp) throws(InspectionError) -> JSONValue {
    let user = try inspectedUser(userID)
    let overview = ConnectionOverview(of: self, for: user, at: now)
    return .array(
      seed.allConnections.filter { $0.connection.services.first?.slug == user.service }.map(overview.json))
  }
}

/// The connections of a user in words, for people who look at the state.
private final class ConnectionOverview {
  private let emulator: Emulator
  private let user: SandboxFixtures.User
  private let now: Timestamp

  init(of emulator: Emulator, for user: SandboxFixtures.User, at now: Timestamp) {
    (self.emulator, self.user, self.now) = (emulator, user, now)
  }

  func json(of seeded: SeededConnection) -> JSONValue {
    let connection = seeded.connection
    let configuration = emulator.configuration(of: user, in: seeded)
    let lastRunAt = connection.users[emulator.seed.model(of: user.id)]?.lastRunAt
    let unused = connection.features.filter { feature in
      !configuration.features.contains { $0.feature.id == feature.id }
    }
    // A feature that the user does not have is shown like a disabled one without values.
    let features =
      configuration.features.map { Feature($0, isConfigured: true) }
      + unused.map { Feature(.init(id: $0.id, feature: $0, isEnabled: false), isConfigured: false) }
    return [
      "id": .string(connection.id), "name": .string(connection.name), "description": .string(connection.description),
      "status": .string(emulator.status(of: user, in: seeded).rawValue), "pending": .bool(configuration.isPending),
      "last_run_at": .text(lastRunAt?.text), "enabled_count": JSONValue(emulator.enabledCount(of: seeded)),
      "services": .array(connection.services.map(\.overview)),
      "features": .array(features.map { json($0, of: connection) }),
    ]
  }

  /// A feature of the user, or one that the user does not have.
  private struct Feature {
    let instance: SandboxFixtures.UserFeature
    let isConfigured: Bool

    init(_ instance: SandboxFixtures.UserFeature, isConfigured: Bool) {
      (self.instance, self.isConfigured) = (instance, isConfigured)
    }
  }

  private func json(_ feature: Feature, of connection: SandboxFixtures.Connection) -> JSONValue {
    let instance = feature.instance
    let steps = StepKind.allCases.flatMap { kind in
      let configured = instance[keyPath: kind.ofUser]
      return instance.feature[keyPath: kind.ofFeature].enumerated().map { index, step in
        let own = configured.indices.contains(index) ? configured[index] : nil
        return json(step, kind, own, of: instance, in: connection)
      }
    }
    return [
      "id": .string(instance.id), "title": .string(instance.feature.title), "enabled": .bool(instance.isEnabled),
      "fields": fields(instance.feature.fields, instance.values), "steps": .array(steps),
    ]
  }

  private func json(
    _ step: SandboxFixtures.Step, _ kind: StepKind, _ configured: SandboxFixtures.UserStep?,
    of feature: SandboxFixtures.UserFeature, in connection: SandboxFixtures.Connection
  ) -> JSONValue {
    let region = configured.flatMap { step.region(in: $0) }?.json
    return [
      "kind": .string(kind.rawValue), "id": .text(configured?.id), "name": .string(step.name),
      "label": .string(step.label), "is_own": .bool(step.service.slug == connection.services.first?.slug),
      "fields": fields(step.fields, configured?.values ?? []),
      "ingredients": ingredients(of: step, kind, configured, feature, connection),
      "region": region.map { place in
        [
          "latitude": place["lat"] ?? .null, "longitude": place["lng"] ?? .null, "radius": place["radius"] ?? .null,
          "event": .text(step.regionEvent?.rawValue),
        ]
      } ?? .null,
    ]
  }

  private func fields(_ fields: [SandboxFixtures.Field], _ values: [SandboxFixtures.Value?]) -> JSONValue {
    .array(
      fields.enumerated().map { index, field in
        let value = values.indices.contains(index) ? values[index] : nil
        return ["id": .string(field.id), "label": .string(field.label), "value": .text(value?.text)]
      })
  }

  private func ingredients(
    of step: SandboxFixtures.Step, _ kind: StepKind, _ configured: SandboxFixtures.UserStep?,
    _ feature: SandboxFixtures.UserFeature, _ connection: SandboxFixtures.Connection
  ) -> JSONValue {
    let examples: JSONObject? =
      switch kind {
      case .triggers:
        emulator.ingredientExamples(
          of: FiredTrigger(
            connection: connection, user: user, feature: feature, step: step,
            configured: configured ?? .init("", values: step.fields.map(\.preset))), at: now)
      case .queries: step.rows.all.first
      case .actions: nil
      }
    return .array(
      (examples?.members ?? []).map { name, value in
        ["name": .string(name), "example": .string(value.string ?? (value.isNull ? "" : value.text))]
      })
  }
}

extension SandboxFixtures.Service {
  fileprivate var overview: JSONValue {
    let json = json(isPrimary: false)
    return [
      "slug": .string(slug), "name": .string(name), "color": .string(color),
      "icon_url": json["color_icon_url"] ?? .null, "url": json["url"] ?? .null,
    ]
  }
}
