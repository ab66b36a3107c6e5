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

  static var discussion: [String] {
    [
      """
      The profiles 'default' and 'sandbox' always exist: removing one removes what is stored for it. The connections inside \
      the sandbox stay as they are; 'ifttt --profile sandbox sandbox reset' resets them.
      """
    ]
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let name = options.name.value
    let isPermanent = name == .standard || name.isSandbox
    guard try session.store.profile(name.description) != nil else {
      throw isPermanent ? nothingStored(for: name) : Problem.noProfile(name)
    }
    let target = isPermanent ? "what is stored for profile '\(name)'" : "profile '\(name)'"
    if session.options.isDryRun { return session.dryRun(change: "Would remove \(target).") }
    let waiting = try session.store.locationEventCounts(profile: name.description).all
    var contents = "its credentials and tracked connections"
    if waiting > 0 {
      contents += ", and \(waiting == 1 ? "1 location event" : "\(waiting) location events") never sent"
    }
    try session.confirm(isPermanent ? "Remove \(target): \(contents)?" : "Remove \(target) with \(contents)?")
    _ = try session.store.removeProfile(name.description)
    session.note("Removed \(target).")
    if name.isSandbox { session.note("The sandbox itself stays. \(resetHint)") }
    return .nothing
  }

  private static let resetHint = "Reset its connections with 'ifttt --profile sandbox sandbox reset'."

  private static func nothingStored(for name: ProfileName) -> Problem {
    Problem(
      .notFound, "nothing is stored for profile '\(name)'", reason: "the profile itself is built in and stays",
      hint: name.isSandbox ? resetHint : "See 'ifttt profile list'.")
  }
}
