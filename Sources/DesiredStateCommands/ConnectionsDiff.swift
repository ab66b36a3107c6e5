import ActivationCommands
import Arguments
import Batch
import CommandContext
import Connect
import DesiredState
import Display
import Hints
import World

enum ConnectionsDiff: Command {
  struct Options: Sendable {
    var file = ""
    var credentials = CredentialOptions()
  }

  static let name = "diff"
  static let summary = "Compare a file of connections with IFTTT"
  static let group: String? = "State in a file"
  static var discussion: [String] {
    [
      """
      Prints what differs between the desired state in a file, as 'connections export' writes it, and the present state. \
      Whatever the file does not name is not compared. With --exit-code, the exit code is 8 if anything differs.
      """,
      """
      Values are checked as in 'configure': an option may be given by its value or label. Errors name the position in \
      the file. Connections that were fetched within --max-age are compared from the cache.
      """,
      ConfigurationHelp.credentials,
    ]
  }
  static var flags: [Flag<Options>] { .lifted(CredentialOptions.flags, into: \.credentials) }
  static var positionals: [Positional<Options>] {
    [.required(.file, into: \.file, help: "The file, '-' for standard input")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections diff connections.json", "show what differs"),
      ExampleSchema("connections diff connections.json --json", "print the differences as JSON"),
    ]
  }
  static var shape: OutputSchema? { .many(DifferenceRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let file = try ConnectionsFile.read(options.file, in: session)
    let state = try PresentState(options.credentials, for: "'connections diff'", in: session)
    if session.options.isDryRun { return session.dryRun(try state.requests(file.connections.map(\.id))) }
    let result = try StatePlanning(state: state).plan(file)
    let differences = result.plans.flatMap(\.differences)
    if differences.isEmpty, result.failures.isEmpty { session.console.noteEmpty("Nothing differs.") }
    var output = body(result.plans, session)
    output.verdict = {
      try result.failures.evaluate()
      guard session.options.usesExitCode, !differences.isEmpty || result.plans.contains(where: \.isComparedLater) else {
        return
      }
      throw Problem(.differs, differences.count == 1 ? "1 difference" : "\(differences.count) differences")
    }
    return output
  }

  private static func body(_ plans: [ConnectionPlan], _ session: Session) -> Output {
    let terminal = session.world.terminal
    guard session.options.format == .table, session.options.fields == nil, terminal.outputIsTerminal else {
      return .rows(plans.flatMap(\.differences).map(DifferenceRow.init(difference:)))
    }
    let color = useColor(
      session.options.color, environment: { session.world.environment[$0] }, isTerminal: terminal.outputIsTerminal)
    var text = DifferenceText(color: color)
    return .text(
      plans.flatMap { plan in plan.differences.map { text.lines($0, of: plan.present.name) } }.joined())
  }
}
