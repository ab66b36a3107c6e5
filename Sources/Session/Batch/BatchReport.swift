import Text
import World

extension Session {
  /// Opens the reports of this run. Initially each file says that the run did not finish. Writing it proves that the
  /// file is writable before any request is sent. Nil if no report was requested, and with `--dry-run`.
  /// - Parameter shard: the part of all items that this run processes; nil for all of them.
  /// - Throws: `output_failed`, or `usage` if two reports have the same file.
  package func openReports(_ files: [ReportFile], of shard: Shard? = nil) throws -> BatchReport? {
    guard !files.isEmpty, !options.isDryRun else { return nil }
    guard Set(files.map(\.path)).count == files.count else {
      throw Problem(.usage, "two reports cannot have the same file", hint: "Pass another file to one of them.")
    }
    let report = BatchReport(
      files: files, suite: (["ifttt"] + path).joined(separator: " "), shard: shard, world: world)
    try report.begin()
    return report
  }
}

/// Collects the result of each item and writes the files atomically when the run ends.
package final class BatchReport {
  private let files: [ReportFile]
  private let name: String
  private let world: World
  private var suite: JUnitSuite
  private var summary: RunSummary
  private let start: Duration
  private var started: [String: Duration] = [:]
  /// The first error of the temporary file. The run continues, because its effects matter more than its report.
  private var failure: SystemError?

  init(files: [ReportFile], suite name: String, shard: Shard?, world: World) {
    (self.files, self.name, self.world) = (files, name, world)
    suite = BatchReport.suite(name, world)
    summary = RunSummary(shard: shard)
    start = world.clock.monotonic()
  }

  private static func suite(_ name: String, _ world: World) -> JUnitSuite {
    let cases = ReportBuffer { () throws(SystemError) in try world.files.scratchFile(in: world.temporaryFolder) }
    return JUnitSuite(name: name, begunAt: world.clock.now(), cases: cases)
  }

  func begin() throws {
    for file in files {
      let facts: FileFacts?
      do throws(SystemError) { facts = try world.files.facts(file.path) } catch { facts = nil }
      // Replacing a device or a link would destroy it instead of writing to it.
      if let facts, facts.kind != .file {
        throw Problem(
          .outputFailed, "cannot write the report to '\(file.path)'", reason: "it is not a regular file",
          hint: "Choose a new file, or a regular file to replace.")
      }
    }
    var (suite, summary) = (BatchReport.suite(name, world), summary)
    BatchReport.end(&suite, &summary)
    for file in files { try write(file, suite, summary) }
  }

  /// Adds to both reports that the run did not finish.
  private static func end(_ suite: inout JUnitSuite, _ summary: inout RunSummary) {
    try? suite.add("run", .error("the run did not finish"), after: .zero)
    summary.addInterruption()
  }

  /// Records that a request about this item is sent now.
  package func starting(_ name: String) { started[name] = world.clock.monotonic() }

  /// Records the result of an item.
  /// - Parameter time: nil for the time since ``starting(_:)``.
  package func ended(_ name: String, _ problem: Problem?, after time: Duration? = nil) {
    let now = world.clock.monotonic()
    let time = time ?? now - (started.removeValue(forKey: name) ?? now)
    summary.add(problem)
    add(name, problem.map { $0.isSkip ? .skipped($0.summary) : .failure($0) } ?? .success, after: time)
  }

  private func add(_ name: String, _ outcome: JUnitSuite.Outcome, after time: Duration) {
    guard files.contains(where: { $0.format == .junit }), failure == nil else { return }
    do throws(SystemError) { try suite.add(name, outcome, after: time) } catch { failure = error }
  }

  /// - Parameters:
  ///   - rest: the items that the run did not reach.
  ///   - isComplete: false if the run did not reach items whose names are not known.
  package func end(without rest: some Sequence<String>, isComplete: Bool = true) throws {
    for name in rest {
      summary.addSkipped()
      add(name, .skipped("the run ended first"), after: .zero)
    }
    if !isComplete { BatchReport.end(&suite, &summary) }
    suite.time = world.clock.monotonic() - start
    for file in files { try write(file, suite, summary) }
  }

  private func write(_ file: ReportFile, _ suite: JUnitSuite, _ summary: RunSummary) throws {
    do throws(SystemError) {
      if let failure { throw failure }
      try world.files.replace(file.path, mode: 0o644) { (write) throws(SystemError) in
        switch file.format {
        case .junit: try suite.write(to: write)
        case .summary: try write(summary.bytes + [UInt8(ascii: "\n")])
        }
      }
    } catch {
      throw Problem(
        .outputFailed, "cannot write the report to '\(file.path)'", reason: error.description,
        hint: "Choose a file in an existing folder that you can write to.")
    }
  }
}

extension World {
  /// The folder for temporary files.
  package var temporaryFolder: String { environment[.temporaryFolder].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp" }
}
