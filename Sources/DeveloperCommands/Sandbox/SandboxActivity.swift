import CommandLine
import HTTP
import JSON
import Output
package import Sandbox
package import Session
import Text
import World

extension ActivityRecord.Step: OutputValue {}
extension ActivityRecord.Cause: OutputValue {}

extension ActivityRecord: OutputRecord {
  package static let fields: Fields = [
    Field(
      "number", "The number of the record, counted from the start", column: "N", style: .number, isInDataOnly: true
    ) { $0.number },
    Field("at", "The time", column: "AT", style: .timeOfDay, overflow: .keep) { $0.at },
    Field("step", "What happened", column: "STEP", overflow: .keep) { $0.step },
    Field("cause", "Why it happened", column: "CAUSE", overflow: .keep) { $0.cause },
    Field("connection_id", "The id of the connection, or null", column: "CONNECTION", overflow: .keep) {
      $0.connection
    },
    Field("user_id", "The user's id in the service; null if it is unknown", column: "USER", isInDataOnly: true) {
      $0.user
    },
    Field(
      "endpoint", "The endpoint of the server below /ifttt/v1, or a step of another service", column: "ENDPOINT",
      overflow: .elide(least: 22)
    ) { $0.endpoint },
    Field(
      "event_id", "The id of the event, 'meta.id', or null", column: "EVENT", isInDataOnly: true
    ) { $0.event },
    Field("status", "The status of the server's response; null without a response", column: "STATUS", style: .number) {
      $0.status
    },
    Field("detail", "The reason for a failure, or a detail of the result", column: "DETAIL") { $0.detail },
    Field("trigger_identity", "The trigger identity; null if there is none") { $0.identity },
  ]
}

enum SandboxActivity: Command {
  struct Options: CommandOptions {
    var filter = ActivityFilter()
    var follows = false
    var server = ServerChoice()
  }

  static let name = "activity"
  static let summary = "Show what the sandbox did as IFTTT, and why"
  static var discussion: [String] {
    [
      """
      Lists each step that a sandbox server with --service-url takes for a connection: notifications, polls, new \
      events, queries, actions, webhooks, field options and validations. The last \(ActivityLog.limit) steps are \
      stored.
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
      .value(
        "step", .oneOf(ActivityRecord.Step.self, placeholder: "STEP"), into: \.filter.step,
        help: "Only this kind of step"
      ),
      .value(
        "last", .integer(in: 1...ActivityLog.limit), into: \.filter.last, help: "Only the last N steps"),
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
  static var shape: OutputSchema? { .many(ActivityRecord.self) }
  static func isEndless(_ options: Options) -> Bool { options.follows }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let control = try ServerControl(options.server, in: session)
    return try ServerLog<ActivityRecord>(path: "/activity", control: control, session: session).output(
      options.filter, follows: options.follows,
      emptyNote: "No matching steps. Steps require 'sandbox start --service-url'.")
  }
}

/// A log of the running server.
struct ServerLog<Record: OutputRecord> {
  let path: String
  let control: ServerControl
  let session: Session

  /// - Parameters:
  ///   - follows: whether to continue with new records until Ctrl-C.
  ///   - emptyNote: the note if no record matches.
  func output(_ filter: some LogFilter, follows: Bool, emptyNote: Hint) throws -> Output {
    let first = try records(filter)
    guard follows else {
      if first.isEmpty { session.console.noteEmpty(emptyNote) }
      return .rows(first.map(\.bytes), as: .many(Record.self))
    }
    let rows = Rows(isReiterable: false) { try follow(first, filter, $0) }
    return Output(body: .events(rows, .many(Record.self)))
  }

  private func records(_ filter: some LogFilter) throws -> [JSONValue] {
    try control.send(.get, path, query: filter.query).array ?? []
  }

  private func follow(
    _ first: [JSONValue], _ filter: some LogFilter, _ write: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var filter = filter
    filter.last = nil
    var rows = first
    while true {
      for row in rows {
        filter.after = row["number"]?.int ?? filter.after
        try row.bytes.withUnsafeBytes(write)
      }
      try session.world.pauseWhileFollowing(for: .milliseconds(300))
      rows = try records(filter)
    }
  }
}
