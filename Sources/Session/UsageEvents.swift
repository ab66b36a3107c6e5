import HTTP
package import IFTTT
import JSON
package import Store
package import Text
import World

/// The usage events of one run, collected while the command runs and sent when it is done.
///
/// Nothing here can fail or delay a command: errors are ignored and visible only with `--verbose` or in `privacy
/// show`.
package final class UsageEvents {
  /// The hidden command that sends queued events.
  package static let senderName = "__usage"
  /// The sender's arguments. It never uses the sandbox profile, whose emulator would receive events meant for IFTTT.
  static let senderArguments = ["--profile", ProfileName.standard.description, "--retries", "0", senderName]

  private let storage: StoreAccess
  private let network: Network
  private let console: Console
  private let isRecorded: Bool
  private let isReplay: Bool
  private var events: [[UInt8]] = []
  /// The consent, read once. Nothing is disclosed before it is read or while usage events are disabled.
  package private(set) lazy var consent = currentConsent

  init(_ storage: StoreAccess, _ network: Network, _ console: Console, isRecorded: Bool, isReplay: Bool) {
    (self.storage, self.network, self.console) = (storage, network, console)
    (self.isRecorded, self.isReplay) = (isRecorded, isReplay)
  }

  private var world: World { storage.world }
  private var options: GlobalOptions { storage.options }

  /// The reason that disables usage events regardless of the setting; nil if the setting applies.
  package var veto: UsageConsent.Reason? {
    if isReplay { return .replay }
    if isRecorded { return .recording }
    if asksNotToTrack(world.environment[.doNotTrack]) { return .variable }
    return console.isCI ? .ci : nil
  }

  /// The consent, evaluated on every access.
  package var currentConsent: UsageConsent {
    if let veto { return .off(veto) }
    do {
      return try UsageQueue(storage.store).choice().map(UsageConsent.on) ?? .off(.notChosen)
    } catch {
      return .off(.unreadable)
    }
  }

  /// The identity of this installation in every request to the Connect API; nil while usage events are disabled.
  package var identity: SDKIdentity? { consent.choice.map(SDKIdentity.init) }

  /// The random id of this installation; nil while usage events are disabled.
  package var anonymousID: Secret? { consent.choice?.anonymousID }

  /// Records an event. While usage events are disabled, and with `--dry-run`, the argument is not evaluated.
  package func record(_ moment: @autoclosure () -> UsageMoment) {
    guard !options.isDryRun, consent.choice != nil else { return }
    let now = world.clock.now()
    events += moment().events.map { $0.json(at: now).bytes }
    // Bounds the memory of a long run. Only the last events are stored in the end anyway.
    if events.count > 10 * UsageSending.queueLimit { events.removeFirst(events.count - UsageSending.queueLimit) }
  }

  /// Records the events that the Connect Button's own flow records for a change of status.
  /// - Parameter before: the status before the change; nil if unknown.
  package func record(_ change: StatusSwitch, of id: ConnectionID, before: Connection.Status?) {
    let before = before ?? .unknown
    switch change {
    case .enable:
      record(.connecting(id, before))
      record(.connected(id, before: before))
    case .disable: record(.disconnecting(id, before))
    }
  }

  /// Sends or queues the recorded events. Called when the output is written and the exit code is final.
  package func end() {
    guard !events.isEmpty, let choice = consent.choice else { return }
    let events = events.suffix(UsageSending.queueLimit)
    self.events = []
    do {
      if try storage.profileName.isSandbox {
        try sendToSandbox(Array(events), choice)
      } else {
        try queue(Array(events), choice)
      }
    } catch {
      console.diagnose("usage events: \(Problem.from(error).summary)")
    }
  }

  /// Sends the events to the emulator. It is on this machine and responds at once, so nothing is queued, and no event
  /// of the sandbox is ever sent to IFTTT.
  private func sendToSandbox(_ events: [[UInt8]], _ choice: UsageChoice) throws {
    let upload = UsageUpload(base: try network.base(.connect), identity: SDKIdentity(choice))
    for start in stride(from: 0, to: events.count, by: UsageUpload.most) {
      _ = try network.http.send(upload.request(Array(events[start...].prefix(UsageUpload.most))))
    }
  }

  private func queue(_ events: [[UInt8]], _ choice: UsageChoice) throws {
    // The command's own store waits for seconds while another process writes; these events are not worth that delay.
    let store = Store(directories: try storage.store.directories, world: world, busyTimeout: .milliseconds(50))
    let base = try network.base(.connect).wire
    let sending = try UsageQueue(store).add(events, to: base, under: choice, limit: UsageSending.queueLimit)
    console.diagnose("usage events: \(sending.waiting) queued")
    let now = world.clock.now()
    guard sending.isDue(at: now), !options.isOffline, !world.interruption.isInterrupted,
      try UsageQueue(store).claim(sending, at: now)
    else { return }
    try world.processes.startAgain(Self.senderArguments)
    console.diagnose("usage events: sent in the background")
  }
}

extension SDKIdentity {
  package init(_ choice: UsageChoice) { self.init(version: programVersion, anonymousID: choice.anonymousID) }
}

/// Whether usage events are recorded and sent in this run, and the reason if not.
package enum UsageConsent {
  case on(UsageChoice)
  case off(Reason)

  package enum Reason {
    /// Usage events are not enabled.
    case notChosen
    case variable
    case ci
    case recording
    case replay
    /// The setting cannot be read, so usage events are disabled.
    case unreadable

    /// The reason as part of a sentence.
    package var description: String {
      switch self {
      case .notChosen: "not enabled with 'ifttt privacy on'"
      case .variable: "DO_NOT_TRACK is set"
      case .ci: "CI is set, and a CI service cannot give consent"
      case .recording: "the run is recorded with --record"
      case .replay: "the run is a replay"
      case .unreadable: "the setting cannot be read"
      }
    }
  }

  package var choice: UsageChoice? {
    if case .on(let choice) = self { choice } else { nil }
  }

  package var reason: Reason? {
    if case .off(let reason) = self { reason } else { nil }
  }
}

/// The rule of consoledonottrack.com is `DO_NOT_TRACK=1`. Any other value counts as well, except `0` and `false`,
/// which commonly disable such a variable.
private func asksNotToTrack(_ variable: String?) -> Bool {
  guard let value = variable?.lowercased() else { return false }
  return !["", "0", "false"].contains(value)
}
