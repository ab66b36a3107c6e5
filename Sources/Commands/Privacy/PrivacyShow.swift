import CommandLine
import HTTP
import IFTTT
import JSON
import Output
import Session
import Store
import Text
import World

enum PrivacyShow: Command {
  static let name = "show"
  static let summary = "Show whether usage events are on, and the next request"
  static var discussion: [String] {
    [
      """
      A usage event contains a connection's id and what happened: its Connect Button was shown, or the connection was \
      created, enabled or disabled. It contains no email address, user, token, location or host. Usage events are off \
      until you run 'ifttt privacy on'. Events are then queued; when there are five, a background process sends them.
      """,
      """
      While usage events are off, nothing is recorded, there is no anonymous id, and requests do not identify this \
      installation. If DO_NOT_TRACK is set to a value other than 0 or false, usage events are off regardless of your \
      choice. CI, --record and --replay have the same effect.
      """,
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema(
        "privacy show --json --fields usage_events,waiting,next", "print the next request as JSON")
    ]
  }
  static var shape: OutputSchema? { .one(PrivacyRow.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    .one(try PrivacyRow(in: session))
  }
}

/// The state of telemetry, including the exact request that would be sent next.
struct PrivacyRow: OutputRecord {
  let consent: UsageConsent
  /// The user's choice, even if something overrides it.
  let choice: UsageChoice?
  let sending: UsageSending?
  /// The time of the next attempt, if earlier ones failed.
  let notBefore: Timestamp?
  let next: NextUpload?

  private var isOn: Bool { consent.choice != nil }

  static let fields: Fields = [
    Field("usage_events", "Whether usage events are recorded and sent", column: "USAGE EVENTS") { $0.isOn },
    Field("reason", "Why usage events are off", column: "REASON") { $0.consent.reason?.description },
    Field("since", "The time of the user's choice", column: "SINCE") { $0.choice?.since },
    Field("anonymous_id", "The random id of this installation", column: "ANONYMOUS ID") {
      $0.choice?.anonymousID.revealed
    },
    Field("waiting", "The number of queued events", column: "QUEUED") { $0.sending?.waiting ?? 0 },
    Field("last_try_at", "The time of the last attempt to send events") { $0.sending?.triedAt },
    Field("last_problem", "Why the last attempt failed") { $0.sending?.problem },
    Field("not_before", "The time of the next attempt, after a failed one") { $0.notBefore },
    Field("next", "The next request, exactly as it would be sent") { $0.next },
  ]

  var card: Card? {
    let reason = consent.reason.map { " (\($0.description))" } ?? ""
    var items: [Card.Item] = [.line(label: "Usage events", value: isOn ? "on" : "off\(reason)")]
    func add(_ label: String, _ value: String?) { items.append(.line(label: label, value: value ?? "")) }
    add(isOn ? "Since" : "Enabled", choice?.since.rfc3339)
    add("Anonymous ID", choice?.anonymousID.revealed)
    if choice != nil { add("Queued", queued(sending?.waiting ?? 0)) }
    add("Last attempt", sending?.triedAt?.rfc3339)
    add("Last error", sending?.problem)
    add("Next attempt", notBefore?.rfc3339)
    if let next { items.append(.section(title: "Next request", items: next.lines.map { .text($0) })) }
    return Card(items: items)
  }

  private func queued(_ count: Int) -> String {
    count < UsageSending.batchThreshold
      ? "\(count); sent when there are \(UsageSending.batchThreshold)" : String(count)
  }
}

/// The next upload. It includes the user's own id in plain text.
struct NextUpload: OutputRecord {
  fileprivate let request: Request
  fileprivate let body: JSONValue

  static let fields: Fields = [
    Field("method", "The HTTP method") { $0.request.method.rawValue },
    Field("url", "The complete URL") { $0.request.url.wire },
    Field("headers", "The headers, from name to value") { upload in OutputMap(upload.headers) },
    Field("body", "The body") { Body(sent: $0.body) },
  ]

  private var headers: [(key: String, value: String)] { request.headers.map { ($0.name, $0.wire) } }

  var lines: [String] {
    ["\(request.method.rawValue) \(request.url.wire)"] + headers.map { "\($0.key): \($0.value)" } + [body.text]
  }

  struct Body: OutputRecord {
    let sent: JSONValue

    static let fields: Fields = [
      Field("events", "The usage events, oldest first") { ($0.sent["events"]?.array ?? []).map(Event.init) }
    ]
  }

  struct Event: OutputRecord {
    let sent: JSONValue

    static let fields: Fields = [
      Field("name", "The name of the event") { $0.sent["name"]?.string ?? "" },
      Field("timestamp", "The time, in milliseconds since 1970") { $0.sent["timestamp"]?.string ?? "" },
      Field("properties", "The properties, from name to value") { event in
        OutputMap((event.sent["properties"]?.object?.members ?? []).map { ($0.key, $0.value.string ?? "") })
      },
    ]
  }
}

extension PrivacyRow {
  init(in session: Session) throws {
    let (consent, queue) = (session.usage.currentConsent, UsageQueue(try session.store))
    let choice = try queue.choice()
    let sending = try choice.map { try queue.sending(under: $0) }
    let isDelayed = sending.map { $0.failures > 0 && !$0.isFree(at: session.world.clock.now()) }
    self.init(
      consent: consent, choice: choice, sending: sending, notBefore: isDelayed == true ? sending?.notBefore : nil,
      next: try consent.choice.flatMap { try NextUpload(under: $0, in: queue, session) })
  }
}

extension NextUpload {
  /// Nil if no events are queued.
  fileprivate init?(under choice: UsageChoice, in queue: UsageQueue, _ session: Session) throws {
    guard let batch = try queue.nextBatch(of: UsageUpload.most, under: choice),
      let base = try? session.network.plainHTTP.url(batch.base)
    else { return nil }
    let request = UsageUpload(base: base, identity: SDKIdentity(choice)).request(batch.events)
    self.init(request: request, body: try JSONValue(parsing: request.body ?? []))
  }
}
