package import JSON

/// A service that takes part in a connection or an Applet (docs/api/connect.md §8.2).
///
/// The legacy step configuration that v2 sends inside a service is ignored: features contain the same steps.
package struct Service: Sendable, Equatable {
  /// The slug.
  package var id: String
  package var name: String
  package var shortName: String
  /// Whether it owns the connection.
  package var isPrimary: Bool
  package var monochromeIconURL: String?
  package var colorIconURL: String?
  /// As received, usually `#rrggbb`.
  package var brandColor: String?
  package var url: String?

  /// Nil without a slug. The name defaults to the slug. The short name, which v1 and responses from 2018 lack,
  /// defaults to the name.
  package init?(reading object: JSONObject) {
    guard let id = object.identifier("service_id") else { return nil }
    self.id = id
    name = object.text("service_name") ?? id
    shortName = object.text("service_short_name") ?? name
    isPrimary = object.flag("is_primary") ?? false
    monochromeIconURL = object.text("monochrome_icon_url")
    colorIconURL = object.text("color_icon_url")
    brandColor = object.text("brand_color")
    url = object.text("url")
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", id)
    writer.member("name", name)
    writer.member("short_name", shortName)
    writer.member("is_primary", isPrimary)
    writer.member("brand_color", brandColor)
    writer.member("icon_url", colorIconURL ?? monochromeIconURL)
    writer.member("url", url)
    writer.endObject()
  }
}

/// Whether a connection or an Applet is enabled for the current user.
package enum UserStatus: String, Sendable, CaseIterable {
  case enabled, disabled
  /// Deleted by the user, or never enabled.
  case neverEnabled = "never_enabled"
  /// The request had no user, or IFTTT sent an unknown status.
  case unknown

  /// - Parameter wire: `user_status` as received. Both null and a missing key mean that the request names no user.
  package init(onWire wire: String?) { self = wire.flatMap(UserStatus.init(rawValue:)) ?? .unknown }
}

/// A request that changes the status. The raw value is the last segment of its path.
package enum StatusSwitch: String, Sendable { case enable, disable }

/// The JSON Schema of a service as connections and Applets print it, for use in their `$defs`.
package enum ServiceSchema {
  package static let definition = """
    {
          "type": "object",
          "properties": {
            "id": { "type": "string", "minLength": 1 },
            "name": { "type": "string" },
            "short_name": { "type": "string" },
            "is_primary": { "type": "boolean" },
            "brand_color": { "type": ["string", "null"] },
            "icon_url": { "type": ["string", "null"] },
            "url": { "type": ["string", "null"] }
          },
          "required": ["id", "name", "short_name", "is_primary", "brand_color", "icon_url", "url"],
          "additionalProperties": false
        }
    """
}
