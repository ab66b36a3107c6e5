import Arguments
import CommandContext
import Hints
import Store

enum PrivacyOn: Command {
  struct Options: Sendable {}

  static let name = "on"
  static let summary = "Switch usage events on, and make an anonymous id"
  static var discussion: [String] {
    [
      """
      From now on what 'privacy show' describes is recorded and sent to IFTTT. The id is random and goes with every call to \
      the Connect API, but for the one that carries an e-mail address. IFTTT also sees the credentials of those calls, \
      so it can tell whose id it is.
      """
    ]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("privacy on", "let IFTTT know how its connections are used")] }
  static var shape: OutputSchema? { .one(PrivacyRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try session.refuseUnderVeto("usage events cannot be switched on")
    if session.options.isDryRun {
      let isOn = try session.store.usageChoice() != nil
      return session.dryRun(change: isOn ? nil : "Would switch usage events on and make an anonymous id.")
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
      .refused, "\(what) here", reason: veto.words,
      hint: "Take that away first; \(ifttt: "privacy show") tells how it stands.")
  }
}
