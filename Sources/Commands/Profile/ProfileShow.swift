import CommandLine
import Session
import Store

enum ProfileShow: Command {
  struct Options: Sendable {
    var name: ProfileName?
  }

  static let name = "show"
  static let summary = "Show a profile's settings and the kinds of its stored credentials"
  static var positionals: [Positional<Options>] {
    [.optional(.profileName, into: \.name, help: "Profile to show; default: the profile in use")]
  }
  static var shape: OutputSchema? { .one(ProfileRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    guard let name = options.name else { return .one(try session.profileRow(session.profile)) }
    let kept = try session.store.profile(name.description)
    guard kept != nil || name == .standard || name.isSandbox else { throw session.storage.noProfile(name) }
    return .one(try session.profileRow(kept ?? Profile(name: name.description)))
  }
}
