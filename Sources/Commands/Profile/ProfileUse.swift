import CommandLine
import Session
import Store
import Text

enum ProfileUse: Command {
  struct Options: Sendable {
    var name = Required<ProfileName>()
  }

  static let name = "use"
  static let summary = "Set the default profile"
  static var positionals: [Positional<Options>] {
    [.required(.profileName, into: \.name, help: "Profile to use by default")]
  }
  static var shape: OutputSchema? { .one(ChangedItem.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let name = options.name.value
    let isKnown = try name == .standard || name.isSandbox || session.store.profile(name.description) != nil
    guard isKnown else { throw session.storage.noProfile(name) }
    if session.options.isDryRun { return session.dryRun(change: "Would make '\(name)' the default profile.") }
    let before = try session.store.currentProfile() ?? ProfileName.standard.description
    try session.store.useProfile(name.description)
    session.console.note("The default profile is now '\(name)'.")
    return .changed(ChangedItem(name.description, changed: before != name.description), in: session)
  }
}
