import CommandLine
import Session
import Store
import Text

enum LocationEventsList: Command {
  struct Options: Sendable {}

  static let name = "list"
  static let summary = "List the location events that IFTTT has not accepted yet, oldest first"
  static var examples: [ExampleSchema] {
    [ExampleSchema("location events --json", "print the queue as JSON")]
  }
  static var shape: OutputSchema? { .many(LocationEventRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let waiting = try session.store.oldestLocationEvents(.max, refused: nil, profile: session.profile.name)
    if waiting.isEmpty { session.console.noteEmpty("No location events are queued.") }
    try session.noteHeldLocationEvents()
    return .rows(waiting.map { $0.row() })
  }
}
