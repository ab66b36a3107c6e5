import CommandLine
import IFTTT
import Session

enum AppletsEnable: Command {
  typealias Options = AppletChange.Options

  static let name = "enable"
  static let summary = "Enable Applets"
  static var discussion: [String] {
    [
      """
      Enables disabled Applets without a browser. It needs the user's token, or the service key with --user-id, \
      because IFTTT returns the status only for a user. The status is fetched first: an Applet that was never enabled, \
      or whose status is unknown, is rejected.
      """,
      "If an Applet is already enabled, nothing is sent unless --force is given.",
    ]
  }
  static var flags: [Flag<Options>] { Options.flags }
  static var positionals: [Positional<Options>] { Options.positionals("The Applets to enable") }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema(
        "applets enable vL2sJy9D --service lampost --json", "enable an Applet, and print the change as JSON")
    ]
  }
  static var shape: OutputSchema? { AppletChange.shape }
  static func defaults() -> Options { Options() }
  static func check(_ options: Options) throws(Conflict) { try options.check() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try AppletChange(status: .enabled, options: options, session: session).run()
  }
}
