import Arguments
import Batch
import CommandContext
import Connect

enum ConnectionsEnable: Command {
  typealias Options = EnableDisable.Options

  static let name = "enable"
  static let summary = "Turn connections on again"
  static var discussion: [String] {
    [
      """
      Turns on again what its user switched off, without a browser. It needs the user's token. A connection that was never \
      enabled is refused: the first time a user switches it on in a browser. So is one that was turned off before it was \
      configured, which IFTTT does not turn on again: 'connections activate ID --no-skip-config' does.
      """,
      "What is enabled already stays as it is, and nothing is sent, unless --force is given.",
      EnableDisable.discussion,
    ]
  }
  static var flags: [Flag<Options>] { Options.flags }
  static var positionals: [Positional<Options>] { Options.positionals("The connections to turn on") }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections enable Kd7Rn2Qx --json", "what changed, as JSON"),
      ExampleSchema("connections enable --status disabled --report junit=enabled.xml", "all that are off, for CI"),
    ]
  }
  static var shape: OutputSchema? { .many(ChangeRow<ConnectionID>.self) }
  static func defaults() -> Options { Options() }
  static func check(_ options: Options) throws(Conflict) { try options.check() }

  static func resolve(_ options: inout Options, in session: Session) throws {
    if options.provider == nil { try session.resolve(&options.selection.ids, as: options.credentials) }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    var change = EnableDisable(.enable, options, in: session)
    return try change.run()
  }
}
