import Changes
import CommandLine
import HTTP
import IFTTT
import JSON
import Session
import Store
import Text

enum ConnectionsApply: Command {
  struct Options: OptionsWithUsers {
    var file: String?
    var plan: String?
    var resumes = false
    var permissions = ChangePermissions()
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
      Settings and connections that are not in the file stay unchanged. With --prune, connections that this profile \
      tracks, that are enabled and not in the file, are disabled. Removing settings, and --prune, need \
      --allow-removal.
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
      connection does not accept, does not stop the others.
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
        help: "Resume the last run that was interrupted or failed"),
    ] + .lifted(ChangePermissions.flags, into: \.permissions)
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
  static let reportFormats = ReportFile.Format.common
  static var shape: OutputSchema? { .changes(overUsers: true) }

  static func check(_ options: Options) throws(Conflict) {
    guard options.users.file == nil || options.resumes else { return try checkForUsers(options) }
    if options.users.file != nil, options.plan != nil { try options.users.check(without: ["plan"]) }
    try options.users.check(options.credentials)
    let sourceCount = [options.file != nil, options.plan != nil, options.resumes].filter { $0 }.count
    if sourceCount == 0 { throw Conflict("pass a file, --plan or --resume", isMissingArgument: true) }
    // A run over users may be resumed with or without its file.
    if sourceCount > 1, options.users.file == nil || options.plan != nil {
      throw Conflict("pass either a file, --plan or --resume", options: ["plan", "resume"])
    }
    guard options.file == nil else { return }
    if options.users.file == nil, options.users.shards.choice != nil {
      throw Conflict("--shard needs a file of connections", options: ["shard"])
    }
    let (given, source) = (options.permissions, options.resumes ? "--resume" : "--plan")
    if given.prunes || given.allowsRemoval {
      throw Conflict(
        "\(source) uses the options that were given before: omit --prune and --allow-removal",
        options: ["prune", "allow-removal"])
    }
  }

  private static func checkForUsers(_ options: Options) throws(Conflict) {
    if options.file == nil { throw Conflict("--users needs a file of connections", isMissingArgument: true) }
    var others: [String] = []
    if options.plan != nil { others.append("plan") }
    if options.permissions.prunes { others.append("prune") }
    try options.users.check(options.credentials, without: others)
    if options.file == "-", options.users.file == "-" {
      throw Conflict("the file and --users cannot both be stdin", options: ["users"])
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let changes = ConnectionChanges(options.credentials, isStatusOnly: false, users: options.users, in: session)
    var settings = RunSettings()
    (settings.selectsMany, settings.allowsRemoval) = (true, options.permissions.allowsRemoval)
    if options.resumes {
      let file = try options.file.map { try ConnectionsFile.read($0, in: session) }
      let run = try BatchJournal(session: session).resumable(overUsers: options.users.file == nil ? nil : true)
      return try changes.resume(run, file?.connections.map { (id: $0.id.description, target: .entry($0)) })
    }
    if options.users.file != nil {
      let file = try ConnectionsFile.read(options.file ?? "-", in: session)
      return try changes.output(file.connections.map { (id: $0.id.description, target: .entry($0)) }, settings)
    }
    let plan = try options.plan.map { try PlanFile.read($0, in: session) }
    if let plan { settings.allowsRemoval = plan.allowsRemoval }
    let entries =
      try plan.map { DesiredConnections($0.entries.lazy.map(\.wanted)) }
      ?? targets(options, in: session)
    let source = ChangeSource(entries) { [settings] request in request.allowsRemoval = settings.allowsRemoval }
    let run = changes.run(source, settings)
    run.showsPlans = true
    var current: [String: ConnectionPlan] = [:]
    if plan != nil { run.inspect = { current[$0.id] = $0 } }
    run.check = { results in
      if let plan { try checkCurrent(plan, current, results) }
      try ChangePermissions.check(results)
    }
    run.emptyNote = "Nothing differs; nothing was sent."
    return try run.output()
  }

  private static func targets(_ options: Options, in session: Session) throws -> DesiredConnections {
    let file = try ConnectionsFile.read(options.file ?? "-", in: session)
    guard options.permissions.prunes else { return file.connections.limited(to: session.shard) }
    let connections = try ConnectSubjects(
      options.credentials, isStatusOnly: false, isOverUsers: false, in: session)
    return try options.permissions.targets(of: file, connections, in: session)
  }

  /// - Throws: `conflict` if a connection no longer has the state that the plan was made from.
  private static func checkCurrent(
    _ plan: PlanFile, _ current: [String: ConnectionPlan], _ results: [ChangeResult]
  ) throws {
    let resultsByID = Dictionary(uniqueKeysWithValues: results.map { ($0.subject.id, $0) })
    let changed = plan.entries.compactMap { entry -> (id: String, reason: String)? in
      let id = entry.wanted.id.description
      if let now = current[id], entry.isSame(as: now) { return nil }
      return (id, resultsByID[id]?.problem?.summary ?? "its state has changed since the plan was made")
    }
    if !changed.isEmpty { throw plan.outOfDate(changed) }
  }
}

