import JSON

/// A connection or an Applet of the fixtures with its JSON: a shared template, and a template for each seeded user of a
/// connection.
struct SeededConnection {
  let connection: SandboxFixtures.Connection
  private let shared: Template
  private let configured: [String: Template]

  init(_ connection: SandboxFixtures.Connection) {
    self.connection = connection
    shared = Template(head: connection.head, tail: connection.tail(for: nil))
    // An Applet has no configuration.
    configured =
      connection.isApplet
      ? [:] : connection.users.mapValues { Template(head: connection.head, tail: connection.tail(for: $0)) }
  }

  var id: String { connection.id }

  /// The user's initial status; nil if the seed has none.
  func seededStatus(of user: String) -> SandboxUserStatus? { connection.users[user]?.status }

  /// - Parameters:
  ///   - user: The id of the seeded user whose state the user of the request has. `user_connection` is included only if
  ///     `status` is enabled.
  ///   - changed: The user's configuration, if it differs from the seeded one.
  func json(
    for user: String?, status: SandboxUserStatus?, enabledCount: Int,
    changed: SandboxFixtures.UserConnection? = nil
  ) -> [UInt8] {
    var template = shared
    if status == .enabled, let user {
      template =
        changed.map { Template(head: connection.head, tail: connection.tail(for: $0)) } ?? configured[user] ?? shared
    }
    let lastRunAt = user.flatMap { connection.users[$0]?.lastRunAt }
    return template.filled(enabledCount: enabledCount, status: status, lastRunAt: lastRunAt)
  }
}

/// The base URL of the real API, for links in the JSON.
private let apiBase = "https://connect.ifttt.com/v2"

extension SandboxFixtures.Connection {
  fileprivate var base: String { "\(apiBase)/connections/\(id)" }

  fileprivate var head: JSONObject {
    if isApplet {
      return [
        "type": "applet", "id": .string(id), "name": .string(name), "description": .string(description),
        "published_at": .text(publishedAt?.text),
      ]
    }
    return [
      "type": "connection", "id": .string(id), "name": .string(name), "description": .string(description),
      "url": .string("https://ifttt.com/applets/\(id)"),
      "embedded_url": .string("https://ifttt.com/access/api/\(id)"),
    ]
  }

  fileprivate func tail(for user: SandboxFixtures.UserConnection?) -> JSONObject {
    if isApplet {
      let owner = services.first?.slug ?? ""
      return [
        "services": .array(services.map { .object($0.json(isPrimary: $0.slug == owner)) }),
        "url": .string("https://ifttt.com/applets/\(id)"),
        "embedded_url": .string("https://ifttt.com/embed/\(owner)/applets/\(id)"),
      ]
    }
    var tail: JSONObject = [
      "published_at": .text(publishedAt?.text),
      "services": .array(services.map { service($0, for: user) }),
      "cover_image": coverImage,
      "value_propositions": [],
      "features": .array(features.map { $0.json(within: base) }),
    ]
    if let user { tail["user_connection"] = user.json }
    return tail
  }

  private var coverImage: JSONValue {
    guard let cover else { return .null }
    let widths = [480, 720, 1080, 1440, 2160, 2880, 4320]
    return .object(JSONObject(members: widths.map { (key: "\($0)w_url", value: .string("\(cover)\($0).png")) }))
  }

  private func service(_ service: SandboxFixtures.Service, for user: SandboxFixtures.UserConnection?) -> JSONValue {
    var json = service.json(isPrimary: service.slug == services.first?.slug)
    json["service_short_name"] = .string(service.shortName)
    json["triggers"] = []
    json["queries"] = []
    json["actions"] = listsLegacyActions ? legacyActions(of: service, for: user) : []
    return .object(json)
  }

  /// The actions in the services' format from before features existed; hidden fields are omitted.
  private func legacyActions(
    of service: SandboxFixtures.Service, for user: SandboxFixtures.UserConnection?
  ) -> JSONValue {
    let steps = features.flatMap(\.actions).filter { $0.service.slug == service.slug }
    return .array(
      steps.map { step in
        let run = JSONValue.string("\(base)/actions/\(step.name)/run")
        var action: JSONObject = [
          "id": .string(step.slug), "label": .string(step.label),
          "field_options_url": .string("\(base)/actions/\(step.name)/field_options"), "run_url": run,
          "fields": .array(step.fields.filter { !$0.isHidden }.map(\.json)),
        ]
        if let user {
          let instances = user.features.flatMap { zip($0.feature.actions, $0.actions) }.filter { $0.0.id == step.id }
          action["user_actions"] = .array(
            instances.compactMap { step, configured in
              guard let configured else { return nil }
              let fields = zip(step.fields, configured.values).compactMap { field, value in
                field.isHidden ? nil : value.map(field.legacyJSON)
              }
              return ["run_url": run, "fields": .array(fields)]
            })
        }
        return .object(action)
      })
  }
}

extension SandboxFixtures.Service {
  /// The keys that both API versions have.
  func json(isPrimary: Bool) -> JSONObject {
    let icons = "https://assets.ifttt.com/images/channels/\(channel)/icons"
    return [
      "service_id": .string(slug), "service_name": .string(name), "is_primary": .bool(isPrimary),
      "monochrome_icon_url": .string("\(icons)/monochrome_regular.png"),
      "color_icon_url": .string("\(icons)/on_color_regular.png"),
      "brand_color": .string(color), "url": .string("https://ifttt.com/\(slug)"),
    ]
  }
}

extension JSONValue {
  static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}

/// A rendered connection or Applet with gaps for the three members that change, so that rendering one only copies
/// bytes.
struct Template {
  private let head: [UInt8]
  private let tail: [UInt8]

  /// - Parameters:
  ///   - head: The object's first members.
  ///   - tail: The object's last members, at least one.
  init(head: JSONObject, tail: JSONObject) {
    self.head = JSONValue.object(head).bytes.dropLast() + Array(#","enabled_count":"#.utf8)
    self.tail = [UInt8(ascii: ",")] + JSONValue.object(tail).bytes.dropFirst()
  }

  /// - Parameter status: The status, or nil without a user, which becomes null in the JSON.
  func filled(enabledCount: Int, status: SandboxUserStatus?, lastRunAt: OffsetTime?) -> [UInt8] {
    var bytes = head
    bytes.reserveCapacity(head.count + tail.count + 100)
    bytes += "\(enabledCount),\"user_status\":".utf8
    bytes += quoted(status?.rawValue)
    bytes += ",\"last_run_at\":".utf8
    bytes += quoted(lastRunAt?.text)
    bytes += tail
    return bytes
  }

  private func quoted(_ text: String?) -> [UInt8] {
    var writer = JSONWriter()
    writer.string(text)
    return writer.bytes
  }
}
