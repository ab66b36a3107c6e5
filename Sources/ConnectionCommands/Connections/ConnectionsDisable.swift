import CommandLine
import IFTTT
import Session

enum ConnectionsDisable: Command {
  typealias Options = EnableDisable.Options

  static let name = "disable"
  static let summary = "Disable connections"
  static var discussion: [String] {
    [
      """
      Disables connections for the user of the given token; 'connections enable' enables them again. A pending \
      connection cannot be enabled again, only activated, so the command prompts before it disables one. If a \
      connection is not enabled, nothing is sent unless --force is given.
      """,
      EnableDisable.discussion,
    ]
  }
  static var flags: [Flag<Options>] { Options.flags }
  static var positionals: [Positional<Options>] { Options.positionals("The connections to disable") }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections disable Kd7Rn2Qx --dry-run", "show the request without sending it"),
      ExampleSchema("connections disable --stdin -o jsonl", "read ids from a pipe, and print one line per result"),
      ExampleSchema("connections disable --all --yes", "disable all tracked connections without confirmation"),
    ]
  }
  static var shape: OutputSchema? { EnableDisable.shape }
  static func defaults() -> Options { Options() }
  static func check(_ options: Options) throws(Conflict) { try options.check() }

  static func resolve(_ options: inout Options, in session: Session) throws {
    if options.provider == nil { try session.resolve(&options.selection.ids, as: options.credentials) }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try EnableDisable(.disabled, options, in: session).run()
  }
}
