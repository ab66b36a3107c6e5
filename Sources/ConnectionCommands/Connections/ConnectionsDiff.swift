import Changes
import CommandLine
import HTTP
import IFTTT
import Output
package import Session
import Text
import World

enum ConnectionsDiff: Command {
  struct Options: OptionsWithUsers {
    var file = ""
    var planFile: String?
    var permissions = ChangePermissions()
    var credentials = CredentialOptions()
    var users = UsersOptions()
  }

  static let name = "diff"
  static let summary = "Compare a file of connections with IFTTT"
  static let group: String? = "State in a file"
  static var discussion: [String] {
    [
      """
      Prints the differences between the desired state in a file, as 'connections export' writes it, and the present \
      state. Settings and connections that are not in the file are not compared. With --exit-code, the exit code is 8 \
      if anything differs.
      """,
      """
      Values are checked as in 'configure': an option may be given by its value or label. Errors name the position \
      in the file. Connections that were fetched within --max-age are compared from the cache. The statuses \
      never_enabled and unknown in a file change nothing; they are named in a note.
      """,
      """
      --plan-out writes a plan for 'connections apply --plan', which executes exactly what was reviewed. With \
      --plan-out, pass --prune and --allow-removal to this command, not to 'apply'. The file is readable only by you, \
      because it contains settings.
      """,
      """
      In a report, and in the job summary of GitHub Actions, a connection that differs counts as failed, with the error \
      code 'differs'. --report codequality=FILE locates each difference in the file, for GitLab.
      """,
      ConfigurationHelp.credentials,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value(
        "plan-out", .file, into: \.planFile, help: "Write a plan for 'connections apply --plan' to this file")
    ] + .lifted(ChangePermissions.flags, into: \.permissions)
      + .lifted(CredentialOptions.flags, into: \.credentials) + .lifted(UsersOptions.flags, into: \.users)
  }
  static var positionals: [Positional<Options>] {
    [.required(.file, into: \.file, help: "The file, '-' for stdin")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections diff connections.json", "show the differences"),
      ExampleSchema("connections diff connections.json --json", "print the differences as JSON"),
      ExampleSchema(
        "connections diff connections.json --plan-out reviewed.plan", "write a plan to review and to apply"),
    ]
  }
  static let reportFormats = ReportFile.Format.allCases
  static var shape: OutputSchema? {
    var shape = OutputSchema.many(DifferenceRow.self)
    shape.alternative = { .usersDifferences }
    return shape
  }

  static func check(_ options: Options) throws(Conflict) {
    var others: [String] = []
    if options.planFile != nil { others.append("plan-out") }
    if options.permissions.prunes { others.append("prune") }
    try options.users.check(options.credentials, without: others)
  }

