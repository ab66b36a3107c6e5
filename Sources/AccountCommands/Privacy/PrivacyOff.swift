import Arguments
import CommandContext
import Store

enum PrivacyOff: Command {
  struct Options: Sendable {}

  static let name = "off"
  static let summary = "Switch usage events off; forget the anonymous id and all that waits"
  static var discussion: [String] {
    [
      "When this has ended nothing more is sent: what is on its way at that moment is waited for, a few seconds at most."
    ]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("privacy off", "nothing is recorded or sent any more")] }
  static var shape: OutputSchema? { .one(PrivacyRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    if session.options.isDryRun {
      let isOn = try session.store.usageChoice() != nil
      return session.dryRun(
        change: isOn ? "Would switch usage events off and forget the anonymous id and what waits." : nil)
    }
    if try session.store.switchUsageOff() { try session.waitForUsageSender() }
    return .one(try session.privacyRow())
  }
}
