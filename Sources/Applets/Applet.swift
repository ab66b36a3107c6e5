package import API
package import JSON
import Time

/// An Applet as IFTTT describes it (reference: applets-api-v1.md, section 3); nothing but the id is required.
package struct Applet: Sendable, Equatable {
  package typealias Status = UserStatus

  package var id: AppletID
  /// Falls back to the id.
  package var name: String
  package var details: String?
  package var status: Status
  /// `user_status` as received.
  package var statusOnWire: String?
  /// With an offset, as received.
  package var publishedAt: String?
  package var lastRunAt: String?
  package var enabledCount: Int?
  package var url: String?
  /// Where its activation in a browser begins; optional, as newer answers have another one or none (C26).
  package var embeddedURL: String?
  package var services: [Service]
  /// What could not be used and was left out.
  package var dropped: SkippedElements

  /// The service that owns it: the last that says so, as in IFTTT's own v1 SDK.
  package var primaryService: Service? { services.last(where: \.isPrimary) }

  /// Nil without a usable id.
  package init?(reading object: JSONObject) {
    guard let id = object.identifier("id").flatMap(AppletID.init(parsing:)) else { return nil }
    var dropped = SkippedElements()
    self.id = id
    name = object.text("name") ?? id.description
    details = object.text("description")
    statusOnWire = object.text("user_status")
    status = Status(onWire: statusOnWire)
    publishedAt = object.text("published_at")
    lastRunAt = object.text("last_run_at")
    enabledCount = object.integer("enabled_count")
    url = object.text("url")
    embeddedURL = object.text("embedded_url")
    services = object.members("services", dropped: &dropped) { service, _ in Service(reading: service) }
    self.dropped = dropped
  }
}

extension Applet {
  /// Our JSON for it (the keys and their order are the command line's contract), compact, from `{"id":` to `services`,
  /// without the closing brace: `fetched_at` and `stale` follow when it is shown.
  ///
  /// Times are turned to UTC; one that cannot be read stands as received.
  package func document() -> [UInt8] {
    var writer = JSONWriter(reserving: 2048)
    func time(_ key: String, _ text: String?) {
      writer.member(key, text.map { Timestamp(parsing: $0)?.rfc3339 ?? $0 })
    }
    writer.beginObject()
    writer.member("id", id.description)
    writer.member("name", name)
    writer.member("description", details)
    writer.member("status", status.rawValue)
    time("published_at", publishedAt)
    writer.member("enabled_count", enabledCount)
    time("last_run_at", lastRunAt)
    writer.member("url", url)
    writer.member("embedded_url", embeddedURL)
    writer.member("primary_service", primaryService?.id)
    writer.members("services", services) { $0.write(to: &$1) }
    return writer.bytes
  }
}
