import CommandLine
import JSON
import Output
import Session
import Store
import Text

enum ServiceEventsList: Command {
  struct Options: CommandOptions {
    var filter = WebhookFilter()
    var last: Int?
  }

  static let name = "list"
  static let summary = "List the received webhooks, oldest first"
  static var flags: [Flag<Options>] {
    [
      .value("type", .webhookType, into: \.filter, help: "Only this type or event, such as connection/enabled"),
      .value("last", .integer(in: 1...Int.max), into: \.last, help: "Only the last N webhooks"),
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("service events list --json", "print all received webhooks"),
      ExampleSchema("service events list --type enabled --last 5", "list the last five connections that were enabled"),
    ]
  }
  static var shape: OutputSchema? { .many(WebhookRow.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let (store, profile) = (try session.store, try session.profile.name)
    if try WebhookStore(store, profile: profile).counts(options.filter).all == 0 {
      session.console.noteEmpty("No webhooks were received. Receive them with: \(ifttt: "service listen")")
    }
    let rows = Rows(isReiterable: false) { body in
      try WebhookStore(store, profile: profile).forEach(options.filter, last: options.last) { webhook throws in
        try WebhookRow(webhook).bytes.withUnsafeBytes(body)
      }
    }
    return Output(body: .rows(rows, .many(WebhookRow.self)))
  }
}

enum ServiceEventsShow: Command {
  struct Options: CommandOptions {
    var id = Required<Int>()
    var isRaw = false
  }

  static let name = "show"
  static let summary = "Show a received webhook in full"
  static var flags: [Flag<Options>] {
    [.toggle("raw", into: \.isRaw, help: "Print only the body, byte for byte")]
  }
  static var positionals: [Positional<Options>] {
    [.required(.webhookID, into: \.id, help: "The webhook's id, from 'service events list'")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("service events show 1 --json", "print the header fields and the body"),
      ExampleSchema("service events show 1 --raw", "print the body as it was received"),
    ]
  }
  static var shape: OutputSchema? { .one(WebhookDetails.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let webhook = try StoredWebhook.all([options.id.value], in: session)[0]
    return options.isRaw ? Output.bytes(webhook.webhook.body) : .one(WebhookDetails(webhook))
  }
}

extension ValueKind<Int> {
  static var webhookID: ValueKind { .integer(in: 1...Int.max, placeholder: "ID") }
}

extension StoredWebhook {
  /// The webhooks with these numbers.
  /// - Throws: `not_found` if one of them does not exist.
  static func all(_ numbers: [Int], in session: Session) throws -> [StoredWebhook] {
    let webhooks = try WebhookStore(session.store, profile: session.profile.name).webhooks(numbers.map(Int64.init))
    guard let missing = numbers.first(where: { number in !webhooks.contains { $0.number == number } }) else {
      return webhooks
    }
    throw Problem(
      .notFound, "no webhook \(missing) in profile '\(try session.profileName)'",
      hint: "List the received webhooks with \(ifttt: "service events list").")
  }
}

/// A webhook with everything that is stored about it.
struct WebhookDetails: OutputRecord {
  private let row: WebhookRow

  init(_ webhook: StoredWebhook) { row = WebhookRow(webhook) }

  private var forwarding: WebhookForwarding? { row.stored.forwarding }

  static let fields: Fields =
    WebhookRow.identity(.truncate).map { field in field.lifted { $0.row } } + [
      Field("sent_at", "The time at which IFTTT sent it", column: "SENT AT", style: .past) { $0.row.contents.sentAt },
      Field("repeated", "Whether an earlier webhook has the same X-Request-ID", column: "REPEATED") {
        $0.row.stored.isRepeated
      },
      Field("forwarded", "The status of the last response of the --forward server; null without a response") {
        $0.forwarding?.status
      },
      Field(
        "exec", "The state of the --exec command: waiting, succeeded or failed; null without one", column: "EXEC",
        style: .status
      ) { $0.row.stored.execution?.state.rawValue },
      Field("exec_status", "The exit status of the --exec command", column: "EXEC STATUS") {
        $0.row.stored.execution?.status
      },
      Field("request_id", "The X-Request-ID", column: "REQUEST ID") { $0.row.stored.webhook.requestID },
      Field("forwarding", "The forwarding to another server; null if it is not forwarded") {
        $0.forwarding.map(ForwardingDetails.init)
      },
      Field("headers", "The header fields, without credentials") { details in
        details.row.stored.webhook.headers.map(HeaderDetails.init)
      },
      Field("body", "The body", column: "BODY") { $0.row.contents.document },
    ]
}

/// The forwarding of a webhook, as printed.
private struct ForwardingDetails: OutputRecord {
  let forwarding: WebhookForwarding

  static let fields: Fields = [
    Field("url", "The API URL of the server", column: "FORWARDED TO") { $0.forwarding.url },
    Field("state", "Whether it is waiting, was delivered or was rejected", column: "STATE", style: .status) {
      $0.forwarding.state.rawValue
    },
    Field("status", "The status of the last response; null without a response", column: "STATUS") {
      $0.forwarding.status
    },
    Field("tries", "The number of attempts", column: "TRIES") { $0.forwarding.tries },
    Field("problem", "Why the last attempt failed", column: "PROBLEM") { $0.forwarding.problem },
  ]
}

/// A header field, as printed. A name may occur more than once.
private struct HeaderDetails: OutputRecord {
  let header: ReceivedWebhook.Header

  static let fields: Fields = [
    Field("name", "The name as received") { $0.header.name },
    Field("value", "The value") { $0.header.value },
  ]
}

enum ServiceEventsClear: Command {
  struct Options: CommandOptions {
    var filter = WebhookFilter()
  }

  static let name = "clear"
  static let summary = "Remove the received webhooks from the store"
  static var discussion: [String] {
    [
      """
      Also removes those that 'service listen' has not delivered yet, or not passed to its --exec command. Webhooks that \
      arrive after the prompt stay.
      """
    ]
  }
  static var flags: [Flag<Options>] {
    [.value("type", .webhookType, into: \.filter, help: "Only this type or event, such as connection/enabled")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("service events clear --yes --json", "remove all received webhooks"),
      ExampleSchema("service events clear --type fired --yes", "remove the trigger events"),
    ]
  }
  static var shape: OutputSchema? { .one(ClearedWebhooks.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let (store, profile) = (try session.store, try session.profile.name)
    let counts = try WebhookStore(store, profile: profile).counts(options.filter)
    let what = counts.all.counted("webhook")
    if session.options.isDryRun { return session.dryRun(change: counts.all == 0 ? nil : "Would remove \(what).") }
    guard counts.all > 0 else {
      session.console.noteEmpty("No webhooks are stored.")
      return .one(ClearedWebhooks(count: 0))
    }
    let waiting = [(counts.toForward, "not forwarded yet"), (counts.toExecute, "waiting for a command")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let list = waiting.isEmpty ? "" : " (\(waiting.joined(separator: ", ")))"
    try session.console.confirm("Remove \(what)\(list)?")
    return .one(
      ClearedWebhooks(count: try WebhookStore(store, profile: profile).remove(options.filter, upTo: counts.newest)))
  }
}

/// The result of removing webhooks.
struct ClearedWebhooks: OutputRecord {
  let count: Int

  static let fields: Fields = [Field("removed", "The number of removed webhooks", column: "REMOVED") { $0.count }]
}
