import CommandLine
import Session
import Store
import Text

enum ProfileRemove: Command {
  struct Options: Sendable {
    var name = Required<ProfileName>()
  }

  static let name = "remove"
  static let summary = "Remove a profile with its credentials and tracked connections"
  static var discussion: [String] {
    [
      """
      The profiles 'default' and 'sandbox' always exist. Removing 'default' removes its stored data. Removing 'sandbox' \
      resets it, as 'ifttt --profile sandbox sandbox reset' does.
      """
    ]
  }
  static var positionals: [Positional<Options>] {
    [.required(.profileName, into: \.name, help: "Profile to remove")]
  }
  static var shape: OutputSchema? { .one(ChangedItem.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let name = options.name.value
    if name.isSandbox { return try removeSandbox(in: session) }
    guard try session.store.profile(name.description) != nil else {
      throw name == .standard ? nothingStored(for: name) : session.storage.noProfile(name)
    }
    let target = name == .standard ? "the stored data of profile '\(name)'" : "profile '\(name)'"
    if session.options.isDryRun { return session.dryRun(change: "Would remove \(target).") }
    let waiting = try session.store.locationEventCounts(profile: name.description).all
    var contents = "its credentials and tracked connections"
    if waiting > 0 {
      contents += ", and \(waiting == 1 ? "1 unsent location event" : "\(waiting) unsent location events")"
    }
    try session.console.confirm(
      name == .standard ? "Remove \(target): \(contents)?" : "Remove \(target) with \(contents)?")
    _ = try session.store.removeProfile(name.description)
    session.console.note("Removed \(target).")
    return .changed(ChangedItem(name.description), in: session)
  }

  private static func nothingStored(for name: ProfileName) -> Problem {
    Problem(
      .notFound, "nothing is stored for profile '\(name)'", reason: "the profile is built in and always exists",
      hint: "To list the profiles, run: \(ifttt: "profile list")")
  }

  private static func removeSandbox(in session: Session) throws -> Output {
    let contents = "its credentials and tracked connections, and the emulator's state"
    if session.options.isDryRun {
      return session.dryRun(change: "Would reset profile 'sandbox' with \(contents); the profile itself always exists.")
    }
    try session.console.confirm("Reset profile 'sandbox' with \(contents)?")
    try session.storage.resetSandboxProfile()
    session.console.note("Reset profile 'sandbox'. The profile itself always exists.")
    return .changed(ChangedItem(ProfileName.sandbox.description), in: session)
  }
}
