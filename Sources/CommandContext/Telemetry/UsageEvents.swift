package import API
package import Connect
import HTTP
import JSON
package import Secrets
package import Store
import World

/// The usage events of one run, which are gathered while the command works and go on their way when it is done.
///
/// Nothing here can fail a command or hold it up: what goes wrong is left, and seen with `--verbose` or `privacy show`.
package final class UsageEvents {
  /// The hidden command that sends what waits.
  package static let senderName = "__usage"
  /// How it is started: never as the sandbox, whose emulator would take what is meant for IFTTT.
  static let senderArguments = ["--profile", ProfileName.standard.description, "--retries", "0", senderName]

  private unowned let session: Session
  private var known: UsageConsent?
  private var events: [[UInt8]] = []

  package init(_ session: Session) { self.session = session }

  /// Read once; before that, and while they are off, nothing of it is known to anybody.
  package var consent: UsageConsent {
    if let known { return known }
    let consent = session.usageConsent
    known = consent
    return consent
  }

  /// What every call to the Connect API says of this installation; nil while usage events are off.
  package var identity: SDKIdentity? { consent.choice.map(SDKIdentity.init) }

  /// The random id of this installation; nil while usage events are off.
  package var anonymousID: Secret? { consent.choice?.anonymousID }

  /// Notes that something happened. While usage events are off, and with `--dry-run`, it is not even looked at.
  package func record(_ moment: @autoclosure () -> UsageMoment) {
    guard !session.options.isDryRun, consent.choice != nil else { return }
    let now = session.world.clock.now()
    events += moment().events.map { $0.json(at: now).bytes }
    // Of very many only the last are kept in the end.
    if events.count > 10 * UsageSchedule.mostKept { events.removeFirst(events.count - UsageSchedule.mostKept) }
  }

  /// Brings on their way what was recorded. Called when the output is out and the exit code is fixed.
  package func end() {
    guard !events.isEmpty, let choice = consent.choice else { return }
    let events = events.suffix(UsageSchedule.mostKept)
    self.events = []
    do {
      if try session.profileName.isSandbox {
        try sendToSandbox(Array(events), choice)
      } else {
        try queue(Array(events), choice)
      }
    } catch {
      session.diagnose("usage events: \(Problem(error).summary)")
    }
  }

  /// The emulator is on this machine and answers at once, so nothing waits, and nothing of the sandbox is ever sent to
  /// IFTTT.
  private func sendToSandbox(_ events: [[UInt8]], _ choice: UsageChoice) throws {
    let upload = UsageUpload(base: try session.base(.connect), identity: SDKIdentity(choice))
    for start in stride(from: 0, to: events.count, by: UsageUpload.most) {
      _ = try session.http.send(upload.request(Array(events[start...].prefix(UsageUpload.most))))
    }
  }

  private func queue(_ events: [[UInt8]], _ choice: UsageChoice) throws {
    // The command's own store waits for seconds where another process writes; these events are not worth that.
    let store = Store(places: try session.store.places, world: session.world, busyTimeout: .milliseconds(50))
    let base = try session.base(.connect).wire
    let sending = try store.queueUsage(events, to: base, under: choice, keeping: UsageSchedule.mostKept)
    session.diagnose("usage events: \(sending.waiting) wait to be sent")
    let schedule = UsageSchedule(notBefore: sending.notBefore, failures: sending.failures)
    let now = session.world.clock.now()
    guard schedule.isDue(waiting: sending.waiting, at: now), !session.options.isOffline,
      !session.world.interruption.isInterrupted,
      try store.claimUsageSending(sending, until: schedule.claimed(at: now).notBefore)
    else { return }
    try session.world.processes.startAgain(Self.senderArguments)
    session.diagnose("usage events: sent in the background")
  }
}

extension Session {
  /// What is recorded of this run for IFTTT, where the user wants that.
  package var usage: UsageEvents { cached { UsageEvents(self) } }
}

extension SDKIdentity {
  package init(_ choice: UsageChoice) { self.init(version: CommandContext.version, anonymousID: choice.anonymousID) }
}
