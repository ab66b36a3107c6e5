import CommandLine
import HTTP
import JSON
import Output
import Sandbox
import Session
import Text
import World

extension ActivityRecord.Step: OutputValue {}
extension ActivityRecord.Cause: OutputValue {}
extension LoggedExchange.Direction: OutputValue {}

/// An entry of the log as printed, with every credential masked.
struct ShownEntry: OutputRecord {
  fileprivate let entry: LogEntry
  fileprivate let exchange: ShownExchange?
  private let cause: Int?
  private let effects: [Int]

  /// - Parameters:
  ///   - effects: The numbers of the entries that it caused.
  ///   - secrets: The credentials of a partner's server, which requests and events may repeat.
  init(_ entry: LogEntry, cause: Int? = nil, effects: [Int] = [], hiding secrets: [Secret] = []) {
    (self.entry, self.cause, self.effects) = (entry, cause, effects)
    exchange = entry.exchange.map { ShownExchange($0, hiding: secrets) }
  }

  /// Creates an entry without its messages, which takes less time.
  init(summaryOf entry: LogEntry, cause: Int?, hiding secrets: [Secret]) {
    (self.entry, self.cause, effects) = (entry, cause, [])
    exchange = entry.exchange.map { ShownExchange(summaryOf: $0, hiding: secrets) }
  }

  /// What the list of requests and that of activity both have. Their other fields are about the step or the request
  /// line.
  static let fields: Fields = summaryFields + messageFields

  static let summaryFields: Fields = [
    Field("url", "The URL of the request; the path alone if the server is unknown; null for a step without a request") {
      $0.exchange?.url
    },
    Field("attempt", "The number of the attempt, counted from 1") { $0.entry.exchange?.attempt },
    Field("duration_ms", "The time from the request to the end of the response, in milliseconds") {
      $0.entry.exchange?.duration.map { Int($0 / .milliseconds(1)) }
    },
    Field("request_id", "The value of X-Request-ID: that of the response to a client, or that of the sent request") {
      $0.exchange?.requestID
    },
    Field("message", "The error message in the response, or the reason why no response arrived") {
      $0.exchange?.message
    },
    Field("caused_by", "The number of the entry that caused this one, or null") { $0.cause },
  ]

  static let messageFields: Fields = [
    Field("effects", "The numbers of the entries that this one caused") { $0.effects },
    Field("fields", "The fields of a trigger, query or action, as sent; null for other requests") {
      $0.exchange?.fields
    },
    Field("request", "The request") { $0.exchange?.request },
    Field("response", "The response; null without one") { $0.exchange?.response },
  ]
}

/// A row of `sandbox requests`.
struct RequestRow: OutputRecord {
  let shown: ShownEntry
  private var exchange: ShownExchange? { shown.exchange }

  static let fields: Fields = ownFields + ShownEntry.fields.map { $0.lifted(\.shown) }

  static let ownFields: Fields =
    [
      Field("number", "The number of the entry, counted from the start of the server", column: "N", style: .number) {
        $0.shown.entry.number
      },
      Field("at", "The time at which the response was complete", column: "AT") { $0.shown.entry.at },
      Field("method", "The HTTP method", column: "METHOD", overflow: .keep) { $0.shown.entry.exchange?.method },
      Field("path", "The path", column: "PATH", overflow: .keep) { $0.exchange?.path },
      Field("query", "The query of the URL, or null", column: "QUERY") { $0.exchange?.query },
      Field("status", "The status of the response; null without a response", column: "STATUS", style: .number) {
        $0.shown.entry.exchange?.status ?? $0.shown.entry.activity?.status
      },
      Field("fault", "The injected faults that applied to the request", column: "FAULT") {
        $0.shown.entry.exchange?.faults
      },
      Field(
        "direction", "Whether the server received the request, or sent it or would have sent it", column: "DIRECTION",
        overflow: .keep, columnNumber: 7
      ) { $0.shown.entry.exchange?.direction },
      Field("step", "The step of the connection; null for a client's request") { $0.shown.entry.activity?.step },
      Field("connection_id", "The connection of the step, or null") { $0.shown.entry.activity?.connection },
      Field("user_id", "The user's id in the service, or null") { $0.shown.entry.activity?.user },
    ]
}

