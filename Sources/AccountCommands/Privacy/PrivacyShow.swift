import Arguments
import CommandContext

enum PrivacyShow: Command {
  struct Options: Sendable {}

  static let name = "show"
  static let summary = "Show whether usage events are on, and what would be sent next"
  static var discussion: [String] {
    [
      """
      Usage events say that a Connect Button was shown, that a connection was made, switched on or off, and which one it was: \
      no e-mail address, no user, no token, no place, no host. They are off until 'privacy on', and then wait until five \
      are worth a request; a program of its own sends them in the background.
      """,
      """
      While they are off nothing is recorded, there is no anonymous id, and requests say nothing of this installation. \
      DO_NOT_TRACK, set to anything but 0 or false, keeps them off whatever was chosen, and so do CI, --record and --replay.
      """,
    ]
  }
  static var examples: [ExampleSchema] {
    [ExampleSchema("privacy show --json --fields usage_events,waiting,next", "the next request, as it would be sent")]
  }
  static var shape: OutputSchema? { .one(PrivacyRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    .one(try session.privacyRow())
  }
}
