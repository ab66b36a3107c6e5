import HTTP
import JSON
import World

/// The examples of a description: requests with values of the seed, and the emulator's responses to them.
final class DescriptionExamples {
  private let emulator: Emulator
  private let sample: Sample?
  private let parameters: [String: String]

  /// A configured instance of a feature, and its user.
  private final class Sample {
    let seeded: SeededConnection
    let user: SandboxFixtures.User
    let feature: SandboxFixtures.UserFeature
    let all: [SandboxFixtures.UserFeature]

    init(
      _ seeded: SeededConnection, _ user: SandboxFixtures.User, _ feature: SandboxFixtures.UserFeature,
      of all: [SandboxFixtures.UserFeature]
    ) {
      (self.seeded, self.user, self.feature, self.all) = (seeded, user, feature, all)
    }
  }

  init(_ emulator: Emulator) {
    self.emulator = emulator
    sample = Self.sample(in: emulator)
    parameters = Self.parameters(sample, in: emulator)
  }

  func all(of groups: [APIDocument.Group]) -> APIDocument.Examples {
    var examples = APIDocument.Examples()
    examples.parameters = parameters.mapValues(JSONValue.string)
    for path in groups.flatMap(\.paths) {
      for operation in path.operations {
        let body = operation.body.flatMap { sampleBody($0.schema) }
        examples.bodies[operation.id] = body
        guard let request = sampleRequest(operation, at: path, body) else { continue }
        var emulator = emulator
        let response = emulator.response(to: request, at: Self.now)
        guard let described = operation.responses.first(where: { $0.status == response.status }) else { continue }
        let isText = described.mediaType != APIResponse.json
        let value =
          isText ? .string(String(decoding: response.body, as: UTF8.self)) : try? JSONValue(parsing: response.body)
        if let value { examples.responses[operation.id] = [response.status: value] }
      }
    }
    return examples
  }

  /// The time of the requests, 2026-03-04T17:42:11Z.
  private static let now = Timestamp(milliseconds: 1_772_646_131_850)

  /// The first instance with the most kinds of steps.
  private static func sample(in emulator: Emulator) -> Sample? {
    var (best, most) = (nil as Sample?, -1)
    for seeded in emulator.seed.allConnections where seeded.connection.isPublished {
      for user in emulator.seed.users where user.service == seeded.connection.services.first?.slug {
        let configuration = emulator.configuration(of: user, in: seeded)
        guard emulator.status(of: user, in: seeded) == .enabled, !configuration.isPending else { continue }
        for feature in configuration.features where feature.isEnabled {
          let sample = Sample(seeded, user, feature, of: configuration.features)
          let kinds = StepKind.allCases.count { !feature.configuredSteps($0).isEmpty }
          if kinds > most { (best, most) = (sample, kinds) }
        }
      }
    }
    return best
  }

  /// The values of parameters, by name.
  private static func parameters(_ sample: Sample?, in emulator: Emulator) -> [String: String] {
    var values = ["event": "door_opened", "value1": "Garage", "value2": "open", "value3": "17:42"]
    values["key"] = emulator.seed.webhooksKey
    guard let user = sample?.user ?? emulator.seed.users.first else { return values }
    (values["user_id"], values["access_token"], values["email"]) = (user.id, user.accessToken, user.email)
    values["service_id"] = user.service
    values["applet_id"] =
      emulator.seed.applets(of: user.service)?.first {
        $0.connection.isPublished && emulator.status(of: user, in: $0) != .neverEnabled
      }?.id
    guard let sample else { return values }
    values["connection_id"] = sample.seeded.id
    values["feature_id"] = sample.feature.feature.id
    for kind in StepKind.allCases { values[kind.word] = sample.feature.configuredSteps(kind).first?.step.name }
    return values
  }

  /// A request to the operation; nil if the seed lacks a value that it needs.
  private func sampleRequest(_ operation: APIOperation, at path: APIPath, _ body: JSONValue?) -> Request? {
    var url = ""
    for segment in path.segments {
      switch segment {
      case .literal(let text): url += "/\(text)"
      case .parameter(let name):
        guard let value = parameters[name] else { return nil }
        url += "/\(value)"
      }
    }
    var headers = body == nil ? [] : [Header("Content-Type", "application/json")]
    let user = sample?.user ?? emulator.seed.users.first
    if operation.credentials.contains(.userToken), let user {
      headers.append(Header("Authorization", "Bearer \(user.userToken)"))
    } else if operation.credentials.contains(.serviceKey),
      let partner = emulator.seed.partners.first(where: { $0.service == user?.service })
    {
      headers.append(Header("IFTTT-Service-Key", partner.key))
    }
    return Request(
      operation.method,
      WebURL(
        scheme: "http", host: "127.0.0.1", port: nil, path: url,
        query: operation.query.compactMap { name in parameters[name].map { QueryItem(name, $0) } }),
      headers: headers, body: body?.bytes)
  }

