import Arguments
package import CommandContext

extension Node {
  package static var privacy: Node {
    .group("privacy", summary: "Show and choose whether usage events are sent to IFTTT", heading: "Set-up") {
      [.verb(PrivacyShow.self), .verb(PrivacyOn.self), .verb(PrivacyOff.self), .verb(PrivacyReset.self)]
    }
  }
}
