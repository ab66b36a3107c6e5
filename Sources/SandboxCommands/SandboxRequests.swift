import Arguments
import CommandContext
import Display
import HTTP
import Hints
import JSON
import Sandbox
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
        help: "Continue with new requests, one JSON object per line, until Ctrl-C"),
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
    let first = try control.ask(.get, "/requests", query: options.filter.query).array ?? []
    guard options.follows else {
      if first.isEmpty { session.console.noteEmpty("No matching requests.") }
      return .rows(first.map(\.bytes), as: .many(ShownRequest.self))
    }
    let rows = Rows(isReiterable: false) { try follow(first, options.filter, control, session, $0) }
    return Output(body: .events(rows, .many(ShownRequest.self)))
  }

  /// Shows the recorded requests, then polls for new ones.
  private static func follow(
    _ first: [JSONValue], _ filter: RequestFilter, _ control: ServerControl, _ session: Session,
    _ show: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var filter = filter
    filter.last = nil
    var rows = first
    while true {
      for row in rows {
        filter.after = row["number"]?.int ?? filter.after
        try row.bytes.withUnsafeBytes(show)
      }
      session.world.clock.sleep(for: .milliseconds(300))
      guard !session.world.interruption.isInterrupted else { throw Problem.interrupted }
      // Without new requests nothing is written, so no write can reveal that the reader is gone.
      if session.world.output.isAbandoned { throw BrokenPipe() }
      rows = try control.ask(.get, "/requests", query: filter.query).array ?? []
    }
  }
}

extension RequestFilter {
  fileprivate var wantedMethod: HTTP.Method? {
    get { method.flatMap(HTTP.Method.init) }
    set { method = newValue?.rawValue }
  }
}
