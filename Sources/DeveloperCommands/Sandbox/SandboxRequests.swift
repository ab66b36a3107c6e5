import CommandLine
import HTTP
import JSON
import Output
import Sandbox
import Session
import Text
import World

enum SandboxRequests: Command {
  struct Options: CommandOptions {
    var filter = RequestFilter()
    var follows = false
    var server = ServerChoice()
  }

  static let name = "requests"
  static let summary = "Show the requests that the server received and the webhooks it would send"
  static var discussion: [String] {
    [
      """
      The last \(RequestLog.limit) requests are stored, with all credentials masked. Requests to the control endpoint \
      are not included.
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
        "last", .integer(in: 1...RequestLog.limit), into: \.filter.last, help: "Only the last N requests"),
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
  static func isEndless(_ options: Options) -> Bool { options.follows }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let control = try ServerControl(options.server, in: session)
    return try ServerLog<ShownRequest>(path: "/requests", control: control, session: session).output(
      options.filter, follows: options.follows, emptyNote: "No matching requests.")
  }
}

extension RequestFilter {
  fileprivate var wantedMethod: HTTP.Method? {
    get { method.flatMap(HTTP.Method.init) }
    set { method = newValue?.rawValue }
  }
}

/// A recorded request as printed, with every credential masked.
struct ShownRequest: OutputRecord {
  private let record: RecordedRequest
  private let redactor: Redactor

  /// - Parameter secrets: the credentials of a partner's server, which events and webhooks may repeat.
  init(_ record: RecordedRequest, hiding secrets: [Secret] = []) {
    self.record = record
    redactor = Redactor(Self.secrets(of: record) + secrets)
  }

  var target: String { redactor.redact(record.target) }
  /// The path and, if present, the query.
  private var parts: [String] {
    target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
  }

  enum Direction: String, CaseIterable, OutputValue { case received, sent }

  static let fields: Fields = [
    Field("number", "The number of the request, counted from the start", column: "N", style: .number) {
      $0.record.number
    },
    Field("at", "The time of the request", column: "AT") { $0.record.at },
    Field("method", "The HTTP method", column: "METHOD", overflow: .keep) { $0.record.method },
    Field("path", "The path", column: "PATH", overflow: .keep) { $0.parts[0] },
    Field("query", "The query of the URL; null if there is none", column: "QUERY") { $0.parts.dropFirst().first },
    Field("headers", "The headers, from name to value") { shown in
      OutputMap(shown.record.headers.map { ($0.name, shown.redactor.redact($0.wire)) })
    },
    Field("body", "The body; null if it is empty") {
      $0.record.body.isEmpty ? nil : $0.redactor.redact(String(decoding: $0.record.body, as: UTF8.self))
    },
    Field("body_size", "The size of the body in bytes") { $0.record.bodySize },
    Field("status", "The status of the response; null for a webhook", column: "STATUS", style: .number) {
      $0.record.status
    },
    Field("fault", "The injected faults that applied to the request", column: "FAULT") { $0.record.faults.text },
    Field(
      "direction", "Whether the server received the request or would have sent it", column: "DIRECTION",
      overflow: .keep, columnNumber: 7
    ) { $0.record.status == nil ? Direction.sent : .received },
  ]

  /// The key in the path of an event of the Webhooks service, both as sent and decoded.
  private static func pathKey(of record: RecordedRequest) -> [String] {
    let sent = record.path.split(separator: "/").map(String.init)
    let segments = sent.map { Percent.decode($0, plus: .literal) ?? $0 }
    guard segments.first == "trigger", segments.count > 3, segments[segments.count - 2] == "key" else { return [] }
    return [sent[sent.count - 1], segments[segments.count - 1]]
  }

  /// The values of all headers, parameters and body members that may hold a credential.
  private static func secrets(of record: RecordedRequest) -> [Secret] {
    var found = record.headers.filter { Header.isCredential($0.name) }.map { header in
      let parts = header.wire.split(separator: " ", maxSplits: 1)
      return String(parts.count == 2 ? parts[1] : header.wire[...])
    }
    // Also mask everything that a recording masks. A recording ignores very short secrets, so the headers above and the
    // parameters below are handled separately.
    var redactor = ExchangeRedactor()
    for header in record.headers where !Header.isCredential(header.name) {
      _ = redactor.masked(header.wire, ofHeader: header.name)
    }
    _ = redactor.masked(record.target)
    _ = redactor.masked(record.body)
    let names: Set = ["access_token", "user_token", "token", "code", "oauth_code", "invite_code"]
    let request = Request(receivedMethod: record.method, target: record.target, headers: [], body: [])
    found += request?.url.query.filter { names.contains($0.name) }.map(\.value) ?? []
    for (key, value) in (try? JSONValue(parsing: record.body))?.object?.members ?? [] where names.contains(key) {
      if let text = value.string { found.append(text) }
    }
    found += pathKey(of: record)
    return found.compactMap { Secret(parsing: $0) } + redactor.known
  }
}
