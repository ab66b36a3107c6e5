import CommandLine
import IFTTT
import Session

enum ConnectionsEnable: Command {
  typealias Options = EnableDisable.Options

  static let name = "enable"
  static let summary = "Enable connections"
  static var discussion: [String] {
    [
      """
      Enables disabled connections without a browser. It needs the user's token. A connection that was never enabled \
      is rejected: run 'connections activate ID' instead. A connection that was disabled before it was configured is \
      rejected too, because IFTTT does not enable it again: run 'connections activate ID --no-skip-config' instead.
      """,
      "If a connection is already enabled, nothing is sent unless --force is given.",
      EnableDisable.discussion,
    ]
  }
  static var flags: [Flag<Options>] { Options.flags }
  static var positionals: [Positional<Options>] { Options.positionals("The connections to enable") }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections enable Kd7Rn2Qx --json", "enable a connection, and print the change as JSON"),
      ExampleSchema(
        "connections enable --status disabled --report junit=enabled.xml",
        "enable all disabled connections, and write a JUnit report"),
    ]
  }
  static var shape: OutputSchema? { EnableDisable.shape }
  static func defaults() -> Options { Options() }
  static func check(_ options: Options) throws(Conflict) { try options.check() }

  static func resolve(_ options: inout Options, in session: Session) throws {
    if options.provider == nil { try session.resolve(&options.selection.ids, as: options.credentials) }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try EnableDisable(.enabled, options, in: session).run()
  }
}
