import CommandLine
import IFTTT
import Session
import Store
import Text

enum ProfileCreate: Command {
  struct Options: CommandOptions {
    var name = Required<ProfileName>()
    var settings = ProfileOptions()
  }

  static let name = "create"
  static let summary = "Create a profile"
  static var discussion: [String] {
    [
      """
      A profile stores a service key, a user token, a webhooks key, the service, the user and base URLs under a name. \
      Later commands then need only --profile NAME. Credentials are read from files, stdin or the terminal, \
      and stored encrypted. Change the profile with 'profile set'.
      """
    ]
  }
  static var flags: [Flag<Options>] { .lifted(ProfileOptions.flags, into: \.settings) }
  static var positionals: [Positional<Options>] {
    [.required(.profileName.completed(by: .none), into: \.name, help: "The profile's name")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema(
        "profile create staging --service-key-file key.txt --use",
        "store a service key, and make the profile the default")
    ]
  }
  static var shape: OutputSchema? { .one(ProfileRow.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let name = options.name.value
    guard try session.store.profile(name.description) == nil else {
      throw Problem(
        .conflict, "profile '\(name)' already exists",
        hint:
          "Change a setting with \(ifttt: "profile set \(name.description) --service SLUG"), or choose another name.")
    }
    return try options.settings.save(name, verb: "create", in: session)
  }
}
