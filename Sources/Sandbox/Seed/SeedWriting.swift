package import JSON

extension SandboxSeed {
  /// The seed in the format that ``init(parsing:)`` reads.
  package var json: JSONValue {
    let all = allConnections.map(\.connection)
    let applets = partners.flatMap { self.applets(of: $0.service) ?? [] }.map(\.applet)
    return [
      "format": 1,
      "services": .array(
        services.map { service in service.seedJSON(as: partners.first { $0.service == service.slug }) }),
      "users": .array(users.map(\.seedJSON)),
      "accounts": .array(accounts.map(JSONValue.string)),
      "webhooks_key": .text(webhooksKey),
      "connections": .array(all.map(\.seedJSON)),
      "applets": .array(applets.map(\.seedJSON)),
    ]
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
    return .object(user)
  }
}

extension SandboxFixtures.Connection {
  fileprivate var seedJSON: JSONValue {
    let users = users.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value.seedJSON) }
    return [
      "id": .string(id), "name": .string(name), "description": .string(description),
      "services": .array(services.map { .string($0.slug) }), "enabled_count": JSONValue(enabledCount),
      "published_at": .text(publishedAt?.text), "cover": .text(cover),
      "lists_legacy_actions": .bool(listsLegacyActions),
      "features": .array(features.map(\.seedJSON)), "users": .object(JSONObject(members: users)),
    ]
  }
}

extension SandboxFixtures.Applet {
  fileprivate var seedJSON: JSONValue {
    let users = users.sorted { $0.key < $1.key }.map { id, user in
      let json: JSONValue = ["status": .string(user.status.rawValue), "last_run_at": .text(user.lastRunAt?.text)]
      return (key: id, value: json)
    }
    return [
      "id": .string(id), "name": .string(name), "description": .string(description),
      "services": .array(services.map { .string($0.slug) }), "enabled_count": JSONValue(enabledCount),
      "published_at": .text(publishedAt?.text), "users": .object(JSONObject(members: users)),
    ]
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
  fileprivate var seedJSON: JSONValue {
    [
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
