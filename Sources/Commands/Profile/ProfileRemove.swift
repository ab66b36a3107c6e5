import Arguments
import Store

enum ProfileRemove: Command {
  struct Options: Sendable {
    var name = Required<ProfileName>()
  }

  static let name = "remove"
  static let summary = "Remove a profile with its credentials and tracked connections"
  static var positionals: [Positional<Options>] {
    [.required(.profileName, into: \.name, help: "The profile")]
  }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let name = options.name.value
    guard try session.store.profile(name.description) != nil else { throw session.noProfile(name) }
    if session.options.isDryRun { return session.dryRun(change: "Would remove profile '\(name)'.") }
    let waiting = try session.store.locationEventCounts(profile: name.description).all
    var contents = "its credentials and tracked connections"
    if waiting > 0 {
      contents += ", and \(waiting == 1 ? "1 location event" : "\(waiting) location events") never sent"
    }
    try session.confirm("Remove profile '\(name)' with \(contents)?")
    _ = try session.store.removeProfile(name.description)
    session.note("Removed profile '\(name)'.")
    return .nothing
  }
}
