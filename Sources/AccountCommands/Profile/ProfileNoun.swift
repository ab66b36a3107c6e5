import Arguments
package import CommandContext

extension Node {
  package static var profiles: Node {
    .group("profile", summary: "Keep sets of credentials, base URLs and connections under names", heading: "Set-up") {
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
