package import JSON

/// A service that takes part in a connection or an Applet (reference: connect-api.md, section 8.2).
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
