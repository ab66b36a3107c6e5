package import CommandLine
import Text
import World

extension Session {
  /// Opens the reports of this run. Until the run ends, each file says that it did not finish. Writing this ensures
  /// that the file is writable before any request is sent.
  /// - Parameter shard: the part of all items that this run processes; nil for all of them.
  /// - Returns: nil if no report was requested, and with `--dry-run`.
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
      let status: FileStatus?
      do throws(SystemError) { status = try world.files.status(file.path) } catch { status = nil }
      // Replacing a device or a link would destroy it instead of writing to it.
      if let status, status.kind != .file {
        throw Problem(
          .outputFailed, "cannot write the report to '\(file.path)'", reason: "it is not a regular file",
          hint: "Choose a new file, or a regular file to replace.")
      }
    }
    var (suite, summary) = (BatchReport.suite(name, world), summary)
    BatchReport.addInterruption(&suite, &summary)
    for file in files { try write(file, suite, summary) }
  }

  /// Records in both reports that the run did not finish.
  private static func addInterruption(_ suite: inout JUnitSuite, _ summary: inout RunSummary) {
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
    add(name, after: time) {
      guard let problem = problem?.redacted(in: world) else { return .success }
      return problem.isSkip ? .skipped(problem.summary) : .failure(problem)
    }
  }

  /// Adds a test case with a redacted name.
  private func add(_ name: String, after time: Duration, _ outcome: () -> JUnitSuite.Outcome) {
    guard files.contains(where: { $0.format == .junit }), failure == nil else { return }
    do throws(SystemError) { try suite.add(world.redacted(name), outcome(), after: time) } catch { failure = error }
  }

  /// - Parameters:
  ///   - rest: the items that the run did not reach.
  ///   - isComplete: false if the run ended before all of its items became known.
  package func end(without rest: some Sequence<String>, isComplete: Bool = true) throws {
    for name in rest {
      summary.addSkipped()
      add(name, after: .zero) { .skipped("the run ended before this item") }
    }
    if !isComplete { BatchReport.addInterruption(&suite, &summary) }
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

/// A file that reports the results of a batch to other programs: `--report junit=FILE`.
package struct ReportFile: Sendable {
  package enum Format: String, Sendable, CaseIterable {
    case junit
    /// Counts by result and error code.
    case summary
  }
  package let format: Format
  package let path: String

  /// The flag of every batch command.
  package static func flag<Options>(into path: @autoclosure @escaping OptionKeyPath<Options, [ReportFile]>) -> Flag<
    Options
  > {
    .repeated(
      "report", .reportFile, into: path(), isAdvanced: true,
      help: """
        Write each result as JUnit XML, or with summary=FILE the counts as JSON, to this file; until the run \
        ends, the file reports it as unfinished
        """)
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

/// A buffer that is written completely before it is read. Beyond ``memoryLimit``, its bytes are in a temporary file.
final class ReportBuffer {
  /// The maximum number of bytes in memory.
  static let memoryLimit = 256 << 10

  private let makeFile: () throws(SystemError) -> any ScratchFile
  private var file: (any ScratchFile)?
  private var fileSize = 0
  private var bytes: [UInt8] = []

  init(in makeFile: @escaping () throws(SystemError) -> any ScratchFile) { self.makeFile = makeFile }

  func append(_ more: [UInt8]) throws(SystemError) {
    bytes += more
    guard bytes.count > Self.memoryLimit else { return }
    let file: any ScratchFile
    if let made = self.file { file = made } else { file = try makeFile() }
    self.file = file
    try file.write(bytes, at: fileSize)
    fileSize += bytes.count
    bytes.removeAll(keepingCapacity: true)
  }

  func forEachChunk(_ body: ([UInt8]) throws(SystemError) -> Void) throws(SystemError) {
    var offset = 0
    while let file, offset < fileSize {
      let chunk = try file.read(at: offset, count: min(Self.memoryLimit, fileSize - offset))
      guard !chunk.isEmpty else { break }
      offset += chunk.count
      try body(chunk)
    }
    try body(bytes)
  }
}

/// The results of a batch as JUnit XML, the format that Jenkins, GitLab and most CI services read.
///
/// No standard defines the format. This is the form of Ant's reports (https://github.com/windyroad/JUnit-Schema),
/// which all of these services accept.
struct JUnitSuite {
  package enum Outcome {
    case success
    case failure(Problem)
    /// The batch itself failed.
    case error(String)
    case skipped(String)
  }

  package let name: String
  package let begunAt: Timestamp
  package var time = Duration.zero
  private let cases: ReportBuffer
  private var counts = (tests: 0, failures: 0, errors: 0, skipped: 0)

  /// - Parameter cases: an empty buffer for the test cases, which may not fit in memory.
  init(name: String, begunAt: Timestamp, cases: ReportBuffer) {
    (self.name, self.begunAt, self.cases) = (name, begunAt, cases)
  }

  mutating func add(_ item: String, _ outcome: Outcome, after time: Duration) throws(SystemError) {
    counts.tests += 1
    let className = name.split(separator: " ").joined(separator: ".")
    var text = #"    <testcase name="\#(escaped(item))" classname="\#(escaped(className))" time="\#(time.inSeconds)""#
    switch outcome {
    case .success: text += "/>\n"
    case .failure(let problem):
      counts.failures += 1
      text += ">\n      <failure message=\"\(escaped(problem.summary))\" type=\"\(escaped(problem.code.rawValue))\">"
      text += escaped([problem.summary, problem.hint?.text].compactMap(\.self).joined(separator: "\n"))
      text += "</failure>\n    </testcase>\n"
    case .error(let message):
      counts.errors += 1
      text += ">\n      <error message=\"\(escaped(message))\" type=\"interrupted\"/>\n    </testcase>\n"
    case .skipped(let message):
      counts.skipped += 1
      text += ">\n      <skipped message=\"\(escaped(message))\"/>\n    </testcase>\n"
    }
    try cases.append(Array(text.utf8))
  }

  /// Writes the whole document in UTF-8.
  func write(to write: ([UInt8]) throws(SystemError) -> Void) throws(SystemError) {
    let sums = "tests=\"\(counts.tests)\" failures=\"\(counts.failures)\" errors=\"\(counts.errors)\""
    // The schema's timestamps have no time zone; this one is in UTC.
    let timestamp = begunAt.rfc3339.dropLast()
    let head = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites>
        <testsuite id="0" package="ifttt" name="\(escaped(name))" \(sums) skipped="\(counts.skipped)" \
      time="\(time.inSeconds)" timestamp="\(timestamp)" hostname="localhost">
          <properties/>

      """
    try write(Array(head.utf8))
    try cases.forEachChunk(write)
    try write(Array("    <system-out/>\n    <system-err/>\n  </testsuite>\n</testsuites>\n".utf8))
  }
}

/// Escapes text for an attribute or an element. Characters that XML 1.0 cannot represent (section 2.2, Char) are
/// written as `\u{1b}`. Line endings and tabs become references, because an attribute would convert them to spaces.
private func escaped(_ text: String) -> String {
  var result = ""
  result.reserveCapacity(text.utf8.count)
  for scalar in text.unicodeScalars {
    switch scalar.value {
    case 0x09, 0x0a, 0x0d: result += "&#\(scalar.value);"
    case ..<0x20, 0x7f...0x9f, 0xfffe, 0xffff: result += #"\u{\#(String(scalar.value, radix: 16))}"#
    // Attributes are in double quotes, and messages quote names with apostrophes.
    case 0x27: result += "'"
    default:
      if let reference = MarkupText.reference(to: scalar) {
        result += reference
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }
  return result
}

extension Duration {
  /// `1.250`
  fileprivate var inSeconds: String {
    let (seconds, attoseconds) = components
    let milliseconds = String(attoseconds / 1_000_000_000_000_000)
    return "\(seconds)." + String(repeating: "0", count: 3 - milliseconds.utf8.count) + milliseconds
  }
}