/// A row of `sandbox activity`.
struct ActivityRow: OutputRecord {
  let shown: ShownEntry
  private var record: ActivityRecord? { shown.entry.activity }

  static let fields: Fields = ownFields + ShownEntry.fields.map { $0.lifted(\.shown) }

  static let ownFields: Fields =
    [
      Field(
        "number", "The number of the entry, counted from the start of the server", column: "N", style: .number,
        isInDataOnly: true
      ) { $0.shown.entry.number },
      Field("at", "The time", column: "AT", style: .timeOfDay, overflow: .keep) { $0.shown.entry.at },
      Field("step", "What happened", column: "STEP", overflow: .keep) { $0.record?.step },
      Field("cause", "Why it happened", column: "CAUSE", overflow: .keep) { $0.record?.cause },
      Field("connection_id", "The id of the connection, or null", column: "CONNECTION", overflow: .keep) {
        $0.record?.connection
      },
      Field("user_id", "The user's id in the service; null if it is unknown", column: "USER", isInDataOnly: true) {
        $0.record?.user
      },
      Field(
        "endpoint", "The endpoint of the server below /ifttt/v1, or a step of another service", column: "ENDPOINT",
        overflow: .elide(least: 22)
      ) { $0.record?.endpoint },
      Field("event_id", "The id of the event, 'meta.id', or null", column: "EVENT", isInDataOnly: true) {
        $0.record?.event
      },
      Field("status", "The status of the server's response; null without one", column: "STATUS", style: .number) {
        $0.record?.status
      },
      Field("detail", "The reason for a failure, or a detail of the result", column: "DETAIL") { $0.record?.detail },
      Field("trigger_identity", "The trigger identity, or null") { $0.record?.identity },
      Field("method", "The HTTP method of the request; null for a step without one") {
        $0.shown.entry.exchange?.method
      },
    ]
}

/// A request and its response with every credential masked.
struct ShownExchange {
  private let exchange: LoggedExchange
  private let redactor: Redactor

  /// - Parameter secrets: The credentials of a partner's server, which events and webhooks may repeat.
  init(_ exchange: LoggedExchange, hiding secrets: [Secret] = []) {
    self.exchange = exchange
    redactor = Redactor(Self.secrets(of: exchange) + secrets)
  }

  /// Creates an exchange whose messages are not shown. Only those of an error are searched for credentials, because
  /// its text is shown.
  init(summaryOf exchange: LoggedExchange, hiding secrets: [Secret]) {
    self.exchange = exchange
    let isError = exchange.status.map { $0 >= 400 } ?? true
    let found = isError ? Self.secrets(of: exchange) : Self.credentials(inHeadOf: exchange)
    redactor = Redactor(found + secrets)
  }

  /// The path and query.
  var target: String { redactor.redact(exchange.target) }
  var url: String { exchange.origin + target }
  var path: String { String(target.prefix { $0 != "?" }) }
  var query: String? {
    let path = path
    return path == target ? nil : String(target.dropFirst(path.count + 1))
  }

  var request: ShownMessage { ShownMessage(exchange.request, redactor) }
  var response: ShownMessage? { exchange.response.map { ShownMessage($0, redactor) } }

  /// The id that names the request in the log of the other side.
  var requestID: String? {
    let headers = exchange.direction == .sent ? exchange.request.headers : exchange.response?.headers ?? []
    return headers.first { $0.isNamed("X-Request-ID") }.map { redactor.redact($0.value) }
  }

  /// The fields of a trigger, query or action in the body of the request.
  var fields: JSONValue? {
    guard exchange.direction == .sent, let body = json(exchange.request) else { return nil }
    let fields = ["triggerFields", "queryFields", "actionFields"].lazy.compactMap { body[$0] }.first
    return fields.flatMap { try? JSONValue(parsing: Array(redactor.redact($0.text).utf8)) }
  }

  /// The server's own words about an error: of a partner's server, of its OAuth server, or of the API.
  var message: String? {
    if let failure = exchange.failure { return redactor.redact(failure) }
    guard let status = exchange.status, status >= 400, let body = exchange.response.flatMap(json) else { return nil }
    let messages =
      (body["errors"]?.array ?? []).map { $0["message"]?.string }
      + [body["message"]?.string, body["error_description"]?.string, body["error"]?.string]
    return messages.lazy.compactMap(\.self).first { !$0.isEmpty }.map(redactor.redact)
  }

