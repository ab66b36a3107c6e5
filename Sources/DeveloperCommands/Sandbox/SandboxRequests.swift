import CommandLine
import HTTP
import Output
import Sandbox
import Session
import Text
import World

enum SandboxRequests: Command {
  struct Options: Sendable {
    var filter = RequestFilter()
    var follows = false
    var server = ServerChoice()
  }

  static let name = "requests"
  static let summary = "Show the requests that the server received and the webhooks it would send"
  static var discussion: [String] {
    [
      """
      The last \(RequestLog.limit) requests are stored, with all credentials masked. Requests to the control endpoint are not \
      included.
      """,
      """
      If a location event or a test makes a trigger fire, the list also contains the webhook that IFTTT would send to \
      the service, with direction "sent". The server sends it only with 'sandbox start --service-url'.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value(
        "method", .oneOf(HTTP.Method.self, placeholder: "METHOD"), into: \.filter.wantedMethod,
        help: "Only requests with this method"
      ),
      .value("path", .nonEmpty("PATTERN"), into: \.filter.path, help: "Only these paths; '*' matches anything"),
      .value(
        "status", .integer(in: 100...599, placeholder: "CODE"), into: \.filter.status,
        help: "Only requests with this response status"),
      .value(
        "last", short: "n", .integer(in: 1...RequestLog.limit), into: \.filter.last, help: "Only the last N requests"),
      .toggle(
        "follow", short: "f", into: \.follows,
        help: "Continue with new requests, as JSON Lines by default, until Ctrl-C"),
    ] + .lifted(ServerChoice.flags, into: \.server)
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("sandbox requests --method POST --json", "list the requests that change something"),
      ExampleSchema(
        "sandbox requests --path '/v2/connections/*' --last 5", "list the last five requests for connections"),
    ]
  }
  static var shape: OutputSchema? { .many(ShownRequest.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let control = try ServerControl(options.server, in: session)
    return try ServerLog<ShownRequest>(path: "/requests", control: control, session: session).output(
      options.filter, follows: options.follows, nothing: "No matching requests.")
  }
}

extension RequestFilter {
  fileprivate var wantedMethod: HTTP.Method? {
    get { method.flatMap(HTTP.Method.init) }
    set { method = newValue?.rawValue }
  }
}
