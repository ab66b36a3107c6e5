import CommandLine
import HTTP
import IFTTT
import JSON
import Output
import Session
import Text
import World

enum WebhookFire: Command {
  struct Options: CommandOptions {
    var event = Required<WebhookEventName>()
    var value1: String?
    var value2: String?
    var value3: String?
    var jsonFile: String?
    var readsInput = false
    var keyFile: String?

    var values: [String?] { [value1, value2, value3] }
  }

  static let name = "fire"
  static let summary = "Fire a Webhooks event"
  static var discussion: [String] {
    [
      """
      Sends an event to IFTTT's Webhooks service, for the Applets of the key's owner. With --json-file or --stdin, the \
      event is for Applets whose trigger takes a JSON payload. Otherwise it is for those whose trigger takes up to \
      three values.
      """,
      """
      The key is read from a file, stdin, the environment or the profile, never from an argument. It can be \
      given as an address that contains it, such as the address of the page that shows the key.
      """,
      """
      An accepted event does not mean that an Applet ran: Applets run later, and only the activity page on the web \
      shows them. Each accepted request is one event, so a request that may have reached IFTTT is never retried.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value("value1", .valueWithoutKey, into: \.value1, help: "The ingredient Value1"),
      .value("value2", .valueWithoutKey, into: \.value2, help: "The ingredient Value2"),
      .value("value3", .valueWithoutKey, into: \.value3, help: "The ingredient Value3"),
      .value("json-file", .fileWithoutKey, into: \.jsonFile, help: "Send the JSON in this file; '-' reads stdin"),
      .toggle("stdin", into: \.readsInput, help: "Send the JSON on stdin"),
      .webhooksKeyFile(
        into: \.keyFile,
        help: "Read the webhooks key from this file, '-' for stdin (or set IFTTT_WEBHOOKS_KEY)"),
    ]
  }
  static var positionals: [Positional<Options>] {
    [.required(.webhookEvent, into: \.event, help: "The name of the event")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("webhook fire door_opened --value1 Garage", "fire an event with one value"),
      ExampleSchema(
        "webhook fire door_opened --webhooks-key-file key.txt --dry-run", "show the request without sending it"),
    ]
  }
  static var shape: OutputSchema? { .one(FiredEventRow.self) }

  static func check(_ options: Options) throws(Conflict) {
    if options.readsInput, options.jsonFile != nil {
      throw Conflict("--stdin cannot be combined with --json-file", options: ["stdin", "json-file"])
    }
    if options.readsInput || options.jsonFile != nil, options.values.contains(where: { $0 != nil }) {
      throw Conflict(
        "an event has either JSON or values", options: ["value1", "value2", "value3", "json-file", "stdin"])
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let event = WebhookEvent(options.event.value, try content(options, in: session))
    let key = try session.credentials.required(.webhooksKey, file: options.keyFile, for: "'webhook fire'")
    guard event.name.description != key.revealed else {
      throw Problem(
        .usage, "the name of the event is the webhooks key", hint: "Pass the event's name, as the Applet has it.")
    }
    let request = event.request(to: try session.network.base(.webhooks), key: key)
    if session.options.isDryRun { return session.dryRun([request]) }
    let credential = SentCredential(.webhooksKey, from: session.credentials.origin(of: key))
    let row = try send(request, with: credential, event, in: session)
    session.console.note(
      "IFTTT accepted the event. That does not mean that an Applet ran: see https://ifttt.com/activity.")
    var output = Output.one(row)
    output.isChange = true
    return output
  }

  /// The maximum size of a document, in bytes. A larger file is more likely passed by mistake.
  private static let documentLimit = 16 << 20

  private static func content(_ options: Options, in session: Session) throws -> WebhookEvent.Content {
    let file = options.readsInput ? "-" : options.jsonFile
    guard let file else { return .values(options.values) }
    let option = options.readsInput ? "--stdin" : "--json-file"
    let document = try session.console.text(of: file, for: option, limit: documentLimit)
    do throws(JSONError) { _ = try JSONValue(document: document) } catch {
      let source = file == "-" ? "stdin" : "'\(file)'"
      throw Problem(
        .invalidParameters, "\(source) is not JSON", reason: "\(error)",
        hint: "Pass one JSON document; nothing was sent.")
    }
    return .json(document)
  }

  private static func send(
    _ request: Request, with credential: SentCredential, _ event: WebhookEvent, in session: Session
  ) throws -> FiredEventRow {
    let http = try session.network.http
    let endpoint = Endpoint(request, with: credential, by: http) { response throws(APIError) -> String in
      try response.succeeded()
      return String(decoding: response.body.prefix(FiredEventRow.messageLimit), as: UTF8.self)
    }
    do throws(APIError) {
      let message = try endpoint.send()
      let shown = Redactor(request.secrets + http.otherSecrets()).redact(message)
      return FiredEventRow(event: event, message: shown)
    } catch {
      throw Problem(firing: error, with: credential)
    }
  }
}

extension ValueKind<WebhookEventName> {
  fileprivate static var webhookEvent: ValueKind {
    ValueKind(ValueSchema(placeholder: "EVENT")) { (text: String) throws(ValueError) in
      if let name = WebhookEventName(parsing: text) { return name }
      if WebhooksKey.isIn(text) {
        throw WebhooksKey.inArgument(instead: "pass the event's name, and the key with --webhooks-key-file FILE")
      }
      throw ValueError("expected letters, digits and underscores, as in door_opened")
    }
  }
}

extension ValueKind<String> {
  /// A value that is sent to IFTTT, unless it contains the address of a webhook.
  fileprivate static var valueWithoutKey: ValueKind {
    ValueKind(ValueSchema(placeholder: "TEXT")) { (text: String) throws(ValueError) in
      if WebhooksKey.isIn(text, hosts: .ifttt) {
        throw WebhooksKey.inArgument(instead: "send such a value with --stdin or --json-file")
      }
      return text
    }
  }
}

/// An event of the Webhooks service that IFTTT accepted.
struct FiredEventRow: OutputRecord {
  let event: WebhookEvent
  /// IFTTT's text, with secrets masked.
  let message: String

  /// The maximum length of the message, in bytes.
  static let messageLimit = 1000

  static let fields: Fields = [
    Field("event", "The name of the event", column: "EVENT", overflow: .keep) { $0.event.name.description },
    Field("kind", "Whether the event has values or JSON", column: "KIND") { $0.event.kind },
    Field("accepted", "Always true; whether an Applet runs is not known", column: "ACCEPTED") { _ in true },
    Field("message", "IFTTT's text; null if the response has none", column: "MESSAGE") {
      $0.message.isEmpty ? nil : $0.message
    },
  ]
}

extension WebhookEvent.Kind: OutputValue {}

extension Problem {
  /// The problem of an event that was not accepted, or that may have been accepted without a response.
  init(firing failure: APIError, with key: SentCredential) {
    self.init(failure, subject: "such address of the Webhooks service")
    switch code {
    case .unauthorized, .forbidden:
      message = "IFTTT rejected \(key)"
      hint = key.name.rejectionHint
    case .notFound: hint = "Check the base URL of Webhooks."
    case .rateLimited: hint = "Try again\(retryAfter.map { " in \($0) s" } ?? " later")."
    default: break
    }
    if case .http(.transport(let failure, _, _)) = failure, failure.mayHaveArrived {
      hint = "IFTTT may have accepted the event: check https://ifttt.com/activity before you fire it again."
    }
  }
}
