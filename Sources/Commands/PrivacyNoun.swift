import CommandLine
package import Session

extension Node {
  package static var privacy: Node {
    .group("privacy", summary: "Show or change whether usage events are sent to IFTTT", heading: "Setup") {
      [.verb(PrivacyShow.self), .verb(PrivacyOn.self), .verb(PrivacyOff.self), .verb(PrivacyReset.self)]
    }
  }
}
