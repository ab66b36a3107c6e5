import CommandLine
import HTTP
import IFTTT
import Session
import Store
import Text
import World

enum PrivacyOn: Command {
  struct Options: Sendable {}

  static let name = "on"
  static let summary = "Enable usage events, and create an anonymous id"
  static var discussion: [String] {
    [
      """
      From now on, the usage events that 'privacy show' describes are recorded and sent to IFTTT. The id is random. It is \
      sent with every request to the Connect API, except for the request that contains an email address. IFTTT also \
      receives the credentials of those requests, so it can determine which user the id belongs to.
      """
    ]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("privacy on", "send usage events to IFTTT")] }
  static var shape: OutputSchema? { .one(PrivacyRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try requireNoVeto(in: session, "usage events cannot be enabled")
    if session.options.isDryRun {
      let isOn = try UsageQueue(session.store).choice() != nil
      return session.dryRun(change: isOn ? nil : "Would enable usage events and create an anonymous id.")
    }
    _ = try UsageQueue(session.store).switchOn()
    return .one(try PrivacyRow(in: session))
  }

  /// Throws if telemetry is vetoed; no id may be created then.
  fileprivate static func requireNoVeto(in session: Session, _ what: String) throws {
    guard let veto = session.usage.veto else { return }
    throw Problem(
      .refused, "\(what) here", reason: veto.description,
      hint: "Remove the cause and run the command again. To show the current state, run: \(ifttt: "privacy show")")
  }
}

enum PrivacyOff: Command {
  struct Options: Sendable {}

  static let name = "off"
  static let summary = "Disable usage events; delete the anonymous id and all queued events"
  static var discussion: [String] {
    [
      "The command waits at most a few seconds for a request in flight. After the command ends, nothing more is sent."
    ]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("privacy off", "stop recording and sending usage events")] }
  static var shape: OutputSchema? { .one(PrivacyRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    if session.options.isDryRun {
      let isOn = try UsageQueue(session.store).choice() != nil
      return session.dryRun(
        change: isOn ? "Would disable usage events and delete the anonymous id and all queued events." : nil)
    }
    if try UsageQueue(session.store).switchOff() { try UsageSenderLock(in: session).wait() }
    return .one(try PrivacyRow(in: session))
  }
}

enum PrivacyReset: Command {
  struct Options: Sendable {}

  static let name = "reset"
  static let summary = "Create a new anonymous id; delete events queued under the old one"
  static var examples: [ExampleSchema] { [ExampleSchema("privacy reset", "use a new anonymous id from now on")] }
  static var shape: OutputSchema? { .one(PrivacyRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let isOn = try UsageQueue(session.store).choice() != nil
    if isOn { try PrivacyOn.requireNoVeto(in: session, "a new anonymous id cannot be created") }
    if session.options.isDryRun { return session.dryRun(change: isOn ? "Would create a new anonymous id." : nil) }
    if try UsageQueue(session.store).renewAnonymousID() != nil {
      try UsageSenderLock(in: session).wait()
    } else {
      session.console.noteToPerson("Usage events are off, so there is no anonymous id.")
    }
    return .one(try PrivacyRow(in: session))
  }
}

/// Sends the queued usage events. A finished command starts it in the background, without a terminal.
enum UsageSend: Command {
  struct Options: Sendable {}

  static let name = UsageEvents.senderName
  static let summary = "Send the queued usage events"
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    guard !session.options.isDryRun, !session.options.isOffline else { return .nothing }
    try UsageSenderLock(in: session).holding { try send(in: session) }
    return .nothing
  }

  private static func send(in session: Session) throws {
    // Read the choice only under the lock: no other sender is active, and 'privacy off' waits for this one.
    guard let choice = session.usage.currentConsent.choice else { return }
    let (queue, clock) = (UsageQueue(try session.store), session.world.clock)
    let deadline = clock.monotonic() + UsageSchedule.sendingTime
    while let batch = try queue.nextBatch(of: UsageUpload.most, under: choice) {
      let remaining = deadline - clock.monotonic()
      guard remaining > .zero else { return }
      switch attempt(batch, choice, within: remaining, in: session) {
      case .arrived: try queue.remove(batch, at: clock.now())
      case .failed(let problem, let retryAfter):
        let sending = try queue.sending(under: choice)
        let next = UsageSchedule(notBefore: sending.notBefore, failures: sending.failures)
          .failed(at: clock.now(), retryAfter: retryAfter)
        return try queue.noteFailure(
          problem, failures: next.failures, notBefore: next.notBefore, at: clock.now())
      }
    }
  }

  private enum SendResult { case arrived, failed(String, retryAfter: Duration?) }

  private static func attempt(
    _ batch: UsageBatch, _ choice: UsageChoice, within limit: Duration, in session: Session
  ) -> SendResult {
    do {
      let upload = UsageUpload(base: try WebURL(parsingBase: batch.base), identity: SDKIdentity(choice))
      let http = try session.network.http
      http.policy = HTTPClient.Policy(timeout: limit, retries: 0, jobs: 1)
      let response = try http.send(upload.request(batch.events))
      if (200..<300).contains(response.status) { return .arrived }
      return .failed(
        "IFTTT responded with \(response.status)", retryAfter: response.retryAfter(now: session.world.clock.now()))
    } catch {
      return .failed(Problem.from(error).summary, retryAfter: nil)
    }
  }
}

/// The lock that a sender holds while it sends.
struct UsageSenderLock {
  private let files: any Files
  private let folder: String
  private var path: String { folder + "/usage.lock" }

  init(in session: Session) throws { (files, folder) = (session.world.files, try session.store.directories.data) }

  /// Runs `body` under the lock; does nothing if another sender is active.
  fileprivate func holding(_ body: () throws -> Void) throws {
    // Without the folder, no events can be queued.
    guard files.exists(folder) else { return }
    _ = try files.lockedAtOnce(path, body)
  }

  /// Waits for an active sender, which runs for a few seconds at most. A sender that starts later reads the choice
  /// again. After this method returns, nothing is sent under an earlier choice.
  func wait() throws {
    guard files.exists(path) else { return }
    try files.locked(path) {}
  }
}
