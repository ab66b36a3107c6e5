import CommandLine
import IFTTT
import Session

enum ConnectionsRun: Command {
  typealias Options = StepOptions

  static let name = "run"
  static let summary = "Run an action of a connection"
  static let group: String? = "Steps"
  static var discussion: [String] {
    [
      """
      Runs the action once for the user, with the stored values of its fields or those given with --field. An action \
      is not idempotent, so a request is retried only if it cannot have reached IFTTT. A connection that is pending, \
      is disabled or was never enabled is rejected before anything is sent.
      """,
      ConfigurationHelp.credentials,
    ]
  }
  static var flags: [Flag<Options>] { [Options.fieldFlag] + Options.flags }
  static var positionals: [Positional<Options>] { Options.positionals(.action, "SERVICE.ACTION") }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections run Kd7Rn2Qx tidebook.add_entry", "run an action with the stored values"),
      ExampleSchema(
        "connections run Kd7Rn2Qx add_entry -f calendar=Garden --dry-run", "show the request without sending it"),
    ]
  }
  static var shape: OutputSchema? { .one(AcceptedRow.self) }
  static func defaults() -> Options { Options() }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.id.value, as: options.credentials)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try PreparedStep(.run, options, in: session).output()
  }
}
