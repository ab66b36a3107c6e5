import CommandLine
package import Session

extension Node {
  package static var profiles: Node {
    .group(
      "profile", summary: "Manage profiles: named sets of credentials, base URLs and connections", heading: "Setup"
    ) {
      [
        .verb(ProfileList.self),
        .verb(ProfileCreate.self),
        .verb(ProfileUse.self),
        .verb(ProfileShow.self),
        .verb(ProfileRemove.self),
      ]
    }
  }
}
