import CommandLine
import HTTP
import IFTTT
import Output
import Session
import Store
import Text

enum ServiceEventsReplay: Command {
  struct Options: CommandOptions {
    var ids: [Int] = []
    var forward = ForwardOptions()
  }

  static let name = "replay"
  static let summary = "Send received webhooks to a server again"
  static var discussion: [String] {
    [
      """
      Sends each webhook with the header fields and the body as received, several at once. The service key is added only \
      for a server on this machine or with --forward-key. A webhook that 'service listen --forward' could not deliver to \
      the same server counts as delivered from then on.
      """
    ]
  }
  static var flags: [Flag<Options>] { .lifted(ForwardOptions.flags, into: \.forward) }
  static var positionals: [Positional<Options>] {
    [.many(.webhookID, atLeast: .one, into: \.ids, help: "The webhooks' ids, from 'service events list'")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("service events replay 1 --forward http://localhost:3000", "deliver a webhook to a server"),
      ExampleSchema("service events replay 4 5 --forward https://api.example.com --json", "deliver two webhooks"),
    ]
  }
  static var shape: OutputSchema? { .many(ReplayedWebhook.self).report }

  static func check(_ options: Options) throws(Conflict) {
    if options.forward.url == nil {
      throw Conflict("--forward URL is required: the server to send to", options: ["forward"], isMissingArgument: true)
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let key = try session.credentials.secret(.serviceKey, file: options.forward.serviceKeyFile)
    guard let target = try options.forward.target(key: key, in: session) else { return .nothing }
    let webhooks = try StoredWebhook.all(options.ids, in: session)
    let requests = webhooks.map { target.request(for: $0.webhook) }
    if session.options.isDryRun { return session.dryRun(requests) }
    let (store, profile) = (try session.store, try session.profile.name)
    let client = session.network.loopback
    client.policy.jobs = session.options.jobs
    client.policy.retries = session.options.retries
    let failures = BatchFailures(of: webhooks.count)
    let rows = Rows(isReiterable: false) { body in
      try client.send(requests) { index, result in
        let replayed = ReplayedWebhook(webhooks[index], result, at: target)
        if let problem = replayed.problem {
          failures.add(problem, of: webhooks[index].number)
        } else if webhooks[index].forwarding?.state != .delivered {
          let attempt = WebhookAttempt(
            number: webhooks[index].number, state: .delivered, status: replayed.status, problem: nil)
          try WebhookStore(store, profile: profile).noteForwarding([attempt], to: target.name)
        }
        try replayed.bytes.withUnsafeBytes(body)
      }
    }
    var output = Output(body: .rows(rows, .many(ReplayedWebhook.self)), verdict: { try failures.evaluate() })
    output.isChange = true
    return output
  }
}

/// The result of sending a webhook again.
struct ReplayedWebhook: OutputRecord {
  private let webhook: StoredWebhook
  private let url: String
  let status: Int?
  /// The reason why the server did not accept it; nil if it did.
  let problem: Problem?

  init(_ webhook: StoredWebhook, _ result: Result<Response, HTTPError>, at target: ForwardTarget) {
    self.webhook = webhook
    url = target.request(for: webhook.webhook).url.redacted
    switch result {
    case .success(let response):
      status = response.status
      guard !(200..<300).contains(response.status) else {
        problem = nil
        return
      }
      var problem = Problem(
        Problem.Code(ErrorStatus(response.status)), "webhook \(webhook.number) was not accepted",
        reason: "\(target.url.base.origin) responded with \(response.status)", hint: "-v shows the request.",
        status: response.status)
      problem.attempts = response.attempts
      self.problem = problem
    case .failure(let failure): (status, problem) = (nil, failure.problem)
    }
  }

  static let fields: Fields = [
    Field("id", "The webhook's id", column: "ID", overflow: .keep) { String($0.webhook.number) },
    Field("type", "The kind of object it concerns", column: "TYPE") { $0.webhook.webhook.type },
    Field("event", "The event", column: "EVENT") { $0.webhook.webhook.event },
    Field("url", "The URL it was sent to", column: "URL", overflow: .keep) { $0.url },
    Field("status", "The status of the response; null without a response", column: "STATUS", style: .number) {
      $0.status
    },
    Field("delivered", "Whether the server accepted it", column: "DELIVERED") { $0.problem == nil },
    Field("error", "Why it was not accepted") { $0.problem?.summary },
  ]
}