  static func check(_ reports: [ReportFile], with options: Options) throws(Conflict) {
    if options.file == "-", reports.contains(where: { $0.format == .codeQuality }) {
      throw Conflict("--report codequality needs a file, not stdin", options: ["report"])
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    try session.report?.locateFindings(in: options.file)
    let bytes = try ConnectionsFile.contents(of: options.file, in: session)
    let file = try ConnectionsFile.parse(bytes, of: options.file)
    let results = DifferenceResults(locatedIn: session.report?.locatesFindings == true ? bytes : nil)
    if options.users.file != nil { return try UserDiff(file, results, in: session).output(options) }
    let connections = try ConnectSubjects(
      options.credentials, isStatusOnly: false, isOverUsers: false, in: session)
    let isPreview = options.planFile == nil
    if session.options.isDryRun {
      let named = file.connections.limited(to: session.shard).ids
      return session.dryRun(try connections.requests(reading: named, mayBeCached: isPreview))
    }
    let progress = BatchProgress(isFinal: true, in: session)
    var targets = try options.permissions.targets(
      of: file, connections, isPreview: isPreview, in: session)
    let failures = BatchFailures(of: targets.count)
    let all = targets.ids
    if isPreview {
      let met = try connections.connectionsMeeting(targets)
      if !met.isEmpty { targets = targets.filter { !met.contains($0) } }
    }
    var comparison = Comparison(targets, isPreview: isPreview, options.permissions)
    try SubjectReader(at: ChangeProviders { _ in connections }, in: session).read(comparison.source) {
      comparison.add($1, at: $0)
    }
    comparison.note(in: session)
    comparison.report(all, to: progress, results)
    try progress.end()
    for (index, result) in comparison.failed where result.removals.isEmpty {
      if let problem = result.problem { failures.add(problem, of: result.subject.name, at: index) }
    }
    if let path = options.planFile {
      try failures.evaluate()
      try ChangePermissions.check(comparison.failed.values)
      try comparison.plan.write(to: path, in: session)
    }
    let (count, hasUncomparedSettings) = (comparison.count, comparison.hasUncomparedSettings)
    if count == 0, failures.isEmpty { session.console.noteEmpty("Nothing differs.") }
    var output = body(comparison.differing, session)
    output.verdict = {
      try failures.evaluate()
      guard session.options.usesExitCode, count > 0 || hasUncomparedSettings else { return }
      throw Problem(.differs, count.counted("difference"))
    }
    return output
  }

  private static func body(_ differing: [Comparison.Differing], _ session: Session) -> Output {
    guard session.printsText, session.world.terminal.outputIsTerminal else {
      let rows = Rows(isReiterable: true) { body in
        for difference in differing.lazy.flatMap(\.differences) {
          try DifferenceRow(difference: difference).bytes.withUnsafeBytes(body)
        }
      }
      return Output(body: .rows(rows, .many(DifferenceRow.self)))
    }
    var text = DifferenceText(color: session.colorsOutput)
    return .text(differing.map { found in found.differences.map { text.lines($0, of: found.name) }.joined() }.joined())
  }
}

/// The differences between the entries of a file and the connections, in the order of the file.
private struct Comparison {
  /// A connection that differs.
  struct Differing {
    let name: String
    let differences: [StateDifference]
  }

  let targets: DesiredConnections
  let isPreview: Bool
  let permissions: ChangePermissions
  private var found: [Int: Differing] = [:]
  private var entries: [Int: PlanFile.Entry] = [:]
  private var notes: [Int: [String]] = [:]
  private(set) var failed: [Int: ChangeResult] = [:]
  /// Whether a connection has settings that can be compared only once it is enabled.
  private(set) var hasUncomparedSettings = false
  /// The number of differences.
  private(set) var count = 0

  init(_ targets: DesiredConnections, isPreview: Bool, _ permissions: ChangePermissions) {
    (self.targets, self.isPreview, self.permissions) = (targets, isPreview, permissions)
  }

  var source: ChangeSource {
    ChangeSource(targets) { [isPreview, permissions] request in
      request.mayBeCached = isPreview
      request.allowsRemoval = isPreview || permissions.allowsRemoval
    }
  }

  var differing: [Differing] { found.inOrder.map(\.value) }
  var plan: PlanFile {
    PlanFile(allowsRemoval: permissions.allowsRemoval, entries: entries.inOrder.map(\.value))
  }

  /// Reports each connection, in the order of the file.
  /// - Parameter all: the connections of the file, also those that the cache shows to be as wanted.
  func report(_ all: [ConnectionID], to progress: BatchProgress, _ results: DifferenceResults) {
    var next = 0
    for id in all {
      guard next < targets.count, targets.ids[next] == id else {
        progress.report(id.description)
        continue
      }
      let (problem, differences) = (failed[next]?.problem, found[next]?.differences ?? [])
      next += 1
      progress.report(
        id.description, problem ?? results.problem(of: differences), isFailure: problem != nil,
        found: results.findings(problem, differences, of: id.description))
    }
  }

  mutating func add(_ subject: SubjectReader.Outcome, at index: Int) {
    switch subject {
    case .ended(let result):
      if let ignored = result.ignored { notes[index, default: []].append(ignored) }
      if result.problem != nil { failed[index] = result.withoutSettings }
    case .plan(_, let plan):
      if let ignored = plan.ignoredText { notes[index, default: []].append(ignored) }
      if plan.isComparedLater {
        hasUncomparedSettings = true
        notes[index, default: []].append(
          "The settings of connection '\(plan.id)' can be compared only once it is enabled.")
      }
      if !isPreview { entries[index] = PlanFile.Entry(plan) }
      guard !plan.differences.isEmpty else { return }
      count += plan.differences.count
      found[index] = Differing(name: plan.present.name ?? plan.id, differences: plan.differences)
    }
  }

