import CommandLine
import Session
import Store
import Text

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