  private func json(_ message: LoggedExchange.Message) -> JSONObject? {
    message.isTruncated ? nil : (try? JSONValue(parsing: message.body))?.object
  }

  /// The key in the path of an event of the Webhooks service, both as sent and decoded.
  private static func pathKey(of exchange: LoggedExchange) -> [String] {
    let sent = exchange.path.split(separator: "/").map(String.init)
    let segments = sent.map { Percent.decode($0, plus: .literal) ?? $0 }
    guard segments.first == "trigger", segments.count > 3, segments[segments.count - 2] == "key" else { return [] }
    return [sent[sent.count - 1], segments[segments.count - 1]]
  }

  /// The names of parameters and body members whose values may be credentials, even short ones.
  private static let names: Set = [
    "access_token", "refresh_token", "user_token", "token", "code", "oauth_code", "invite_code",
  ]

  /// The values of all headers, parameters and body members that may hold a credential.
  private static func secrets(of exchange: LoggedExchange) -> [Secret] {
    let messages = [exchange.request, exchange.response].compactMap(\.self)
    // Also mask everything that a recording masks. A recording ignores very short secrets, so the headers and the
    // parameters are handled separately.
    var redactor = ExchangeRedactor()
    for header in messages.flatMap(\.headers) where !Header.isCredential(header.name) {
      _ = redactor.masked(header.value, ofHeader: header.name)
    }
    var found: [String] = []
    for (message, names) in zip(messages, [names, names.subtracting(["code"])]) {
      // In a response, `code` names an error.
      _ = redactor.masked(message.body)
      for (key, value) in (try? JSONValue(parsing: message.body))?.object?.members ?? [] where names.contains(key) {
        if let text = value.string { found.append(text) }
      }
    }
    return credentials(inHeadOf: exchange) + found.compactMap { Secret(parsing: $0) } + redactor.known
  }

  /// The credentials in the headers that are known to hold one, and in the URL.
  private static func credentials(inHeadOf exchange: LoggedExchange) -> [Secret] {
    let headers = exchange.request.headers + (exchange.response?.headers ?? [])
    var found = headers.filter { Header.isCredential($0.name) }.map { header in
      let parts = header.value.split(separator: " ", maxSplits: 1)
      return String(parts.count == 2 ? parts[1] : header.value[...])
    }
    var redactor = ExchangeRedactor()
    _ = redactor.masked(exchange.target)
    // The state of a sign-in is in the URL of a page, and in the redirect to it. A short one is another word.
    let urls = [exchange.target] + headers.filter { $0.isNamed("Location") }.map(\.value)
    for url in urls where url.contains("?") {
      let query = Request(receivedMethod: "GET", target: url, headers: [], body: [])?.url.query ?? []
      found += query.filter { names.contains($0.name) || $0.name == "state" && $0.value.utf8.count >= 16 }.map(\.value)
    }
    return (found + pathKey(of: exchange)).compactMap { Secret(parsing: $0) } + redactor.known
  }
}

/// A request or a response as printed.
struct ShownMessage: OutputRecord {
  private let message: LoggedExchange.Message
  private let redactor: Redactor

  init(_ message: LoggedExchange.Message, _ redactor: Redactor) { (self.message, self.redactor) = (message, redactor) }

  static let fields: Fields = [
    Field("headers", "The headers, from name to value; repeated ones are joined with commas") { $0.headers },
    Field("body", "The body, or its beginning; null if it is empty") {
      $0.message.body.isEmpty ? nil : $0.redactor.redact(String(decoding: $0.message.body, as: UTF8.self))
    },
    Field("body_size", "The size of the whole body in bytes") { $0.message.bodySize },
    Field("body_truncated", "Whether 'body' is only the beginning") { $0.message.isTruncated },
  ]

  private var headers: OutputMap {
    var members: [(key: String, value: String)] = []
    for header in message.headers {
      let value = redactor.redact(header.value)
      if let index = members.firstIndex(where: { $0.key.isSame(ignoringASCIICase: header.name) }) {
        members[index].value += ", \(value)"
      } else {
        members.append((header.name, value))
      }
    }
    return OutputMap(members)
  }
}
