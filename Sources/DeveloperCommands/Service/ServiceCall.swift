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
    var endpoint = Required<ServiceEndpoint>()
    var settings: [FieldAssignment] = []
    var limit: Int?
    var cursor: String?
    var included: [String] = []
    var identity: String?
    var timezone: String?
    var headers: [Header] = []
    var isRealtime = false
    var follows = false
    var interval = Duration.seconds(5)
  }

  static let name = "call"
  static let summary = "Send one request to an endpoint of a partner's server, as IFTTT would"
  static var discussion: [String] {
    [
      """
      Prints the events of a trigger, the rows of a query or the result of an action, one column per ingredient, or \
      what another endpoint responds. URL is the API URL prefix of the server, which /ifttt/v1 is added to. No profile \
      is needed.
      """,
      "ENDPOINT is \(ServiceEndpoint.forms).",
      """
      A request on behalf of a user has the access token that is given, or else the one that test/setup returns; \
      without either, and for all other endpoints, it has the service key. A value of --set that is a JSON object or \
      array, such as a location, is sent as JSON; any other value is sent as text. To validate one field, pass its \
      value as --set value=TEXT; to validate all fields of a trigger together, pass one --set for each.
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
      .repeatedList(
        "include", .nonEmpty("NAME"), into: \.included, help: "Ingredients of a query to resolve, separated by commas"),
      .value(
        "trigger-identity", .nonEmpty("ID"), into: \.identity, isAdvanced: true,
        help: "Trigger identity; by default derived from the trigger and its fields"),
      .value(
        "timezone", .nonEmpty("ZONE"), into: \.timezone, defaultText: "America/Los_Angeles", isAdvanced: true,
        help: "The user's time zone"),
      .repeated("header", short: "H", .requestHeader, into: \.headers, help: "Add a header to the request"),
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
      .required(
        .serviceEndpoint, into: \.endpoint, help: "The endpoint, such as triggers/SLUG, queries/SLUG or actions/SLUG"),
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema(
        "service call http://127.0.0.1:8788 queries/list_lamps --dry-run", "show the request without sending it"),
      ExampleSchema("service call http://localhost queries/list_lamps --set room=garden", "print the rows of a query"),
      ExampleSchema("service call http://localhost triggers/lamp_on --follow", "print new events as they happen"),
      ExampleSchema(
        "service call http://localhost actions/set_scene/fields/scene/options", "print the options of a field"),
    ]
  }
  static var shape: OutputSchema? { .freeForm("a trigger, query or action") }
  static func isEndless(_ options: Options) -> Bool { options.follows }

  static func check(_ options: Options) throws(Conflict) {
    let endpoint = options.endpoint.value
    let kind: ServiceStepKind? = if case .step(let kind, _) = endpoint { kind } else { nil }
    if options.follows, kind != .triggers { throw Conflict("only a trigger can be followed", options: ["follow"]) }
    if options.isRealtime, kind != .triggers {
      throw Conflict("only a trigger can be notified", options: ["realtime"])
    }
    if options.identity != nil, kind != .triggers {
      throw Conflict("only a trigger has an identity", options: ["trigger-identity"])
    }
    if options.cursor != nil, kind != .queries { throw Conflict("only a query has pages", options: ["cursor"]) }
    if !options.included.isEmpty, kind != .queries {
      throw Conflict("only a query resolves ingredients", options: ["include"])
    }
    if options.limit != nil, kind == nil || kind == .actions {
      throw Conflict(kind == nil ? "this endpoint has no limit" : "an action has no limit", options: ["limit"])
    }
    if options.timezone != nil, kind == nil {
      throw Conflict("this endpoint receives no time zone", options: ["timezone"])
    }
    let names = options.settings.map(\.name)
    switch endpoint {
    case .validation(_, field: .some) where names != ["value"]:
      throw Conflict("pass the value of the field as --set value=TEXT", options: ["set"])
    case .validation(_, nil) where names.isEmpty:
      throw Conflict("pass the values of the fields as --set FIELD=TEXT", options: ["set"])
    case .status, .setup, .user, .options, .identity, .webhook:
      if !names.isEmpty { throw Conflict("this endpoint receives no fields", options: ["set"]) }
    default: break
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let call = try EndpointCall(options, in: session)
    if session.options.isDryRun { return session.dryRun(call.plannedRequests) }
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

/// The requests of `service call` to one endpoint.
struct EndpointCall {
  private let session: Session
  private let http: HTTPClient
  private let endpoint: ServiceEndpoint
  private let make: () -> Request
  private let credential: SentCredential
  /// The request for an access token.
  private let setup: Request

  init(_ options: ServiceCall.Options, in session: Session) throws {
    (self.session, endpoint) = (session, options.endpoint.value)
    let requests = ServiceRequests(
      try options.server.url(in: session), isTest: false, random: session.network.reproducibleRandom)
    http = ServerOptions.client(in: session)
    if session.options.isVerbose { http.trace = { [console = session.console] in console.diagnose($0) } }
    let sent: ServiceCredential
    let key = try Self.serviceKey(for: endpoint, options.server, in: session)
    setup = requests.request(.post, .testSetup, .serviceKey(key ?? ServiceTestPlan.wrongCredential))
    (sent, credential) = try Self.credential(for: endpoint, options.server, key, setup, http, in: session)
    let body = Self.body(of: endpoint, options, requests)
    let (headers, isRealtime) = (options.headers, options.isRealtime)
    // Create each request separately, because it has its own id.
    make = { [endpoint] in
      var request = requests.request(
        endpoint.method, endpoint.path, sent, body: body, isRepeatable: !endpoint.hasEffect, isRealtime: isRealtime)
      request.headers.removeAll { header in headers.contains { $0.name.isSame(ignoringASCIICase: header.name) } }
      request.headers += headers
      return request
    }
  }

  /// The requests of a dry run. The first one asks for the access token that the real request would have.
  var plannedRequests: [Request] { (endpoint.isForUser && credential.name == .serviceKey ? [setup] : []) + [make()] }

  /// The service key; nil if a given access token authorizes the request.
  private static func serviceKey(
    for endpoint: ServiceEndpoint, _ server: ServerOptions, in session: Session
  ) throws -> Secret? {
    if endpoint.isForUser, try server.accessToken(in: session) != nil { return nil }
    return try server.requiredServiceKey(
      for: endpoint.isForUser ? "a request to your server without an access token" : "a request to \(endpoint.path)",
      in: session)
  }

  /// The access token that is given or that `test/setup` returns, for a request on behalf of a user; otherwise the
  /// service key.
  private static func credential(
    for endpoint: ServiceEndpoint, _ server: ServerOptions, _ key: Secret?, _ setup: Request, _ http: HTTPClient,
    in session: Session
  ) throws -> (ServiceCredential, SentCredential) {
    guard let key else {
      let token = try server.accessToken(in: session) ?? ServiceTestPlan.wrongCredential
      return (.accessToken(token), SentCredential(.accessToken, from: session.credentials.origin(of: token)))
    }
    if endpoint.isForUser, !session.options.isDryRun {
      let exchange = ServiceExchange(request: setup, result: .success(try http.send(setup)))
      if let token = exchange.setupToken {
        return (.accessToken(token), SentCredential(.accessToken, from: "test/setup"))
      }
    }
    return (.serviceKey(key), SentCredential(.serviceKey, from: session.credentials.origin(of: key)))
  }

  private static func body(
    of endpoint: ServiceEndpoint, _ options: ServiceCall.Options, _ requests: ServiceRequests
  ) -> JSONObject? {
    var fields: JSONObject = [:]
    for setting in options.settings { fields[setting.name] = value(setting.value) }
    switch endpoint {
    case .status, .setup, .user, .identity: return nil
    case .options: return [:]
    case .validation(_, nil): return ["values": .object(fields)]
    case .validation: return fields
    case .webhook(let type, let event):
      return ServiceWebhook.samples.first { $0.type == type && $0.event == event }?.body
    case .step(let kind, let slug):
      var body = requests.body(kind, slug, fields: fields, limit: options.limit, cursor: options.cursor)
      if let identity = options.identity { body["trigger_identity"] = .string(identity) }
      if !options.included.isEmpty { body["include"] = .array(options.included.map(JSONValue.string)) }
      if let timezone = options.timezone { body["user"] = ["timezone": .string(timezone)] }
      return body
    }
  }

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
    let response = try http.send(request)
    let exchange = ServiceExchange(request: request, result: .success(response))
    switch endpoint {
    case .status, .identity, .webhook:
      guard 200..<300 ~= response.status else { throw problem(response, exchange) }
      return ([["status": JSONValue(response.status)]], nil)
    default: break
    }
    guard response.status == 200 else { throw problem(response, exchange) }
    // The response to test/setup has a token, which is masked.
    let body = endpoint == .setup ? exchange.shownBody : response.body
    let data = (try? JSONValue(parsing: body))?["data"]
    guard let rows = data.flatMap(endpoint.rows) else {
      throw Problem(
        .badResponse, "the response cannot be read", reason: exchange.rowProblem ?? "\"data\" has another form",
        hint: "The endpoint must respond with {\"data\": \(endpoint.dataForm)}.", status: response.status)
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
      case .notFound: "Check the URL and the names in the path. The path is \(endpoint.path)."
      case .rateLimited: "Try again later."
      case .serverError: "See the log of the server; -v shows the request."
      case .badRequest, .conflict, .invalidParameters, .timeout, .other: "-v shows the request."
      }
    return Problem(
      Problem.Code(kind), "the server rejected \(isRejected ? credential.description : "the request")",
      reason: exchange.description, hint: hint, status: response.status)
  }
}
