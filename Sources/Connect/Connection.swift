package import API
package import JSON

/// A connection as IFTTT describes it (reference: connect-api.md, section 8), read leniently (section 10): nothing but
/// the id is required.
package struct Connection: Sendable, Equatable {
  package typealias Status = UserStatus

  package var id: ConnectionID
  /// Falls back to the id.
  package var name: String
  package var details: String?
  package var status: Status
  /// `user_status` as received: nil where no user was given, perhaps a word that ``status`` does not know.
  package var statusOnWire: String?
  package var url: String?
  /// How many users have it on.
  package var enabledCount: Int?
  package var services: [Service]
  package var features: [Feature]
  /// What the user has configured; nil unless IFTTT sent it, which it does while the connection is on.
  package var userConnection: UserConnection?
  /// By width in pixels, the narrowest first.
  package var coverImages: [CoverImage]
  package var valuePropositions: [ValueProposition]
  /// With an offset, as received.
  package var publishedAt: String?
  package var lastRunAt: String?
  package var embeddedURL: String?
  /// What could not be used and was left out.
  package var dropped: SkippedElements

  package struct CoverImage: Sendable, Equatable {
    package var width: Int
    package var url: String
  }

  /// What a connection is good for, in answers that had no features yet.
  package struct ValueProposition: Sendable, Equatable {
    package var text: String?
    package var iconURL: String?
  }

  /// The service that owns it: the first that says so.
  package var primaryService: Service? { services.first(where: \.isPrimary) }
}

extension Connection {
  /// Nil without a usable id.
  package init?(reading object: JSONObject) {
    guard let id = object.identifier("id").flatMap(ConnectionID.init(parsing:)) else { return nil }
    var dropped = SkippedElements()
    self.id = id
    name = object.text("name") ?? id.description
    details = object.text("description")
    statusOnWire = object.text("user_status")
    status = Status(onWire: statusOnWire)
    url = object.text("url")
    enabledCount = object.integer("enabled_count")
    services = object.members("services", dropped: &dropped) { service, _ in Service(reading: service) }
    features = object.members("features", dropped: &dropped) { Feature(reading: $0, dropped: &$1) }
    userConnection = object.object("user_connection").map { UserConnection(reading: $0, dropped: &dropped) }
    coverImages = CoverImage.all(in: object.object("cover_image") ?? JSONObject())
    valuePropositions = object.members("value_propositions", dropped: &dropped) { proposition, _ in
      ValueProposition(text: proposition.text("description"), iconURL: proposition.text("icon_url"))
    }
    publishedAt = object.text("published_at")
    lastRunAt = object.text("last_run_at")
    embeddedURL = object.text("embedded_url")
    self.dropped = dropped
  }
}

extension Connection.CoverImage {
  /// Every `480w_url` there is, of whatever width.
  fileprivate static func all(in object: JSONObject) -> [Self] {
    var urls: [Int: String] = [:]
    for (key, value) in object.members where key.hasSuffix("w_url") {
      guard let width = Int(key.dropLast("w_url".utf8.count)), width > 0 else { continue }
      urls[width] = value.string
    }
    return urls.sorted { $0.key < $1.key }.map { Self(width: $0.key, url: $0.value) }
  }
}
