import CommandLine
import Sandbox
import Session
import Text

enum SandboxActivity: LogCommand {
  static let view = LogView.activity
  static let emptyNote: Hint = "No matching steps. All steps but events require 'sandbox start --service-url'."
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
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("sandbox activity --last 20 --json", "list the last steps as JSON"),
      ExampleSchema("sandbox activity --step failed --json", "list the failures"),
    ]
  }
}
