import CommandLine
import Output
import Session
import Store
import Text

enum ServiceEventsClear: Command {
  struct Options: Sendable {
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
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let (store, profile) = (try session.store, try session.profile.name)
    let counts = try store.webhookCounts(options.filter, profile: profile)
    let what = counts.all == 1 ? "1 webhook" : "\(counts.all) webhooks"
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
      ClearedWebhooks(count: try store.removeWebhooks(options.filter, upTo: counts.newest, profile: profile)))
  }
}

/// The result of removing webhooks.
struct ClearedWebhooks: OutputRecord {
  let count: Int

  static let fields: Fields = [Field("removed", "The number of removed webhooks", column: "REMOVED") { $0.count }]
}
