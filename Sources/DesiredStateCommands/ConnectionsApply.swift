import API
import ActivationCommands
import Arguments
import Batch
import CommandContext
import Connect
import DesiredState
import HTTP
import Hints
import JSON
import Store
import Users

enum ConnectionsApply: Command {
  struct Options: Sendable {
    var file: String?
    var plan: String?
    var resumes = false
    var permissions = ChangePermissions()
    var reports: [ReportFile] = []
    var credentials = CredentialOptions()
    var users = UsersOptions()
  }

  static let name = "apply"
  static let summary = "Change connections to the state in a file"
  static let group: String? = "State in a file"
  static var discussion: [String] {
    [
      """
      Compares the file with IFTTT as 'connections diff' does, shows what differs, prompts for confirmation unless --yes \
      is given, and changes only that. A connection is enabled before it is configured, and configured before it is \
      disabled. Nothing is sent if the file contains a value that a connection does not accept.
      """,
      """
      Whatever the file does not name stays as it is. With --prune, connections that this profile tracks, that are \
      enabled and not in the file, are disabled. Removing settings, and --prune, need --allow-removal.
      """,
      """
      With --plan, the file is a plan that 'connections diff --plan-out' wrote. It is executed only if every connection \
      still has the state that the plan was made from.
      """,
      """
      One failure does not stop the rest. Changes are journaled before they are sent: resume with --resume after \
      Ctrl-C, a crash or failures, and revert with 'connections undo'.
      """,
      """
      With --users, each user's connections get the state in the file. One user's failure, also a value that the user's \
      connection does not accept, does not stop the others. To resume, add --resume to the same command.
      """,
      ConfigurationHelp.credentials,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value(
        "plan", .file, into: \.plan,
        help: "Execute this plan of 'connections diff --plan-out' instead of a file of connections"),
      .toggle(
        "resume", into: \.resumes,
        help: "Resume the last run that was interrupted or failed; only --users needs the file again"),
    ] + .lifted(ChangePermissions.flags, into: \.permissions) + [ReportFile.flag(into: \.reports)]
      + .lifted(CredentialOptions.flags, into: \.credentials) + .lifted(UsersOptions.flags, into: \.users)
  }
  static var positionals: [Positional<Options>] {
    [.optional(.file, into: \.file, help: "The file, '-' for stdin")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections apply connections.json --dry-run", "show the requests without sending them"),
      ExampleSchema("connections apply connections.json --yes --json", "apply a file in CI"),
    ]
  }
  static var shape: OutputSchema? {
    var shape = OutputSchema.many(ChangeRow<ConnectionID>.self)
    shape.alternative = { .usersChanges }
    return shape
  }
  static func defaults() -> Options { Options() }

  static func check(_ options: Options) throws(Conflict) {
    guard options.users.file == nil else { return try checkForUsers(options) }
    try options.users.check()
    let ways = [options.file != nil, options.plan != nil, options.resumes].filter { $0 }.count
    if ways == 0 { throw Conflict("pass a file, --plan or --resume", isLack: true) }
    if ways > 1 { throw Conflict("pass either a file, --plan or --resume", options: ["plan", "resume"]) }
    guard options.file == nil else { return }
    if options.users.shards.choice != nil {
      throw Conflict("--shard needs a file of connections", options: ["shard"])
    }
    let (given, source) = (options.permissions, options.resumes ? "--resume" : "--plan")
    if given.prunes || given.allowsRemoval {
      throw Conflict(
        "\(source) uses the options that were given before: omit --prune and --allow-removal",
        options: ["prune", "allow-removal"])
    }
  }

  /// With users, `--resume` continues with the same file and users.
  private static func checkForUsers(_ options: Options) throws(Conflict) {
    if options.file == nil { throw Conflict("--users needs a file of connections", isLack: true) }
    var others: [String] = []
    if options.plan != nil { others.append("plan") }
    if options.permissions.prunes { others.append("prune") }
    try options.users.check(options.credentials, without: others)
    if options.file == "-", options.users.file == "-" {
      throw Conflict("the file and --users cannot both be stdin", options: ["users"])
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try options.users.apply(to: session)
    let shard = try options.users.shards.shard(in: session)
    if options.users.file != nil {
      let file = try ConnectionsFile.read(options.file ?? "-", in: session)
      return try UserStateChanges(options.users, options.credentials, options.reports, in: session).output(
        file.connections.map(TargetState.entry), allowsRemoval: options.permissions.allowsRemoval,
        resumes: options.resumes)
    }
    let state = try PresentState(options.credentials, for: "'connections apply'", trustsCache: false, in: session)
    if options.resumes { return try StateResumption(state: state, options: options).output() }
    var permissions = options.permissions
    let result: StatePlanning.Result
    let targets: [TargetState]
    if let file = options.plan {
      let plan = try PlanFile.read(file, in: session)
      permissions.allowsRemoval = plan.allowsRemoval
      targets = plan.entries.map { .entry($0.wanted) }
      result = try StatePlanning(state: state).plan(targets)
      try plan.checkCurrent(result)
    } else {
      let file = try ConnectionsFile.read(options.file ?? "-", in: session)
      targets = try permissions.targets(of: file, state, in: shard)
      result = try StatePlanning(state: state).plan(targets)
    }
    try permissions.check(result)
    let change = PreparedStateChange(
      state: state, purpose: "'connections apply'", ids: targets.map(\.id), plans: result.plans,
      problems: result.problems, allowsRemoval: permissions.allowsRemoval,
      report: try session.openReports(options.reports, of: shard))
    let client = try change.statusClient(options.credentials)
    if session.options.isDryRun {
      PlanText(session: session).show(result.plans)
      return try change.dryRun(client)
    }
    try PlanText(session: session).confirm(result.plans)
    try change.confirmDisabling()
    return change.output(try change.begun(), client)
  }
}
