import Text
import World

/// Collects the result of each item and writes the files atomically when the run ends.
package final class BatchReport {
  private let files: [ReportFile]
  private let name: String
  private let world: World
  private var suite: JUnitSuite
  private var summary: RunSummary
  private var findings: CodeQualityReport
  private let start: Duration
  private var started: [String: Duration] = [:]
  /// The first error of the temporary file. The run continues, because its effects matter more than its report.
  private var failure: SystemError?
  /// Whether the files have their final contents.
  fileprivate(set) var hasEnded = false

  init(files: [ReportFile], suite name: String, world: World) {
    (self.files, self.name, self.world) = (files, name, world)
    suite = BatchReport.suite(name, world)
    summary = RunSummary()
    findings = CodeQualityReport(name, BatchReport.buffer(in: world))
    start = world.clock.monotonic()
  }

  private static func suite(_ name: String, _ world: World) -> JUnitSuite {
    JUnitSuite(name: name, begunAt: world.clock.now(), cases: buffer(in: world))
  }

  private static func buffer(in world: World) -> ReportBuffer {
    ReportBuffer { () throws(SystemError) in try world.files.scratchFile(in: world.temporaryFolder) }
  }

  /// Limits the reports to the items of a shard.
  package func limit(to shard: Shard) throws {
    summary.shard = shard
    try begin()
  }

  /// Names the file that the results are about.
  package func locateFindings(in path: String) throws {
    findings.path = path
    try begin()
  }

  /// Whether a report shows findings at lines of a file.
  package var locatesFindings: Bool { writes(.codeQuality) }

  func begin() throws {
    var (suite, summary, findings) = (BatchReport.suite(name, world), summary, findings)
    BatchReport.add(Problem(.interrupted, "the run did not finish"), to: &suite, &summary, &findings)
    for file in files { try write(file, suite, summary, findings) }
  }

  /// Records in all reports what ended the run too early.
  private static func add(
    _ end: Problem, to suite: inout JUnitSuite, _ summary: inout RunSummary, _ findings: inout CodeQualityReport
  ) {
    try? suite.add("run", .error(end), after: .zero)
    summary.addEnd(end)
    findings.end = end
  }

  /// Records that a request about this item is sent now.
  func starting(_ name: String) { started[name] = world.clock.monotonic() }

  /// Records the result of an item.
  /// - Parameters:
  ///   - time: nil for the time since ``starting(_:)``.
  ///   - found: what the result says about lines of the file that the run is about.
  func ended(_ name: String, _ problem: Problem?, after time: Duration? = nil, found: [ReportFinding] = []) {
    let now = world.clock.monotonic()
    let time = time ?? now - (started.removeValue(forKey: name) ?? now)
    summary.add(problem)
    add(name, after: time) {
      guard let problem = problem?.redacted(in: world) else { return .success }
      return problem.isSkip ? .skipped(problem.summary) : .failure(problem)
    }
    guard writes(.codeQuality), failure == nil else { return }
    for finding in found {
      do throws(SystemError) { try findings.add(finding.redacted(in: world), of: world.redacted(name)) } catch {
        failure = error
      }
    }
  }

  private func writes(_ format: ReportFile.Format) -> Bool { files.contains { $0.format == format } }

  /// Adds a test case with a redacted name.
  private func add(_ name: String, after time: Duration, _ outcome: () -> JUnitSuite.Outcome) {
    guard writes(.junit), failure == nil else { return }
    do throws(SystemError) { try suite.add(world.redacted(name), outcome(), after: time) } catch { failure = error }
  }

  /// - Parameters:
  ///   - rest: the items that the run did not reach.
  ///   - problem: what ended the run before all of its items became known; nil if nothing did.
  func end(without rest: [String] = [], with problem: Problem? = nil) throws {
    hasEnded = true
    for name in rest {
      summary.addSkipped()
      add(name, after: .zero) { .skipped("the run ended before this item") }
    }
    if let problem { BatchReport.add(problem.redacted(in: world), to: &suite, &summary, &findings) }
    suite.time = world.clock.monotonic() - start
    for file in files { try write(file, suite, summary, findings) }
  }

  private func write(
    _ file: ReportFile, _ suite: JUnitSuite, _ summary: RunSummary, _ findings: CodeQualityReport
  ) throws {
    try world.write("the report", to: file.path, mode: 0o644) { (write) throws(SystemError) in
      if let failure { throw failure }
      switch file.format {
      case .junit: try suite.write(to: write)
      case .summary: try write(summary.bytes + [UInt8(ascii: "\n")])
      case .dotenv: try write(Array(summary.dotenv.utf8))
      case .codeQuality: try findings.write(to: write)
      }
    }
  }
}

extension World {
  /// The folder for temporary files.
  package var temporaryFolder: String { environment[.temporaryFolder].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp" }
}
