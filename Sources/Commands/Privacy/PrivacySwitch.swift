import CommandLine
import Session
import Store
import Text

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
    try session.refuseUnderVeto("usage events cannot be enabled")
    if session.options.isDryRun {
      let isOn = try session.store.usageChoice() != nil
      return session.dryRun(change: isOn ? nil : "Would enable usage events and create an anonymous id.")
    }
    _ = try session.store.switchUsageOn()
    return .one(try session.privacyRow())
  }
}

extension Session {
  /// Throws if telemetry is vetoed; no id may be created then.
  func refuseUnderVeto(_ what: String) throws {
    guard let veto = usageVeto else { return }
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
      let isOn = try session.store.usageChoice() != nil
      return session.dryRun(
        change: isOn ? "Would disable usage events and delete the anonymous id and all queued events." : nil)
    }
    if try session.store.switchUsageOff() { try session.waitForUsageSender() }
    return .one(try session.privacyRow())
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
    let isOn = try session.store.usageChoice() != nil
    if isOn { try session.refuseUnderVeto("a new anonymous id cannot be created") }
    if session.options.isDryRun { return session.dryRun(change: isOn ? "Would create a new anonymous id." : nil) }
    if try session.store.renewAnonymousID() != nil {
      try session.waitForUsageSender()
    } else {
      session.console.noteToPerson("Usage events are off, so there is no anonymous id.")
    }
    return .one(try session.privacyRow())
  }
}
