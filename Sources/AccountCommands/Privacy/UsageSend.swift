import API
import Arguments
import CommandContext
import Connect
import HTTP
import Store
import World

/// Sends the usage events that wait; started by a command that is done, in the background and with nobody to talk to.
enum UsageSend: Command {
  struct Options: Sendable {}

  static let name = UsageEvents.senderName
  static let summary = "Send the usage events that wait"
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    guard !session.options.isDryRun, !session.options.isOffline else { return .nothing }
    try session.aloneWithUsage { try send(in: session) }
    return .nothing
  }

  private static func send(in session: Session) throws {
    // Read only now that no other sender is at work and 'privacy off' waits for this one.
    guard let choice = session.usageConsent.choice else { return }
    let (store, clock) = (try session.store, session.world.clock)
    let deadline = clock.monotonic() + UsageSchedule.sendingTime
    while let batch = try store.nextUsageBatch(of: UsageUpload.most, under: choice) {
      let left = deadline - clock.monotonic()
      guard left > .zero else { return }
      switch attempt(batch, choice, within: left, in: session) {
      case .arrived: try store.removeUsage(batch, at: clock.now())
      case .failed(let problem, let asked):
        let sending = try store.usageSending(under: choice)
        let next = UsageSchedule(notBefore: sending.notBefore, failures: sending.failures)
          .failed(at: clock.now(), asked: asked)
        return try store.noteUsageFailure(
          problem, failures: next.failures, notBefore: next.notBefore, at: clock.now())
      }
    }
  }

  private enum Ending { case arrived, failed(String, asked: Duration?) }

  private static func attempt(
    _ batch: UsageBatch, _ choice: UsageChoice, within limit: Duration, in session: Session
  ) -> Ending {
    do {
      let upload = UsageUpload(base: try WebURL(parsingBase: batch.base), identity: SDKIdentity(choice))
      let http = try session.http
      http.policy = HTTPClient.Policy(timeout: limit, retries: 0, jobs: 1)
      let response = try http.send(upload.request(batch.events))
      if (200..<300).contains(response.status) { return .arrived }
      return .failed(
        "IFTTT answered \(response.status)", asked: response.retryAfter(now: session.world.clock.now()))
    } catch {
      return .failed(Problem(error).summary, asked: nil)
    }
  }
}

extension Session {
  /// Where the lock stands that a sender holds while it sends.
  private var usageLock: String { get throws { try store.places.data + "/usage.lock" } }

  /// Does nothing where a sender is at work already.
  fileprivate func aloneWithUsage(_ body: () throws -> Void) throws {
    // Nothing waits where there is no folder.
    guard (try? world.files.facts(store.places.data)) != nil else { return }
    _ = try world.files.lockedAtOnce(usageLock, body)
  }

  /// Waits for a sender that is at work, which has no more than a few seconds. One that begins afterwards reads the choice
  /// anew: so nothing is sent any more, once this has returned, under a choice that was changed before.
  func waitForUsageSender() throws {
    guard (try? world.files.facts(usageLock)) != nil else { return }
    try world.files.locked(usageLock) {}
  }
}
