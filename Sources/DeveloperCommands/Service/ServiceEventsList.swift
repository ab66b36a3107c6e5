import CommandLine
import Output
import Session
import Store
import Text

enum ServiceEventsList: Command {
  struct Options: Sendable {
    var filter = WebhookFilter()
    var last: Int?
  }

  static let name = "list"
  static let summary = "List the received webhooks, oldest first"
  static var flags: [Flag<Options>] {
    [
      .value("type", .webhookType, into: \.filter, help: "Only this type or event, such as connection/enabled"),
      .value("last", short: "n", .integer(in: 1...Int.max), into: \.last, help: "Only the last N webhooks"),
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("service events list --json", "print all received webhooks"),
      ExampleSchema("service events list --type enabled --last 5", "list the last five connections that were enabled"),
    ]
  }
  static var shape: OutputSchema? { .many(WebhookRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let (store, profile) = (try session.store, try session.profile.name)
    if try store.webhookCounts(options.filter, profile: profile).all == 0 {
      session.console.noteEmpty("No webhooks were received. Receive them with: \(ifttt: "service listen")")
    }
    let rows = Rows(isReiterable: false) { body in
      try store.forEachWebhook(options.filter, last: options.last, profile: profile) { webhook throws in
        try WebhookRow(webhook).bytes.withUnsafeBytes(body)
      }
    }
    return Output(body: .rows(rows, .many(WebhookRow.self)))
  }
}
