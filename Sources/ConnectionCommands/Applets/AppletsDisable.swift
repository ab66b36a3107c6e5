import CommandLine
import IFTTT
import Session

enum AppletsDisable: Command {
  typealias Options = AppletChange.Options

  static let name = "disable"
  static let summary = "Disable Applets"
  static var discussion: [String] {
    [
      """
      Disables Applets for one user. It needs the user's token, or the service key with --user-id. If an Applet is \
      already disabled or was never enabled, nothing is sent unless --force is given.
      """
    ]
  }
  static var flags: [Flag<Options>] { Options.flags }
  static var positionals: [Positional<Options>] { Options.positionals("The Applets to disable") }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema(
        "applets disable mB3xWq7T --service lampost --json", "disable an Applet, and print the change as JSON")
    ]
  }
  static var shape: OutputSchema? { AppletChange.shape }
  static func defaults() -> Options { Options() }
  static func check(_ options: Options) throws(Conflict) { try options.check() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try AppletChange(status: .disabled, options: options, session: session).run()
  }
}
