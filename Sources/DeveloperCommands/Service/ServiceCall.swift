import CommandLine
import HTTP
import IFTTT
import JSON
import Output
import Session
import Text
import World

enum ServiceCall: Command {
  struct Options: Sendable {
    var server = ServerOptions()
    var step = Required<ServiceStep>()
    var settings: [FieldAssignment] = []
    var limit: Int?
    var cursor: String?
    var isRealtime = false
    var follows = false
    var interval = Duration.seconds(5)
  }

  static let name = "call"
  static let summary = "Send one request to a trigger, query or action, as IFTTT would"
  static var discussion: [String] {
    [
      """
      Prints the events of a trigger, the rows of a query or the result of an action, one column per ingredient. URL is \
      the API URL prefix of the server, which /ifttt/v1 is added to. No profile is needed.
      """,
      """
      The request has the user's access token if one is given, otherwise the service key. A value of --set that is a \
      JSON object or array, such as a location, is sent as JSON; any other value is sent as text.
      """,
      """
      With --follow, the command polls the trigger and prints only events that were not there before, one per line, \
      until Ctrl-C. Events are recognized by meta.id.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .repeated("set", .assignment, into: \.settings, help: "Value of a field"),
      .value("limit", .integer(), into: \.limit, help: "Maximum number of events or rows"),
      .value(
        "cursor", .nonEmpty("CURSOR"), into: \.cursor, isAdvanced: true,
        help: "Page of a query, as returned by the page before"),
      .toggle(
        "realtime", into: \.isRealtime, isAdvanced: true,
        help: "Mark the request as the result of a Realtime notification"),
      .toggle("follow", short: "f", into: \.follows, help: "Poll the trigger, and print new events"),
      .interval(into: \.interval),
    ] + .lifted(ServerOptions.flags, into: \.server)
  }
  static var positionals: [Positional<Options>] {
    [
      .required(.serverURL, into: \.server.url, help: "API URL prefix of the server"),
      .required(.serviceStep, into: \.step, help: "The endpoint: triggers/SLUG, queries/SLUG or actions/SLUG"),
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema(
        "service call http://127.0.0.1:8788 queries/list_lamps --dry-run", "show the request without sending it"),
      ExampleSchema("service call http://localhost queries/list_lamps --set room=garden", "print the rows of a query"),
      ExampleSchema("service call http://localhost triggers/lamp_on --follow", "print new events as they happen"),
    ]
  }
  static var shape: OutputSchema? { .freeForm("a trigger, query or action") }
  static func defaults() -> Options { Options() }

  static func check(_ options: Options) throws(Conflict) {
    let kind = options.step.value.kind
    if options.follows, kind != .triggers { throw Conflict("only a trigger can be followed", options: ["follow"]) }
    if options.isRealtime, kind != .triggers {
      throw Conflict("only a trigger can be notified", options: ["realtime"])
    }
    if options.cursor != nil, kind != .queries { throw Conflict("only a query has pages", options: ["cursor"]) }
    if options.limit != nil, kind == .actions { throw Conflict("an action has no limit", options: ["limit"]) }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let call = try StepCall(options, in: session)
    if session.options.isDryRun { return session.dryRun([call.request]) }
    guard !options.follows else {
      let rows = Rows(isReiterable: false) { body in try call.follow(every: options.interval, body) }
      return Output(body: .events(rows, shape ?? .freeForm("")))
    }
    let (rows, cursor) = try call.send()
    let columns = [Column](keysOf: rows)
    var output = Output.rows(
      rows.filter { !$0.members.isEmpty }.map { JSONValue.object($0).bytes },
      as: OutputSchema.freeForm("a trigger, query or action").changingColumns { $0 = columns })
    output.verdict = {
      if let cursor { session.console.note(Hint("There are more rows. The cursor of the next page: \(cursor)")) }
    }
    return output
  }
}

/// A trigger, query or action of a service.
struct ServiceStep: Sendable {
  let kind: ServiceStepKind
  let slug: String
}

extension ValueKind<ServiceStep> {
  fileprivate static var serviceStep: ValueKind {
    .parsed("ENDPOINT", expected: "triggers/SLUG, queries/SLUG or actions/SLUG") { text in
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[1].isEmpty, let kind = ServiceStepKind(rawValue: String(parts[0])) else {
        return nil
      }
      return ServiceStep(kind: kind, slug: String(parts[1]))
    }
  }
}
