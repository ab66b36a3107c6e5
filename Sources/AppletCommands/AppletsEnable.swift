import Applets
import Arguments
import Batch
import CommandContext

enum AppletsEnable: Command {
  typealias Options = AppletChange.Options

  static let name = "enable"
  static let summary = "Turn Applets on again"
  static var discussion: [String] {
    [
      """
      Turns on again what its user switched off, without a browser. It needs the user's token, or the service key with \
      --user-id. The status is asked for first, which IFTTT tells of a user only: an Applet that was never enabled, or \
      whose status is not told, is refused.
      """,
      "What is enabled already stays as it is, and nothing is sent, unless --force is given.",
    ]
  }
  static var flags: [Flag<Options>] { Options.flags }
  static var positionals: [Positional<Options>] { Options.positionals("The Applets to turn on") }
  static var examples: [ExampleSchema] {
    [ExampleSchema("applets enable vL2sJy9D --service lampost --json", "what changed, as JSON")]
  }
  static var shape: OutputSchema? { .many(ChangeRow<AppletID>.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try AppletChange(change: .enable, options: options, session: session).run()
  }
}