/// The changes that a plan may make beyond those in its file.
struct ChangePermissions: Sendable {
  var prunes = false
  var allowsRemoval = false

  static var flags: [Flag<ChangePermissions>] {
    [
      .toggle("prune", into: \.prunes, help: "Disable tracked, enabled connections that are not in the file"),
      .toggle("allow-removal", into: \.allowsRemoval, help: "Allow removing settings, and disabling with --prune"),
    ]
  }

  /// The target states of a file's entries. With `--prune`, those of the connections to disable come first.
  /// - Parameters:
  ///   - isPreview: whether nothing is changed; no permission is then needed, and cached states are used.
  func targets(
    of file: ConnectionsFile, _ connections: ConnectSubjects, isPreview: Bool = false, in session: Session
  ) throws -> DesiredConnections {
    let named = file.connections.limited(to: session.shard)
    guard prunes else { return named }
    // Compare with the whole file, because connections of other shards must not be disabled.
    let ids = Set(file.connections.ids)
    let tracked = try session.store.tracked(withStatus: [], profile: session.profile.name)
      .compactMap(ConnectionID.init(parsing:)).filter { id in
        !ids.contains(id) && (session.shard?.contains(id.description) ?? true)
      }
    let source = ChangeSource(count: tracked.count, subject: { Subject(id: tracked[$0].description) }) { index in
      var request = SubjectChange.Request.reading(tracked[index])
      request.mayBeCached = isPreview
      return request
    }
    var enabled: [Int] = []
    var unreadable: (id: ConnectionID, problem: Problem)?
    try SubjectReader(at: ChangeProviders { _ in connections }, in: session).read(source) { index, found in
      guard case .ended(let result) = found else { return }
      if result.latest?.status == .enabled { enabled.append(index) }
      guard let problem = result.problem,
        unreadable.map({ tracked[index].description < $0.id.description }) ?? true
      else { return }
      unreadable = (tracked[index], problem)
    }
    if let (id, problem) = unreadable {
      throw Problem(
        problem.code, "connection '\(id)' could not be read, so --prune cannot tell whether it is enabled",
        reason: problem.summary, hint: problem.hint)
    }
    let surplus = enabled.sorted().map { index in
      DesiredConnection(id: tracked[index], status: .disabled, path: "connection '\(tracked[index])'")
    }
    guard surplus.isEmpty || allowsRemoval || isPreview else { throw pruneProblem(surplus.map(\.id)) }
    return DesiredConnections(surplus + Array(named))
  }

  private func pruneProblem(_ ids: [ConnectionID]) -> Problem {
    Problem(
      .refused, "--prune would disable \(ids.count == 1 ? "a connection" : "\(ids.count) connections")",
      reason: "the file does not have \(ids.count == 1 ? "it" : "them")",
      hint: "Add them to the file, or pass --allow-removal too; another machine may track other connections.",
      details: ids.map { Problem.Detail(parameter: $0.description, message: "it would be disabled") })
  }

  /// Checks all results before anything is sent, or a plan is written.
  /// - Throws: the first reason why nothing may be sent.
  static func check(_ results: some Sequence<ChangeResult>) throws {
    let invalid = results.compactMap(\.problem).filter { $0.code == .invalidParameters }
    if invalid.count == 1 { throw invalid[0] }
    if !invalid.isEmpty {
      throw Problem(
        .invalidParameters, "\(invalid.count) connections do not accept the values in the file", hint: invalid[0].hint,
        details: invalid.flatMap(\.details))
    }
    let removed = results.flatMap(\.removals)
    if !removed.isEmpty { throw Problem.removal(removed) }
  }
}
