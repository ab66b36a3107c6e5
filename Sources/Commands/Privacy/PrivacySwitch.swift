import CommandLine
import Session
import Store
import Text

enum PrivacyOn: Command {
  static let name = "on"
  static let summary = "Enable usage events, and create an anonymous id"
  static var discussion: [String] {
    [
      """
      From now on, the usage events that 'privacy show' describes are recorded and sent to IFTTT. The id is random. \
      Every Connect API request carries the id, except lookups by email. IFTTT also receives the credentials of those \
      requests, so it can determine which user the id belongs to.
      """
    ]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("privacy on", "send usage events to IFTTT")] }
  static var shape: OutputSchema? { .one(PrivacyRow.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try requireNoVeto(in: session, "usage events cannot be enabled")
    if session.options.isDryRun {
      let isOn = try UsageQueue(session.store).choice() != nil
      return session.dryRun(change: isOn ? nil : "Would enable usage events and create an anonymous id.")
    }
    _ = try UsageQueue(session.store).switchOn()
    return .one(try PrivacyRow(in: session))
  }

  /// Throws an error if telemetry is vetoed, because then no id may be created.
  /// - Parameter failure: the error message. The word 'here' is appended to it.
  fileprivate static func requireNoVeto(in session: Session, _ failure: String) throws {
    guard let veto = session.usage.veto else { return }
    throw Problem(
      .refused, "\(failure) here", reason: veto.description,
      hint: "Remove the cause and run the command again. To show the current state, run: \(ifttt: "privacy show")")
  }
}

enum PrivacyOff: Command {
  static let name = "off"
  static let summary = "Disable usage events; delete the anonymous id and all queued events"
  static var discussion: [String] {
    [
      "The command waits at most a few seconds for a request in flight. After the command ends, nothing more is sent."
    ]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("privacy off", "stop recording and sending usage events")] }
  static var shape: OutputSchema? { .one(PrivacyRow.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    if session.options.isDryRun {
      let isOn = try UsageQueue(session.store).choice() != nil
      return session.dryRun(
        change: isOn ? "Would disable usage events and delete the anonymous id and all queued events." : nil)
    }
    try UsageQueue(session.store).switchOff()
    // Also if events were already off: an earlier run may have been interrupted while it waited.
    try UsageSenderLock(in: session).wait()
    return .one(try PrivacyRow(in: session))
  }
}

enum PrivacyReset: Command {
  static let name = "reset"
  static let summary = "Create a new anonymous id; delete events queued under the old one"
  static var examples: [ExampleSchema] { [ExampleSchema("privacy reset", "use a new anonymous id from now on")] }
  static var shape: OutputSchema? { .one(PrivacyRow.self) }

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