  /// The bodies that are the same for every seed, by their schema.
  private static let bodies = APIDocument.parsed(
    """
    {
      "OAuthCodeBody": { "oauth_code": "oc_91fz" },
      "UsageEvents": {
        "events": [
          {
            "name": "sdk.click",
            "timestamp": "1772646129000",
            "properties": { "object_type": "connection", "object_id": "Kd7Rn2Qx", "location_type": "connect_button" }
          }
        ]
      },
      "LocationEvents": [
        {
          "record_id": "5A0D3C7E-91B2-4E68-8F14-2C7B6D9E0A35",
          "region_type": "geo",
          "occurred_at": "2026-03-04T17:42:09Z",
          "event_type": "exit",
          "channel_id": "941030000",
          "trigger_subscription_id": "d27e9a40-5b13-4c68-9f02-3e8a6b7c1d54",
          "installation_id": "b7c1e6f0-4a2d-4d8b-9e53-0f6a7c8d9b21"
        }
      ],
      "EventValues": { "value1": "Garage", "value2": "open" },
      "AnyJSON": { "door": "Garage", "open": true }
    }
    """)

  /// A body that conforms to a schema; nil for none.
  private func sampleBody(_ schema: String) -> JSONValue? {
    switch schema {
    case "TokenExchangeBody":
      return ["user_id": JSONValue(parameters["user_id"]), "token": JSONValue(parameters["access_token"])]
    case "ConfigurationBody": return sample.map { .object(["user_features": Self.features($0.all)]) }
    case "FieldUpdateBody": return sample.flatMap(Self.update)
    case "TriggerBody": return sample.map { ["user_feature_id": .string($0.feature.id)] }
    case "QueryBody": return sample.map { ["user_feature_id": .string($0.feature.id), "limit": 2] }
    case "StepBody":
      return sample.map { sample in
        let fields = sample.feature.configuredSteps(.actions).first.map(Self.values) ?? []
        return [
          "user_feature_id": .string(sample.feature.id),
          "fields": .object(JSONObject(members: fields.map { ($0.id, $0.value) })),
        ]
      }
    case "Notifications": return parameters["user_id"].map { ["data": [["user_id": .string($0)]]] }
    default: return Self.bodies[schema]
    }
  }

  /// The configuration in the form of a request, which has no types of fields.
  private static func features(_ features: [SandboxFixtures.UserFeature]) -> JSONValue {
    let json = SandboxFixtures.UserConnection(status: .enabled, features: features).json
    return withoutTypes(json["user_features"] ?? [])
  }

  private static func withoutTypes(_ json: JSONValue) -> JSONValue {
    switch json {
    case .array(let elements): return .array(elements.map(withoutTypes))
    case .object(let object):
      return .object(
        JSONObject(
          members: object.members.filter { $0.key != "field_type" }.map { ($0.key, withoutTypes($0.value)) }))
    default: return json
    }
  }

  /// An update of an action's fields to the values that they have; nil without an action.
  private static func update(_ sample: Sample) -> JSONValue? {
    guard let configured = sample.feature.configuredSteps(.actions).first else { return nil }
    let step = configured.step
    let fields = values(of: configured).map { ["id": .string($0.id), "value": $0.value] as JSONValue }
    return [
      "services": [
        [
          "service_id": .string(step.service.slug),
          "actions": [["id": .string(step.slug), "user_actions": [["fields": .array(fields)]]]],
        ]
      ]
    ]
  }

  /// The values of a step's fields, with options as requests name them.
  private static func values(of step: SandboxFixtures.ConfiguredStep) -> [(id: String, value: JSONValue)] {
    zip(step.step.fields, step.configured.values).compactMap { field, value in
      value.map { value in
        if case .option(let option, _, _) = value { return (field.id, .string(option)) }
        return (field.id, value.json)
      }
    }
  }
}
