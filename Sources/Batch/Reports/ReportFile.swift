package import Arguments
package import CommandContext
import Hints
package import World

/// A file that reports the results of a batch to other programs: `--report junit=FILE`.
package struct ReportFile: Sendable {
  package enum Format: String, Sendable, CaseIterable { case junit }
  package let format: Format
  package let path: String

  /// The flag of every batch command.
  package static func flag<Options>(into path: @autoclosure @escaping OptionKeyPath<Options, ReportFile?>) -> Flag<
    Options
  > {
    .value(
      "report", .reportFile, into: path(), isAdvanced: true,
      help: "Write the result of each item to this file, as JUnit XML")
  }
}

extension ValueKind<ReportFile> {
  static var reportFile: ValueKind {
    ValueKind(ValueSchema(placeholder: "junit=FILE", completion: .file)) { (text: String) throws(ValueError) in
      let parts = text.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(Substring(parts[0]))
      guard let format = ReportFile.Format(rawValue: name) else {
        throw ValueError(
          "expected a format, '=' and a file", accepted: ReportFile.Format.allCases.map(\.rawValue),
          bytes: parts[0].isEmpty ? nil : 0..<parts[0].count)
      }
      guard parts.count == 2, !parts[1].isEmpty else { throw ValueError("expected '=' and a file after the format") }
      return ReportFile(format: format, path: String(Substring(parts[1])))
    }
  }
}

extension Session {
  /// Opens the report of this run. Initially the file contains the error that the run did not finish. Writing it proves
  /// that the file is writable before any request is sent. Nil if no report was requested, and with `--dry-run`.
  /// - Throws: `output_failed`.
  package func openReport(_ file: ReportFile?) throws -> BatchReport? {
    guard let file, !options.isDryRun else { return nil }
    let report = BatchReport(file: file, suite: (["ifttt"] + path).joined(separator: " "), world: world)
    try report.begin()
    return report
  }
}

/// Collects the result of each item and writes the file atomically when the run ends.
package final class BatchReport {
  private let file: ReportFile
  private let world: World
  private var suite: JUnitSuite
  private let start: Duration
  private var started: [String: Duration] = [:]

  package init(file: ReportFile, suite name: String, world: World) {
    (self.file, self.world) = (file, world)
    suite = JUnitSuite(name: name, begunAt: world.clock.now())
    start = world.clock.monotonic()
  }

  package func begin() throws {
    let facts: FileFacts?
    do throws(SystemError) { facts = try world.files.facts(file.path) } catch { facts = nil }
    // Replacing a device or a link would destroy it instead of writing to it.
    if let facts, facts.kind != .file {
      throw Problem(
        .outputFailed, "cannot write the report to '\(file.path)'", reason: "it is not a regular file",
        hint: "Choose a new file, or a regular file to replace.")
    }
    var beginning = suite
    beginning.add("run", .error("the run did not finish"), after: .zero)
    try write(beginning)
  }

  /// Records that a request about this item is sent now.
  package func starting(_ name: String) { started[name] = world.clock.monotonic() }

  /// Records the result of an item.
  /// - Parameter time: nil for the time since ``starting(_:)``.
  package func ended(_ name: String, _ problem: Problem?, after time: Duration? = nil) {
    let now = world.clock.monotonic()
    let time = time ?? now - (started.removeValue(forKey: name) ?? now)
    suite.add(name, problem.map { $0.isSkip ? .skipped($0.summary) : .failure($0) } ?? .success, after: time)
  }

  /// - Parameter rest: the items that the run did not reach.
  package func end(without rest: some Sequence<String>) throws {
    for name in rest { suite.add(name, .skipped("the run ended first"), after: .zero) }
    suite.time = world.clock.monotonic() - start
    try write(suite)
  }

  private func write(_ suite: JUnitSuite) throws {
    do throws(SystemError) {
      try world.files.replace(file.path, with: suite.document, mode: 0o644)
    } catch {
      throw Problem(
        .outputFailed, "cannot write the report to '\(file.path)'", reason: error.description,
        hint: "Choose a file in an existing folder that you can write to.")
    }
  }
}
