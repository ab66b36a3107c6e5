import CommandLine
import HTTP
import IFTTT
import Session
import Store
import Text
import World

/// Sends the queued usage events. A command starts it in the background before it ends, without a terminal.
enum UsageSend: Command {
  static let name = UsageEvents.senderName
  static let summary = "Send the queued usage events"

  static func run(_ options: Options, in session: Session) throws -> Output {
    guard !session.options.isDryRun, !session.options.isOffline else { return .nothing }
    try UsageSenderLock(in: session).holding { try send(in: session) }
    return .nothing
  }

  private static func send(in session: Session) throws {
    // Read the choice only under the lock: 'privacy off' waits for the lock after it deletes the choice.
    guard let choice = session.usage.currentConsent.choice else { return }
    let (queue, clock) = (UsageQueue(try session.store), session.world.clock)
    let deadline = clock.monotonic() + UsageSending.sendingTime
    while let batch = try queue.nextBatch(of: UsageUpload.most, under: choice) {
      let remaining = deadline - clock.monotonic()
      guard remaining > .zero else { return }
      switch attempt(batch, choice, within: remaining, in: session) {
      case .accepted: try queue.remove(batch, at: clock.now())
      case .failed(let problem, let retryAfter):
        let sending = try queue.sending(under: choice)
        return try queue.noteFailure(sending.failed(problem, at: clock.now(), retryAfter: retryAfter))
      }
    }
  }

  private enum SendResult { case accepted, failed(String, retryAfter: Duration?) }

  private static func attempt(
    _ batch: UsageBatch, _ choice: UsageChoice, within limit: Duration, in session: Session
  ) -> SendResult {
    do {
      let upload = UsageUpload(
        base: try session.network.plainHTTP.url(batch.base), identity: SDKIdentity(choice))
      let http = try session.network.http
      http.policy = HTTPClient.Policy(timeout: limit, retries: 0, jobs: 1)
      let response = try http.send(upload.request(batch.events))
      if (200..<300).contains(response.status) { return .accepted }
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
