import CommandLine
import HTTP
import IFTTT
import JSON
import Output
import Session
import Text
import World

enum ServiceCall: Command {
  struct Options: CommandOptions {
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
      With --follow, the command polls the trigger and prints only new events, one per line, \
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
  static func isEndless(_ options: Options) -> Bool { options.follows }

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

/// The requests of `service call` to one trigger, query or action.
struct StepCall {
  private let session: Session
  private let http: HTTPClient
  private let step: ServiceStep
  private let make: () -> Request
  private let credential: SentCredential

  init(_ options: ServiceCall.Options, in session: Session) throws {
    (self.session, step) = (session, options.step.value)
    let token = try options.server.accessToken(in: session)
    let sent: ServiceCredential
    let secret: Secret
    if let token {
      (sent, secret) = (.accessToken(token), token)
    } else {
      secret = try options.server.requiredServiceKey(
        for: "a request to your server without an access token", in: session)
      sent = .serviceKey(secret)
    }
    credential = SentCredential(
      token == nil ? .serviceKey : .accessToken, from: session.credentials.origin(of: secret))
    var fields: JSONObject = [:]
    for setting in options.settings { fields[setting.name] = Self.value(setting.value) }
    let requests = ServiceRequests(
      ServiceURL(prefix: options.server.url.value), isTest: false, random: session.network.reproducibleRandom)
    let (kind, slug) = (step.kind, step.slug)
    let (limit, cursor, isRealtime) = (options.limit, options.cursor, options.isRealtime)
    // Create each request separately, because it has its own id.
    make = {
      requests.request(
        .post, kind.path(slug), sent,
        body: requests.body(kind, slug, fields: fields, limit: limit, cursor: cursor),
        isRepeatable: kind != .actions, isRealtime: isRealtime)
    }
    http = ServerOptions.client(in: session)
    if session.options.isVerbose { http.trace = { [console = session.console] in console.diagnose($0) } }
  }

  var request: Request { make() }

  /// The value of `--set`: JSON for an object or array, such as a location; otherwise text.
  private static func value(_ text: String) -> JSONValue {
    guard text.hasPrefix("{") || text.hasPrefix("["), let value = try? JSONValue(parsing: Array(text.utf8)) else {
      return .string(text)
    }
    return value
  }

  /// Sends one request.
  /// - Returns: The rows of the response, and the cursor of the next page.
  func send() throws -> ([JSONObject], cursor: String?) {
    let request = make()
    let response: Response
    do throws(HTTPError) { response = try http.send(request) } catch { throw error }
    let exchange = ServiceExchange(request: request, result: .success(response))
    guard response.status == 200 else { throw problem(response, exchange) }
    guard let rows = exchange.rowList else {
      throw Problem(
        .badResponse, "the response cannot be read", reason: exchange.rowProblem,
        hint: "The endpoint must respond with {\"data\": […]}.", status: response.status)
    }
    return (rows, exchange.cursor)
  }

  /// Polls until Ctrl-C. A failed poll is noted, and the next one follows after the interval.
  func follow(every interval: Duration, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var seen: Set<String>?
    while true {
      do {
        let (rows, _) = try send()
        // The newest event comes first, and is printed last.
        let events = rows.reversed().filter { row in
          guard let id = row["meta"]?["id"]?.identifier else { return false }
          return seen?.contains(id) == false
        }
        for event in events { try JSONValue.object(event).bytes.withUnsafeBytes(body) }
        seen = (seen ?? []).union(rows.compactMap { $0["meta"]?["id"]?.identifier })
      } catch let error as HTTPError where error != .interrupted {
        session.console.note(Hint("Polling failed: \(Problem.from(error).summary)"))
      } catch let problem as Problem where problem.code.exit == .unavailable {
        session.console.note(Hint("Polling failed: \(problem.summary)"))
      }
      try session.world.pauseWhileFollowing(for: interval)
    }
  }

  private func problem(_ response: Response, _ exchange: ServiceExchange) -> Problem {
    let kind = ErrorStatus(response.status)
    let isRejected = kind == .unauthorized || kind == .forbidden
    let hint: Hint =
      switch kind {
      case .unauthorized, .forbidden:
        credential.name == .accessToken
          ? credential.name.rejectionHint
          : "Compare it with the key in the server's configuration. If users sign in to the service, pass an access "
            + "token with --access-token-file FILE."
      case .notFound: "Check the URL and the slug. The path is \(step.kind.rawValue)/\(step.slug)."
      case .rateLimited: "Try again later."
      case .serverError: "See the log of the server; -v shows the request."
      case .badRequest, .conflict, .invalidParameters, .timeout, .other: "-v shows the request."
      }
    return Problem(
      Problem.Code(kind), "the server rejected \(isRejected ? credential.description : "the request")",
      reason: exchange.description, hint: hint, status: response.status)
  }
}
