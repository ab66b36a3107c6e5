import Arguments
import Connect

enum ConnectionsDisable: Command {
  typealias Options = ConnectionChange.Options

  static let name = "disable"
  static let summary = "Turn connections off"
  static var discussion: [String] {
    [
      """
      Switches connections off for the user whose token is given. 'connections enable' turns them on again. What is not \
      enabled stays as it is, and nothing is sent, unless --force is given.
      """
    ]
  }
  static var flags: [Flag<Options>] { Options.flags }
  static var positionals: [Positional<Options>] { Options.positionals("The connections to turn off") }
  static var examples: [ExampleSchema] {
    [ExampleSchema("connections disable Kd7Rn2Qx --dry-run", "the request that would be sent")]
  }
  static var shape: Shape? { .changes }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try ConnectionChange(.disable, options, in: session).run()
  }
}
