import CommandLine
import Session
import Store

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
