import CommandLine
import Session

enum PrivacyShow: Command {
  struct Options: Sendable {}

  static let name = "show"
  static let summary = "Show whether usage events are on, and the next request"
  static var discussion: [String] {
    [
      """
      A usage event contains a connection's id and what happened: its Connect Button was shown, or the connection was \
      created, enabled or disabled. It contains no email address, user, token, location or host. Usage events are off \
      until you run 'ifttt privacy on'. Events are then queued; when there are five, a background process sends them.
      """,
      """
      While usage events are off, nothing is recorded, there is no anonymous id, and requests do not identify this \
      installation. If DO_NOT_TRACK is set to a value other than 0 or false, usage events are off regardless of your \
      choice. CI, --record and --replay have the same effect.
      """,
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema(
        "privacy show --json --fields usage_events,waiting,next", "print the next request as JSON")
    ]
  }
  static var shape: OutputSchema? { .one(PrivacyRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    .one(try session.privacyRow())
  }
}
