import Changes
import CommandLine
import Session

enum ConnectionsRedo: Command {
  typealias Options = ReversalOptions

  static let name = "redo"
  static let summary = "Apply again what was undone last"
  static var discussion: [String] {
    [
      """
      Returns connections and Applets to their states after the run that 'connections undo' undid last, which then counts \
      as not undone. After a newer change there is nothing to redo. Otherwise it works as 'connections undo' does.
      """
    ]
  }
  static var flags: [Flag<Options>] { Options.flags("redo") }
  static var positionals: [Positional<Options>] { [] }
  static var examples: [ExampleSchema] {
    [ExampleSchema("connections redo --dry-run", "show what would change")]
  }
  static var shape: OutputSchema? { EnableDisable.shape }
  static func defaults() -> Options { Options() }
  static func check(_ options: Options) throws(Conflict) { try options.check() }
  static func run(_ options: Options, in session: Session) throws -> Output {
    try RunReversal(.redo, options, in: session).output()
  }
}
