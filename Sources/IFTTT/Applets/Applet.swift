package import HTTP
package import JSON
package import Text
import World

/// An Applet as described by IFTTT (docs/api/applets.md §3). Only the id is required.
package struct Applet: Sendable, Equatable {
  package typealias Status = UserStatus

  package var id: AppletID
  /// Defaults to the id.
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
  /// The page on which its activation in a browser begins. Optional, because newer responses contain another page or
  /// none (docs/api/applets.md C26).
  package var embeddedURL: String?
  package var services: [Service]
  /// Elements that could not be used and were skipped.
  package var skipped: SkippedElements

  /// The service that owns it: the last service marked as primary, as in IFTTT's own v1 SDK.
  package var primaryService: Service? { services.last(where: \.isPrimary) }

  /// Nil without a usable id.
  package init?(reading object: JSONObject) {
    guard let id = object.identifier("id").flatMap(AppletID.init(parsing:)) else { return nil }
    var skipped = SkippedElements()
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
    services = object.members("services", skipped: &skipped) { service, _ in Service(reading: service) }
    self.skipped = skipped
  }
}

extension Applet {
  /// The Applet's JSON document, compact, from `{"id":` to `services`, without the closing brace: `fetched_at` and
  /// `stale` are added when it is shown. The keys and their order are the command line's contract.
  ///
  /// Times are converted to UTC. A time that cannot be parsed is kept as received.
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

package typealias AppletID = PathSegment<Applet>

/// The slug of the service that owns the Applets.
package typealias ServiceSlug = PathSegment<Service>

/// The JSON Schema (2020-12) of an Applet as printed by `applets fetch`, including `fetched_at` and `stale`.
package enum AppletSchema {
  package static let rows = RowSchema("applet", one: "An Applet", list: "Applets", definitions: definitions)

  private static let definitions = """
    {
        "applet": {
          "type": "object",
          "properties": {
            "id": { "type": "string", "minLength": 1 },
            "name": { "type": "string" },
            "description": { "type": ["string", "null"] },
            "status": { "enum": ["enabled", "disabled", "never_enabled", "unknown"] },
            "published_at": { "type": ["string", "null"] },
            "enabled_count": { "type": ["integer", "null"] },
            "last_run_at": { "type": ["string", "null"] },
            "url": { "type": ["string", "null"] },
            "embedded_url": { "type": ["string", "null"] },
            "primary_service": { "type": ["string", "null"] },
            "services": { "type": "array", "items": { "$ref": "#/$defs/service" } },
            "fetched_at": { "type": "string", "format": "date-time" },
            "stale": { "type": "boolean" }
          },
          "required": [
            "id", "name", "description", "status", "published_at", "enabled_count", "last_run_at", "url",
            "embedded_url", "primary_service", "services", "fetched_at", "stale"
          ],
          "additionalProperties": false
        },
        "service": \(ServiceSchema.definition)
      }
    """
}

/// The page on which an Applet is enabled for the first time (docs/api/applets.md §5).
package struct EmbeddedURL: Sendable {
  /// The host of IFTTT's pages in its responses, whichever host serves them.
  private static let standardHost = "ifttt.com"

  private let page: WebURL

  /// - Parameters:
  ///   - text: `embedded_url` as IFTTT sent it.
  ///   - base: the base URL of IFTTT's pages, where the page is opened. Differs in tests and in the sandbox.
  /// - Throws: ``WebURLError`` for a URL that cannot be opened, and for a page on another host.
  package init(_ text: String, below base: WebURL) throws(WebURLError) {
    let url = try WebURL(parsing: text, allowing: base.plainHosts)
    guard url.host == Self.standardHost || url.host == "www.\(Self.standardHost)" || url.origin == base.origin else {
      throw WebURLError("the host is not IFTTT's")
    }
    var page = url
    if url.origin != base.origin {
      let spelled = url.wire.dropFirst(url.origin.utf8.count)
      page = try WebURL(parsing: base.wire + spelled, allowing: base.plainHosts)
    }
    self.page = page
  }

  /// The page's URL with additional query items in a fixed order, after its own query items.
  /// - Parameter identity: the identity of this installation; nil while usage events are disabled.
  package func url(
    userID: String, returningTo address: String, email: String?, inviteCode: Secret?, identity: SDKIdentity?
  ) -> WebURL {
    let items = [
      QueryItem("user_id", userID), QueryItem("redirect_uri", address), email.map { QueryItem("email", $0) },
      inviteCode.map { QueryItem("invite_code", $0.revealed) },
    ]
    return page.with(items.compactMap(\.self) + (identity?.embeddedItems ?? []))
  }
}

extension SDKIdentity {
  /// The query items under the names that the older SDKs use in the page's URL.
  fileprivate var embeddedItems: [QueryItem] {
    [
      QueryItem("ifttt_sdk_version", version), QueryItem("ifttt_sdk_platform", Self.platform),
      QueryItem("ifttt_sdk_anonymous_id", anonymousID.revealed),
    ]
  }
}
