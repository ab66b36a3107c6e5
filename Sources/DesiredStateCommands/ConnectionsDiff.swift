import ActivationCommands
import Arguments
import Batch
import CommandContext
import Connect
import DesiredState
import Display
import Hints
import Users
import World

enum ConnectionsDiff: Command {
  struct Options: Sendable {
    var file = ""
    var planFile: String?
    var permissions = ChangePermissions()
    var credentials = CredentialOptions()
    var users = UsersOptions()
    var reports: [ReportFile] = []
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
      """
      --plan-out writes a plan for 'connections apply --plan', which executes exactly what was reviewed. --prune and \
      --allow-removal are given here then.
      """,
      ConfigurationHelp.credentials,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value(
        "plan-out", .file, into: \.planFile, help: "Write a plan for 'connections apply --plan' to this file")
    ] + .lifted(ChangePermissions.flags, into: \.permissions)
      + [ReportFile.flag(into: \.reports)]
      + .lifted(CredentialOptions.flags, into: \.credentials) + .lifted(UsersOptions.flags, into: \.users)
  }
  static var positionals: [Positional<Options>] {
    [.required(.file, into: \.file, help: "The file, '-' for stdin")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections diff connections.json", "show what differs"),
      ExampleSchema("connections diff connections.json --json", "print the differences as JSON"),
      ExampleSchema(
        "connections diff connections.json --plan-out reviewed.plan", "write a plan to review and to apply"),
    ]
  }
  static var shape: OutputSchema? {
    var shape = OutputSchema.many(DifferenceRow.self)
    shape.alternative = { .usersDifferences }
    return shape
  }
  static func defaults() -> Options { Options() }

  static func check(_ options: Options) throws(Conflict) {
    var others: [String] = []
    if options.planFile != nil { others.append("plan-out") }
    if options.permissions.prunes { others.append("prune") }
    try options.users.check(options.credentials, without: others)
    if options.users.file == nil, !options.reports.isEmpty {
      throw Conflict("--report needs --users", options: ["report"])
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try options.users.apply(to: session)
    let shard = try options.users.shards.shard(in: session)
    let file = try ConnectionsFile.read(options.file, in: session)
    if options.users.file != nil {
      return try UserDiff(file, in: session).output(options.users, options.credentials, options.reports)
    }
    let state = try PresentState(
      options.credentials, for: "'connections diff'", trustsCache: options.planFile == nil, in: session)
    if session.options.isDryRun {
      let named = file.connections.map(TargetState.entry).limited(to: shard)
      return session.dryRun(try state.requests(named.map(\.id)))
    }
    let result = try StatePlanning(state: state).plan(
      try options.permissions.targets(of: file, state, in: shard, isShown: options.planFile == nil),
      // A plan records every connection.
      skippingMet: options.planFile == nil)
    let failures = BatchFailures(of: result.problems.count + result.plans.count + result.skipped)
    for (id, problem) in result.problems { failures.add(problem, of: id) }
    for plan in result.plans where plan.isComparedLater {
      session.console.note("The settings of connection '\(plan.id)' can be compared only once it is enabled.")
    }
    if let path = options.planFile {
      try failures.evaluate()
      try options.permissions.check(result)
      try PlanFile(result.plans, allowsRemoval: options.permissions.allowsRemoval).write(to: path, in: session)
    }
    let differences = result.plans.flatMap(\.differences)
    if differences.isEmpty, failures.isEmpty { session.console.noteEmpty("Nothing differs.") }
    var output = body(result.plans, session)
    output.verdict = {
      try failures.evaluate()
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
