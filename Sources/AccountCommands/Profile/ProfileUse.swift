import Arguments
import CommandContext
import Hints
import Store

enum ProfileUse: Command {
  struct Options: Sendable {
    var name = Required<ProfileName>()
  }

  static let name = "use"
  static let summary = "Use a profile from now on where no other is named"
  static var positionals: [Positional<Options>] {
    [.required(.profileName, into: \.name, help: "The profile")]
  }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let name = options.name.value
    let isKnown = try name == .standard || name.isSandbox || session.store.profile(name.description) != nil
    guard isKnown else { throw session.noProfile(name) }
    if session.options.isDryRun { return session.dryRun(change: "Would use profile '\(name)' from now on.") }
    try session.store.useProfile(name.description)
    session.note("Profile '\(name)' is used from now on.")
    return .nothing
  }
}
