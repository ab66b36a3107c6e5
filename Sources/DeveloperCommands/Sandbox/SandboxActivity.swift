import CommandLine
import HTTP
import JSON
import Output
import Sandbox
import Session
import Text
import World

enum SandboxActivity: Command {
  struct Options: CommandOptions {
    var number: Int?
    var filter = LogFilter()
    var follows = false
    var server = ServerChoice()
  }

  static let name = "activity"
  static let summary = "Show what the sandbox did as IFTTT, and why"
  static var discussion: [String] {
    [
      """
      Lists each step that a sandbox server with --service-url takes for a connection: notifications, polls, new \
      events, queries, actions, webhooks, field options and validations. With N, shows one step whole: its cause and \
      its effects, its request and the server's response, with all credentials masked. Without --service-url, only \
      events are steps.
      """,
      """
      A scheduled poll without new events is listed only if it is the first one, or if its status differs from that of \
      the poll before it.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value("connection", .nonEmpty("ID"), into: \.filter.connection, help: "Only this connection"),
      .value("user", .nonEmpty("ID"), into: \.filter.user, help: "Only this user of the service"),
      .value(
        "step", .oneOf(ActivityRecord.Step.self, placeholder: "STEP"), into: \.filter.step,
        help: "Only this kind of step"
      ),
      .value(
        "status", .integer(in: 100...599, placeholder: "CODE"), into: \.filter.status,
        help: "Only steps with this response status"),
      .value("last", .integer(in: 1...EmulatorLog.limit), into: \.filter.last, help: "Only the last N steps"),
      .toggle(
        "follow", short: "f", into: \.follows,
        help: "Continue with new steps, as JSON Lines by default, until Ctrl-C"),
    ] + .lifted(ServerChoice.flags, into: \.server)
  }
  static var positionals: [Positional<Options>] { [ServerLog.number(into: \.number)] }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("sandbox activity --last 20 --json", "list the last steps as JSON"),
      ExampleSchema("sandbox activity --step failed --json", "list the failures"),
    ]
  }
  static var shape: OutputSchema? { ServerLog.shape(of: .activity) }
  static func isEndless(_ options: Options) -> Bool { options.follows }
  static func check(_ options: Options) throws(Conflict) {
    try ServerLog.check(options.number, options.filter, options.follows)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    if let number = options.number { session.noteRowCount(number, is: "entry", option: "last") }
    return try ServerLog(.activity, try ServerControl(options.server, in: session), in: session).output(
      options.number, options.filter, follows: options.follows,
      emptyNote: "No matching steps. All steps but events require 'sandbox start --service-url'.")
  }
}
