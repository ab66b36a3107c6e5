import Changes
import CommandLine
import HTTP
import IFTTT
import Session
import Store
import Text

enum ConnectionsUndo: Command {
  typealias Options = ReversalOptions

  static let name = "undo"
  static let summary = "Undo the last run that changed something"
  static var discussion: [String] {
    [
      """
      Returns connections and Applets to their states before the newest run of this profile that changed something and \
      is not undone yet: status and settings, of one user or of many, at IFTTT and at providers. Repeated, it goes \
      further back; 'connections redo' goes forward. With RUN, it undoes that run, unless a newer run has changed the \
      same connections; 'connections history' lists the runs.
      """,
      """
      Each connection is fetched first. If it has already been reverted, nothing is sent. If others have changed it \
      since, it fails with 'conflict', unless --force is given. A connection that was disabled before it was configured \
      cannot be enabled again; run 'connections activate ID --no-skip-config' instead. If the previous state is unknown, \
      nothing is undone.
      """,
      """
      It asks if settings would be removed, if a step cannot be reverted, or if more than one user is concerned. With \
      --dry-run, each state before and after is shown, and nothing is changed.
      """,
    ]
  }
  static var flags: [Flag<Options>] { Options.flags("undo") }
  static var positionals: [Positional<Options>] { [Options.number] }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections undo --dry-run", "show what would change"),
      ExampleSchema("connections undo --json", "undo the last run, and print the changes as JSON"),
    ]
  }
  static var shape: OutputSchema? { EnableDisable.shape }
  static func defaults() -> Options { Options() }
  static func check(_ options: Options) throws(Conflict) { try options.check() }
  static func run(_ options: Options, in session: Session) throws -> Output {
    try RunReversal(.undo, options, in: session).output()
  }
}
