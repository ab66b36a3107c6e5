import CommandLine
import HTTP
import IFTTT
import Output
import Session
import Text
import World

enum Doctor: Command {
  struct Options: CommandOptions {
    var makesRepairs = false
  }

  static let name = "doctor"
  static let summary = "Check the setup and suggest fixes for problems"
  static let group: String? = "Setup"
  static var discussion: [String] {
    [
      """
      Prints one line per check: the data folder and its databases, the key that encrypts credentials, libraries, profile, base \
      URLs, proxy, certificates, network, clock, token, terminal, completion and man page. A warning does not change \
      the exit code; a failure sets it to 1. --timeout limits the total time of all network requests; --offline skips \
      them.
      """,
      """
      --fix makes only safe repairs: it removes other users' access to the program's folder and files, recreates a \
      damaged cache, removes the key files of an interrupted 'store rekey', and installs the completion script and the \
      man pages in your own folders. It never edits a shell's startup file. With --dry-run it lists the repairs \
      without making them.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [.toggle("fix", into: \.makesRepairs, help: "Make safe repairs")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("doctor --offline", "check without the network"),
      ExampleSchema("doctor --fix --dry-run --json", "list the possible repairs as JSON"),
    ]
  }
  static var shape: OutputSchema? { .many(DoctorReport.self).report }

  static func run(_ options: Options, in session: Session) throws -> Output {
    if session.options.isDryRun, !options.makesRepairs { return session.dryRun(try requests(session)) }
    let doctorRun = DoctorRun(session, makesRepairs: options.makesRepairs)
    if session.options.printsText {
      let color = session.colorsOutput
      let lines = Output.Body.live { write in
        try doctorRun.run {
          try write(Array($0.lines(columns: session.world.terminal.columns ?? 80, color: color).utf8))
        }
      }
      return Output(body: lines, verdict: doctorRun.evaluate)
    }
    let rows = Rows(isReiterable: false) { body in
      try doctorRun.run { report in try report.bytes.withUnsafeBytes(body) }
    }
    return Output(body: .rows(rows, .many(DoctorReport.self)), verdict: doctorRun.evaluate)
  }

  private static func requests(_ session: Session) throws -> [Request] {
    if try session.network.isOffline || session.profileName.isSandbox { return [] }
    var requests = try DiagnosticContext.basesInUse.map { DiagnosticContext.probe(try session.network.base($0)) }
    if let token = try session.credentials.secret(.userToken, file: nil) {
      let credential = session.credentials.located(.user(token), CredentialOptions())
      requests.append(try session.network.connect(credential).me().request)
    }
    return requests
  }
}

/// Runs the checks in order, makes the permitted repairs, and counts the results.
private final class DoctorRun {
  private let session: Session
  private let makesRepairs: Bool
  private var count = 0
  private var failures: [DoctorReport] = []

  init(_ session: Session, makesRepairs: Bool) { (self.session, self.makesRepairs) = (session, makesRepairs) }

  func run(_ each: (DoctorReport) throws -> Void) throws {
    let context = DiagnosticContext(session, limit: session.options.timeout)
    for check in DoctorCheck.all {
      try session.world.checkInterruption()
      let report = try report(of: check, context)
      count += 1
      if report.finding.status == .failure { failures.append(report) }
      try each(report)
    }
  }

  func evaluate() throws {
    guard let first = failures.first else { return }
    throw Problem(
      .checksFailed, "\(failures.count) of \(count) checks failed", reason: "\(first.name): \(first.finding.found)",
      hint: first.finding.advice)
  }

  private func report(of check: DoctorCheck, _ context: DiagnosticContext) throws -> DoctorReport {
    var finding = try finding(of: check, context)
    finding.advice = finding.advice.map(session.suggestions.completed)
    guard let repair = finding.repair else { return DoctorReport(name: check.name, finding: finding) }
    guard makesRepairs, !session.options.isDryRun else {
      return DoctorReport(name: check.name, finding: finding, repair: repair.description)
    }
    do {
      try repair.perform()
    } catch {
      var finding = finding
      finding.advice = "The repair failed: \(Problem.from(error).summary)"
      return DoctorReport(name: check.name, finding: finding, repair: repair.description)
    }
    return DoctorReport(
      name: check.name, finding: try self.finding(of: check, context), repair: repair.description, isRepaired: true)
  }

  private func finding(of check: DoctorCheck, _ context: DiagnosticContext) throws -> CheckResult {
    if check.needsProfile {
      do { _ = try session.profile } catch { return .skipped("the profile cannot be read") }
    }
    do { return try check.run(context) } catch {
      let problem = Problem.from(error)
      if problem.code == .interrupted { throw problem }
      return CheckResult(problem)
    }
  }
}

/// The result of one check, as it is shown.
struct DoctorReport: OutputRecord {
  var name: String
  var finding: CheckResult
  /// The repair that was made or that `--fix` would make.
  var repair: String?
  var isRepaired = false

  static let fields: Fields = [
    Field("check", "The name of the check", column: "CHECK", overflow: .keep) { $0.name },
    Field("status", "The result of the check", column: "STATUS", overflow: .keep, columnNumber: 1) {
      $0.finding.status
    },
    Field("found", "What was found", column: "FOUND") { $0.finding.found },
    Field("advice", "What to do about it", column: "ADVICE") { $0.finding.advice?.text },
    Field("repair", "The repair that --fix makes or made", column: "REPAIR") { $0.repair },
    Field("repaired", "Whether the repair was made") { $0.isRepaired },
  ]

  /// The text output, wrapped to the terminal's width.
  func lines(columns: Int, color: Bool) -> String {
    let status = finding.status.rawValue
    let padding = { (text: String, width: Int) in text + String(repeating: " ", count: max(width - text.utf8.count, 0))
    }
    let coloredStatus = color ? finding.status.tone.around(status) : status
    let head = coloredStatus + padding("", 9 - status.utf8.count) + padding(name, 14)
    var sentences = [Hint(finding.found)]
    if let advice = finding.advice { sentences.append(advice) }
    if isRepaired, let repair { sentences.append("Repaired: \(repair)") }
    if !isRepaired, let repair { sentences.append("With --fix: \(repair)") }
    let indent = 23
    let lines = sentences.flatMap { $0.lines(width: max(columns - indent, 20)) }
    return lines.enumerated().map { index, line in
      (index == 0 ? head : String(repeating: " ", count: indent)) + line + "\n"
    }.joined()
  }
}

extension CheckResult.Status {
  fileprivate var tone: Tone {
    switch self {
    case .ok: .green
    case .warning: .yellow
    case .failure: .red
    case .skipped: .dim
    }
  }
}
