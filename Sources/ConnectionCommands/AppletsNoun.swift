package import CommandLine
import IFTTT
package import Session

extension Node {
  package static var applets: Node {
    .group("applets", summary: "Fetch and change a service's Applets (API v1)", heading: "Connections") {
      [.verb(AppletsFetch.self), .verb(AppletsActivate.self), .verb(AppletsEnable.self), .verb(AppletsDisable.self)]
    }
  }
}

extension ValueKind<AppletID> {
  static var appletID: ValueKind {
    .parsed(
      "ID", completion: .dynamic("applet-id"),
      expected: "an Applet's id, without '/', '?', '#' and control characters"
    ) { AppletID(parsing: $0) }
  }
}
