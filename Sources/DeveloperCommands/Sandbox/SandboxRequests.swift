import CommandLine
import HTTP
import Sandbox
import Session
import Text

enum SandboxRequests: LogCommand {
  static let view = LogView.requests
  static let emptyNote: Hint = "No matching requests."
  static let name = "requests"
  static let summary = "Show the requests that the server received and sent"
  static var discussion: [String] {
    [
      """
      Lists the requests of clients and, with --service-url, those that the server sent to the partner's server, except \
      for scheduled polls that found nothing. With N, shows one request whole: headers and bodies of both sides, with \
      all credentials masked.
      """,
      """
      Without --service-url, the list also contains the webhooks that IFTTT would send to the service. Requests to the \
      control endpoint are not included. The last \(EmulatorLog.limit) entries are stored, together with the steps of \
      'sandbox activity', at most 64 MiB.
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
        "direction", .oneOf(LoggedExchange.Direction.self, placeholder: "DIRECTION"), into: \.filter.direction,
        help: "Only requests that the server received, or only those it sent"),
      .value("connection", .nonEmpty("ID"), into: \.filter.connection, help: "Only sent requests of this connection"),
      .value("user", .nonEmpty("ID"), into: \.filter.user, help: "Only sent requests of this user of the service"),
      .value("last", .integer(in: 1...EmulatorLog.limit), into: \.filter.last, help: "Only the last N requests"),
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
      ExampleSchema("sandbox requests 1", "show a request and its response"),
    ]
  }
}

extension LogFilter {
  fileprivate var wantedMethod: HTTP.Method? {
    get { method.flatMap(HTTP.Method.init) }
    set { method = newValue?.rawValue }
  }
}
