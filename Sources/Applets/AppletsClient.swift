package import API
package import HTTP
package import JSON
package import Secrets

/// The older Applets API v1 (reference: applets-api-v1.md), one method a call.
package struct AppletsClient {
  package enum Order: String, Sendable, CaseIterable {
    case publishedAscending = "published_at_asc"
    case publishedDescending = "published_at_desc"
    case enabledAscending = "enabled_count_asc"
    case enabledDescending = "enabled_count_desc"
  }
  package enum Platform: String, Sendable, CaseIterable { case ios, android }

  /// - Parameter service: the slug of the service that owns the Applets.
  package init(caller: Caller, service: ServiceSlug) {}

  /// GET /v1/services/{slug}/applets
  package func list(order: Order?, platform: Platform?) throws(APIFailure) -> AppletList { throw APIFailure.http(.interrupted) }
  /// GET /v1/services/{slug}/applets/{id}, many at once, each as it becomes known.
  package func show(
    _ ids: [AppletID], each: (AppletID, Result<AppletAnswer, APIFailure>) throws -> Void
  ) throws {}
}

package struct ServiceSlug: Sendable, Hashable, CustomStringConvertible {
  package let description: String
  package init?(parsing text: String) { return nil }
}

package struct AppletID: Sendable, Hashable, CustomStringConvertible {
  package let description: String
  package init?(parsing text: String) { return nil }
}

/// The Applets that could be read, in the order received, and how many could not.
package struct AppletList: Sendable {
  package let applets: [Applet]
  package let dropped: Int
  package let raw: [UInt8]
}

package struct AppletAnswer: Sendable {
  package let applet: Applet
  package let raw: [UInt8]
}

/// An Applet as IFTTT describes it; nothing but the id is required.
package struct Applet: Sendable, Equatable {
  package var id: String
}

extension Applet {
  /// Writes our JSON for it, compact, from `id` to `services`, without the closing brace: `fetched_at` and `stale` follow when
  /// it is shown.
  package func document() -> [UInt8] { [] }
}
