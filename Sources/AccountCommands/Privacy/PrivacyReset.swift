import Arguments
import CommandContext
import Hints
import Store

enum PrivacyReset: Command {
  struct Options: Sendable {}

  static let name = "reset"
  static let summary = "Make a new anonymous id; what waits under the old one is forgotten"
  static var examples: [ExampleSchema] { [ExampleSchema("privacy reset", "be somebody else from now on")] }
  static var shape: OutputSchema? { .one(PrivacyRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let isOn = try session.store.usageChoice() != nil
    if isOn { try session.refuseUnderVeto("no new anonymous id is made") }
    if session.options.isDryRun { return session.dryRun(change: isOn ? "Would make a new anonymous id." : nil) }
    if try session.store.renewAnonymousID() != nil {
      try session.waitForUsageSender()
    } else {
      session.noteToPerson("Usage events are off, so there is no anonymous id.")
    }
    return .one(try session.privacyRow())
  }
}
