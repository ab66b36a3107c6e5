import Arguments
import Batch
import CommandContext
import Connect

enum ConnectionsDisable: Command {
  typealias Options = EnableDisable.Options

  static let name = "disable"
  static let summary = "Turn connections off"
  static var discussion: [String] {
    [
      """
      Switches connections off for the user whose token is given. 'connections enable' turns them on again, but for one \
      that is pending: that has to be activated anew, so it asks first. What is not enabled stays as it is, and nothing is \
      sent, unless --force is given.
      """,
      EnableDisable.discussion,
    ]
  }
  static var flags: [Flag<Options>] { Options.flags }
  static var positionals: [Positional<Options>] { Options.positionals("The connections to turn off") }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections disable Kd7Rn2Qx --dry-run", "the request that would be sent"),
      ExampleSchema("connections disable --stdin -o jsonl", "those that a pipe names, a line each as it is done"),
      ExampleSchema("connections disable --all --yes", "everything that is tracked, without being asked"),
    ]
  }
  static var shape: OutputSchema? { .many(ChangeRow<ConnectionID>.self) }
  static func defaults() -> Options { Options() }
  static func check(_ options: Options) throws(Conflict) { try options.check() }

  static func resolve(_ options: inout Options, in session: Session) throws {
    if options.provider == nil { try session.resolve(&options.selection.ids, as: options.credentials) }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    var change = EnableDisable(.disable, options, in: session)
    return try change.run()
  }
}
