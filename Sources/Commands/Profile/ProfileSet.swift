import CommandLine
import Session
import Store

enum ProfileSet: Command {
  struct Options: CommandOptions {
    var name = Required<ProfileName>()
    var settings = ProfileOptions()
  }

  static let name = "set"
  static let summary = "Change a profile's settings and credentials"
  static var discussion: [String] {
    [
      """
      Stores the given settings and credentials, and keeps all others. An empty value removes a setting: --user-id ''. \
      Credentials are read from files, stdin or the terminal, and stored encrypted.
      """
    ]
  }
  static var flags: [Flag<Options>] { .lifted(ProfileOptions.flags, into: \.settings) }
  static var positionals: [Positional<Options>] {
    [.required(.profileName, into: \.name, help: "The profile's name")]
  }
  static var examples: [ExampleSchema] {
    [ExampleSchema("profile set staging --user-id u-5521", "set the user of a profile")]
  }
  static var shape: OutputSchema? { .one(ProfileRow.self) }

  static func check(_ options: Options) throws(Conflict) {
    guard options.settings.saysAnything else {
      throw Conflict("pass a setting to change", options: ["service"], isMissingArgument: true)
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let name = options.name.value
    let isKnown = try name.isBuiltIn || session.store.profile(name.description) != nil
    guard isKnown else { throw session.storage.noProfile(name) }
    return try options.settings.save(name, verb: "change", in: session)
  }
}
