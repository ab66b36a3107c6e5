import CommandLine
import HTTP
import IFTTT
import Session
import Store
import World

/// Sends the queued usage events. A finished command starts it in the background, without a terminal.
enum UsageSend: Command {
  struct Options: Sendable {}

  static let name = UsageEvents.senderName
  static let summary = "Send the queued usage events"
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    guard !session.options.isDryRun, !session.options.isOffline else { return .nothing }
    try session.withUsageLock { try send(in: session) }
    return .nothing
  }

  private static func send(in session: Session) throws {
    // Read the choice only under the lock: no other sender is active, and 'privacy off' waits for this one.
    guard let choice = session.usageConsent.choice else { return }
    let (store, clock) = (try session.store, session.world.clock)
    let deadline = clock.monotonic() + UsageSchedule.sendingTime
    while let batch = try store.nextUsageBatch(of: UsageUpload.most, under: choice) {
      let remaining = deadline - clock.monotonic()
      guard remaining > .zero else { return }
      switch attempt(batch, choice, within: remaining, in: session) {
      case .arrived: try store.removeUsage(batch, at: clock.now())
      case .failed(let problem, let retryAfter):
        let sending = try store.usageSending(under: choice)
        let next = UsageSchedule(notBefore: sending.notBefore, failures: sending.failures)
          .failed(at: clock.now(), retryAfter: retryAfter)
        return try store.noteUsageFailure(
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

extension Session {
  /// The path of the lock that a sender holds while it sends.
  private var usageLock: String { get throws { try store.directories.data + "/usage.lock" } }

  /// Runs `body` under the sender's lock; does nothing if another sender is active.
  fileprivate func withUsageLock(_ body: () throws -> Void) throws {
    // Without the folder, no events can be queued.
    guard (try? world.files.status(store.directories.data)) != nil else { return }
    _ = try world.files.lockedAtOnce(usageLock, body)
  }

  /// Waits for an active sender, which runs for a few seconds at most. A sender that starts later reads the choice
  /// again. After this method returns, nothing is sent under an earlier choice.
  func waitForUsageSender() throws {
    guard (try? world.files.status(usageLock)) != nil else { return }
    try world.files.locked(usageLock) {}
  }
}
