import CommandLine
import IFTTT
import Session

enum ConnectionsTest: Command {
  typealias Options = StepOptions

  static let name = "test"
  static let summary = "Test a trigger of a connection"
  static let group: String? = "Steps"
  static var discussion: [String] {
    [
      """
      Makes IFTTT send your service the webhook that it sends when the trigger fires. The trigger itself does not run: \
      IFTTT has no endpoint for that.
      """,
      ConfigurationHelp.credentials,
    ]
  }
  static var flags: [Flag<Options>] { Options.flags }
  static var positionals: [Positional<Options>] { Options.positionals(.trigger, "SERVICE.TRIGGER") }
  static var examples: [ExampleSchema] {
    [ExampleSchema("connections test Kd7Rn2Qx location.exit_region_location", "simulate that the user left the area")]
  }
  static var shape: OutputSchema? { .one(AcceptedRow.self) }
  static func defaults() -> Options { Options() }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.id.value, as: options.credentials)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try PreparedStep(.test, options, in: session).output()
  }
}
