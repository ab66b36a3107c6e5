package import JSON
import Text

/// A connection as described by IFTTT, parsed leniently (docs/api/connect.md §8 and §10): only the id is required.
package struct Connection: Sendable, Equatable {
  package typealias Status = UserStatus

  package var id: ConnectionID
  /// Defaults to the id.
  package var name: String
  package var details: String?
  package var status: Status
  /// `user_status` as received; nil if the request had no user. ``status`` is `unknown` for a value outside its list.
  package var statusOnWire: String?
  package var url: String?
  /// The number of users who have it enabled.
  package var enabledCount: Int?
  package var services: [Service]
  package var features: [Feature]
  /// The user's configuration. Nil unless IFTTT sent it, which it does while the connection is enabled.
  package var userConnection: UserConnection?
  /// By width in pixels, the narrowest first.
  package var coverImages: [CoverImage]
  package var valuePropositions: [ValueProposition]
  /// With an offset, as received.
  package var publishedAt: String?
  package var lastRunAt: String?
  package var embeddedURL: String?
  /// Elements that could not be used and were skipped.
  package var skipped: SkippedElements

  package struct CoverImage: Sendable, Equatable {
    package var width: Int
    package var url: String
  }

  /// A benefit of a connection, in old responses without features.
  package struct ValueProposition: Sendable, Equatable {
    package var text: String?
    package var iconURL: String?
  }

  /// The service that owns it: the first service marked as primary.
  package var primaryService: Service? { services.first(where: \.isPrimary) }
}

package typealias ConnectionID = PathSegment<Connection>

extension Connection {
  /// Nil without a usable id.
  package init?(reading object: JSONObject) {
    guard let id = object.identifier("id").flatMap(ConnectionID.init(parsing:)) else { return nil }
    var skipped = SkippedElements()
    self.id = id
    name = object.text("name") ?? id.description
    details = object.text("description")
    statusOnWire = object.text("user_status")
    status = Status(onWire: statusOnWire)
    url = object.text("url")
    enabledCount = object.integer("enabled_count")
    services = object.members("services", skipped: &skipped) { service, _ in Service(reading: service) }
    features = object.members("features", skipped: &skipped) { Feature(reading: $0, skipped: &$1) }
    userConnection = object.object("user_connection").map { UserConnection(reading: $0, skipped: &skipped) }
    coverImages = CoverImage.all(in: object.object("cover_image") ?? JSONObject())
    valuePropositions = object.members("value_propositions", skipped: &skipped) { proposition, _ in
      ValueProposition(text: proposition.text("description"), iconURL: proposition.text("icon_url"))
    }
    publishedAt = object.text("published_at")
    lastRunAt = object.text("last_run_at")
    embeddedURL = object.text("embedded_url")
    self.skipped = skipped
  }
}

extension Connection.CoverImage {
  /// All images with keys such as `480w_url`, for any width.
  fileprivate static func all(in object: JSONObject) -> [Self] {
    var urls: [Int: String] = [:]
    for (key, value) in object.members where key.hasSuffix("w_url") {
      guard let width = Int(key.dropLast("w_url".utf8.count)), width > 0 else { continue }
      urls[width] = value.string
    }
    return urls.inOrder.map { Self(width: $0.key, url: $0.value) }
  }
}

extension Connection {
  /// The connection's JSON document, compact, from `{"id":` to `cover_images`, without the closing brace: `tracked`,
  /// `stale` and `fetched_at` are known only when it is shown. The keys and their order are the command line's
  /// contract.
  /// - Parameter pending: whether the connection was activated with its configuration screen skipped, which IFTTT does
  ///   not report (docs/api/connect.md U4).
  package func document(pending: Bool) -> [UInt8] { document(pending: pending, text) }

  /// - Parameter text: the connection's own ``text``.
  func document(pending: Bool, _ text: ConnectionText) -> [UInt8] {
    var writer = JSONWriter(reserving: 4096)
    writer.beginObject()
    writer.member("id", id.description)
    writer.member("name", name)
    writer.member("description", details)
    writer.member("status", status.rawValue)
    writer.member("pending", pending)
    writer.member("provider", "connect")
    writer.member("url", url)
    writer.member("enabled_count", enabledCount)
    writer.member("primary_service", primaryService?.id)
    writer.key("services")
    writer.raw(text.services)
    writer.key("features")
    writer.raw(text.features)
    writer.key("configuration")
    if let userConnection { userConnection.write(to: &writer) } else { writer.null() }
    writer.key("cover_images")
    write(coverImages, to: &writer)
    return writer.bytes
  }

  /// The parts that do not depend on the user, and are most of a document.
  var text: ConnectionText {
    func array<Element>(_ elements: [Element], write: (Element, inout JSONWriter) -> Void) -> [UInt8] {
      var writer = JSONWriter(reserving: 256 * elements.count)
      writer.beginArray()
      for element in elements { write(element, &writer) }
      writer.endArray()
      return writer.bytes
    }
    return ConnectionText(
      services: array(services) { $0.write(to: &$1) }, features: array(features) { $0.write(to: &$1) })
  }

  private func write(_ images: [CoverImage], to writer: inout JSONWriter) {
    guard !images.isEmpty else { return writer.null() }
    writer.beginObject()
    for image in images { writer.member(String(image.width), image.url) }
    writer.endObject()
  }
}

/// The services and the features of a connection as JSON arrays, as its document shows them.
struct ConnectionText {
  let services: [UInt8]
  let features: [UInt8]
}

extension Feature {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", id)
    writer.member("title", title)
    writer.member("description", details)
    writer.member("icon_url", iconURL)
    writer.members("fields", fields) { $0.write(to: &$1) }
    writer.members("triggers", triggers) { $0.write(to: &$1) }
    writer.members("queries", queries) { $0.write(to: &$1) }
    writer.members("actions", actions) { $0.write(to: &$1) }
    writer.endObject()
  }
}

extension Step {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", id)
    writer.member("step", prefixedID)
    writer.member("label", label)
    writer.members("fields", fields) { $0.write(to: &$1) }
    writer.endObject()
  }
}

extension Field {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", id)
    writer.member("label", label)
    writer.member("type", type)
    writer.member("required", isRequired)
    writer.member("hidden", isHidden)
    writer.key("default_value")
    writer.fieldValue(defaultValue)
    writer.endObject()
  }
}