  func note(in session: Session) {
    for note in notes.inOrder.flatMap(\.value) { session.console.note(Hint(note)) }
  }
}

extension OutputSchema {
  /// The differences of runs over users.
  package static var usersDifferences: OutputSchema { .many(UserRow<DifferenceRow>.self) }
}

/// The comparison of a file with the connections of many users: `connections diff --users`.
final class UserDiff {
  private let file: ConnectionsFile
  private let results: DifferenceResults
  private let session: Session
  private var count = 0

  init(_ file: ConnectionsFile, _ results: DifferenceResults, in session: Session) {
    (self.file, self.results, self.session) = (file, results, session)
  }

  func output(_ options: ConnectionsDiff.Options) throws -> Output {
    let connections = try ConnectSubjects(
      options.credentials, isStatusOnly: false, isOverUsers: true, in: session)
    let reader = SubjectReader(at: ChangeProviders { _ in connections }, in: session)
    var run = try UserRun(options.users, in: session)
    run.stop = connections.readOnlyStop
    var output = try run.output(as: .usersDifferences) { [self] user in
      file.connections.map { entry in
        UserItem(file.connections.count == 1 ? nil : entry.id.description) { [self] report in
          var request = SubjectChange.Request(
            Subject(id: entry.id.description, userID: user.userID), .entry(entry))
          request.allowsRemoval = true
          return try reader.chain(request) { [self] in try report(result($0, of: entry, for: user)) }
        }
      }
    }
    let verdict = output.verdict
    output.verdict = { [self] in
      try verdict()
      guard session.options.usesExitCode, count > 0 else { return }
      throw Problem(.differs, count.counted("difference"))
    }
    return output
  }
}

extension UserDiff {
  private func result(
    _ found: SubjectReader.Outcome, of entry: DesiredConnection, for user: UserEntry
  ) -> UserResult {
    var result: UserResult
    let differences: [StateDifference]
    var problem: Problem?
    switch found {
    case .ended(let ended):
      (problem, differences) = (ended.problem, [])
      result = problem.map { .failed($0) } ?? .done([])
    case .plan(_, let plan):
      differences = plan.differences
      count += differences.count
      let rows = differences.map { UserRow(DifferenceRow(difference: $0), of: user.userID).bytes }
      result = results.problem(of: differences).map { .failed($0, rows: rows) } ?? .done([])
      result.isFailure = false
    }
    result.findings = results.findings(problem, differences, of: entry.id.description)
    return result
  }
}

/// The differences of a connection as its result in reports.
struct DifferenceResults {
  /// The lines of the file; nil if no report locates findings.
  private let lines: ConnectionsFileLines?

  /// - Parameter bytes: the file; nil if no report locates findings.
  init(locatedIn bytes: [UInt8]?) { lines = bytes.map { ConnectionsFileLines(of: $0) } }

  /// The problem that the differences are; nil without any. It does not make the run fail.
  func problem(of differences: [StateDifference]) -> Problem? {
    guard !differences.isEmpty else { return nil }
    return Problem(
      .differs, differences.count.counted("difference"),
      reason: differences.map(\.summary).joined(separator: "; "))
  }

  /// - Parameter problem: why the connection could not be compared.
  func findings(_ problem: Problem?, _ differences: [StateDifference], of id: String) -> [ReportFinding] {
    guard let lines else { return [] }
    let located = differences.map {
      ReportFinding(
        line: lines.line(of: $0), check: Problem.Code.differs.rawValue, part: $0.field ?? "status",
        message: $0.summary)
    }
    guard let problem else { return located }
    return [ReportFinding(line: lines.line(of: id), check: problem.code.rawValue, message: problem.summary)] + located
  }
}

/// A difference between a file and IFTTT.
struct DifferenceRow: OutputRecord {
  let difference: StateDifference

  static let fields: Fields = [
    Field("id", "The id of the connection", column: "ID", overflow: .keep) { $0.difference.id },
    Field(
      "field", "The address of the field or feature; null for the connection's status", column: "FIELD",
      overflow: .keep
    ) { $0.difference.field },
    Field("change", "The change that applying the file would make", column: "CHANGE", overflow: .keep) {
      $0.difference.change
    },
    Field("wanted", "The value in the file; null if it is missing", column: "WANTED") { $0.difference.wanted },
    Field("present", "The value at IFTTT; null if it is missing", column: "PRESENT") { $0.difference.present },
  ]
}

extension StateDifference.Change: OutputValue {}
