/// The slug of the service that owns the Applets.
package struct ServiceSlug: Sendable, Hashable, CustomStringConvertible {
  package let description: String

  package init?(parsing text: String) {
    guard let segment = PathSegment(parsing: text) else { return nil }
    description = segment.text
  }
}

/// An Applet's id: not empty, without characters that could change a URL's meaning (`/ ? #`, controls, `.`, `..`).
package struct AppletID: Sendable, Hashable, CustomStringConvertible {
  package let description: String

  package init?(parsing text: String) {
    guard let segment = PathSegment(parsing: text) else { return nil }
    description = segment.text
  }
}
