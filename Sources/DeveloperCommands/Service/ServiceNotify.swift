import CommandLine
import HTTP
import IFTTT
import Output
import Session
import Text
import World

enum ServiceNotify: Command {
  struct Options: CommandOptions {
    var userIDs: [String] = []
    var triggerIdentities: [String] = []
    var readsInput = false
    var serviceKeyFile: String?
  }

  static let name = "notify"
  static let summary = "Notify IFTTT that new trigger events are waiting"
  static var discussion: [String] {
    [
      """
      Sends notifications to the Realtime API. A notification carries no events. It makes IFTTT poll your service: \
      the trigger of each trigger identity, and all triggers of each user. Trigger identities cause fewer requests. \
      The profile's user and IFTTT_USER_ID are ignored: name each user to notify.
      """,
      """
      With --stdin, each line is a trigger identity, or a JSON object with "user_id" or "trigger_identity". If a line \
      cannot be read, nothing is sent. A repeated notification is sent once.
      """,
      """
      The notifications are sent in batches of at most \(RealtimeNotification.limit), up to --jobs at a time, and one \
      row is printed per batch. One failure does not stop the rest. A notification is idempotent, so failed requests \
      are retried, and the command can be run again.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .repeated(
        "trigger-identity", .nonEmpty("IDENTITY"), into: \.triggerIdentities, help: "A trigger identity with new events"
      ),
      .repeated(
        "user-id", .userID(), into: \.userIDs, help: "A user of your service with new events in any trigger"),
      .toggle("stdin", into: \.readsInput, help: "Read the notifications from stdin, one per line"),
      .credentialFile(.serviceKey, into: \.serviceKeyFile),
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("service notify --user-id u-5521", "have IFTTT poll all triggers of a user"),
      ExampleSchema("service notify --stdin --jobs 4 -o jsonl", "notify in batches, and print one result per line"),
    ]
  }
  static let reportFormats = ReportFile.Format.common
  static var shape: OutputSchema? { .many(NotifiedBatchRow.self).report }

  static func check(_ options: Options) throws(Conflict) {
    let hasNotifications = !options.userIDs.isEmpty || !options.triggerIdentities.isEmpty
    if options.readsInput, hasNotifications {
      throw Conflict(
        "--stdin cannot be combined with --user-id or --trigger-identity",
        options: ["stdin", "user-id", "trigger-identity"])
    }
    guard hasNotifications || options.readsInput else {
      throw Conflict(
        "specify --trigger-identity, --user-id or --stdin", options: ["user-id"], isMissingArgument: true)
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let batches = try batches(options, in: session)
    let key = try session.credentials.required(
      .serviceKey, file: options.serviceKeyFile, for: "'service notify'")
    let base = try session.network.base(.realtime)
    func request(_ batch: NotificationBatch) -> Request {
      RealtimeNotification.request(batch.notifications, to: base, key: key, id: batch.requestID)
    }
    if session.options.isDryRun { return session.dryRun(batches.map(request)) }
    let http = try session.network.http
    // The response is undocumented (docs/api/service.md U18), so any 2xx counts as accepted.
    let credential = SentCredential(.serviceKey, from: session.credentials.origin(of: key))
    func endpoint(_ batch: NotificationBatch) -> Endpoint<Void> {
      Endpoint(request(batch), with: credential, by: http) { response throws(APIError) in try response.succeeded() }
    }
    var run = BatchRun(batches.map(\.number), in: session)
    run.isChange = true
    return run.output(as: .many(NotifiedBatchRow.self)) { report in
      try http.send(batches, to: endpoint, starting: { report.starting($0.number) }) { batch, result in
        var row = NotifiedBatchRow(batch: batch)
        guard case .failure(let failure) = result else { return try report(batch.number, .done(row.bytes)) }
        let problem = problem(failure, credential).completed(with: session.suggestions)
        row.problem = problem
        try report(batch.number, .failed(problem, row: row.bytes))
      }
    }
  }

  private static func batches(_ options: Options, in session: Session) throws -> [NotificationBatch] {
    var notifications = OrderedNotifications()
    for identity in options.triggerIdentities { notifications.add(.triggerIdentity(identity)) }
    for user in options.userIDs { notifications.add(.user(user)) }
    let all = try options.readsInput ? NotificationReader.all(from: session.console) : notifications.all
    let limit = RealtimeNotification.limit
    return stride(from: 0, to: all.count, by: limit).enumerated().map { index, start in
      NotificationBatch(
        number: .init(value: index + 1), notifications: all[start..<min(start + limit, all.count)],
        requestID: RequestID(session.network.reproducibleRandom))
    }
  }

  private static func problem(_ failure: APIError, _ key: SentCredential) -> Problem {
    var problem = Problem(failure, subject: nil)
    switch problem.code {
    case .unauthorized, .forbidden:
      guard !problem.isSkip else { break }
      problem.message = "IFTTT rejected \(key)"
      problem.hint = key.name.rejectionHint
    case .notFound: problem.hint = "Check the base URL of the Realtime API."
    default: break
    }
    return problem
  }
}

/// The notifications of one request to the Realtime API.
struct NotificationBatch {
  let number: BatchNumber
  let notifications: ArraySlice<RealtimeNotification>
  /// The id of the request, the same for every attempt, so that IFTTT can recognize a retry.
  let requestID: RequestID

  /// The number of a batch, starting at 1, as errors name it.
  struct BatchNumber: Hashable, CustomStringConvertible {
    let value: Int
    var description: String { "batch \(value)" }
  }
}

/// The result of one batch of notifications.
struct NotifiedBatchRow: OutputRecord {
  enum Status: String, CaseIterable, OutputValue { case accepted, failed }

  let batch: NotificationBatch
  var problem: Problem?

  static let fields: Fields = [
    Field("batch", "The number of the batch, counted from 1", column: "BATCH", style: .number) {
      $0.batch.number.value
    },
    Field("items", "The number of notifications in the batch", column: "ITEMS", style: .number) {
      $0.batch.notifications.count
    },
    Field("status", "Whether IFTTT accepted the batch", column: "STATUS", overflow: .keep) {
      $0.problem == nil ? Status.accepted : .failed
    },
    Field("error", "Why the batch failed; null if it was accepted") { $0.problem?.brief },
    Field("request_id", "The X-Request-ID that was sent with the batch", column: "REQUEST ID", overflow: .keep) {
      $0.batch.requestID.description
    },
  ]
}
