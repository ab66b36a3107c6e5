package import JSON
import Output
import Text
import World

/// The counts of a run by result and error code: the file of `--report summary=FILE`.
package struct RunSummary: OutputRecord, Equatable {
  /// The shard that the run processed; nil for everything.
  package var shard: Shard?
  package private(set) var succeeded = 0
  package private(set) var failed = 0
  package private(set) var skipped = 0
  /// The number of failures by error code.
  package private(set) var errors: [String: Int] = [:]

  package init(shard: Shard? = nil) { self.shard = shard }

  package var total: Int { succeeded + failed + skipped }

  package static let fields: Fields = [
    Field("version", "The version of the file format") { _ in 1 },
    Field("shard", "The part of all items that the run processed; null for all of them") {
      $0.shard.map(ShardRecord.init)
    },
    Field("total", "The number of items", column: "TOTAL") { $0.total },
    Field("succeeded", "The number of items that succeeded", column: "SUCCEEDED") { $0.succeeded },
    Field("failed", "The number of items that failed", column: "FAILED") { $0.failed },
    Field("skipped", "The number of items that were not processed", column: "SKIPPED") { $0.skipped },
    Field("errors", "The number of failures by error code; 'interrupted' if the run did not finish") {
      OutputCounts($0.errors)
    },
  ]

  mutating func add(_ problem: Problem?) {
    guard let problem else { return succeeded += 1 }
    if problem.isSkip { return addSkipped() }
    failed += 1
    errors[problem.code.rawValue, default: 0] += 1
  }

  mutating func addSkipped() { skipped += 1 }

  /// Records that the run did not finish, so items are missing.
  mutating func addInterruption() { errors[Problem.Code.interrupted.rawValue, default: 0] += 1 }

  package var isInterrupted: Bool { errors[Problem.Code.interrupted.rawValue] != nil }

  /// Adds the counts of another shard.
  package mutating func add(_ other: RunSummary) {
    succeeded += other.succeeded
    failed += other.failed
    skipped += other.skipped
    errors.merge(other.errors) { $0 + $1 }
  }
}

extension RunSummary {
  /// Reads a summary; nil for any other JSON.
  package init?(reading value: JSONValue) {
    guard let object = value.object, object["version"]?.int == 1,
      Set(object.members.map(\.key)).count == object.members.count,
      let succeeded = object["succeeded"]?.count, let failed = object["failed"]?.count,
      let skipped = object["skipped"]?.count, let total = object["total"]?.count, let errors = object["errors"]?.object,
      let shard = object["shard"]
    else { return nil }
    (self.succeeded, self.failed, self.skipped) = (succeeded, failed, skipped)
    for (code, number) in errors.members {
      guard let number = number.count, self.errors.updateValue(number, forKey: code) == nil else { return nil }
    }
    guard total == self.total else { return nil }
    guard !shard.isNull else { return }
    guard let number = shard["number"]?.int, let count = shard["count"]?.int, let part = Shard(number, of: count) else {
      return nil
    }
    self.shard = part
  }
}

extension JSONValue {
  /// A number of items. The limit keeps sums of many summaries from overflowing.
  fileprivate var count: Int? { int.flatMap { 0...(1 << 50) ~= $0 ? $0 : nil } }
}

/// The shard in a summary.
private struct ShardRecord: OutputRecord {
  let shard: Shard

  static let fields: Fields = [
    Field("number", "The number of the shard, from 1") { $0.shard.number },
    Field("count", "The number of shards") { $0.shard.count },
  ]
}

/// An object of numbers with arbitrary keys, sorted.
private struct OutputCounts: OutputValue {
  private let counts: [String: Int]
  init(_ counts: [String: Int]) { self.counts = counts }

  static var schema: JSONObject { ["type": "object", "additionalProperties": .object(Int.schema)] }
  var json: JSONValue {
    .object(JSONObject(members: counts.inOrder.map { ($0.key, $0.value.json) }))
  }
}

/// The results of a batch for GitHub Actions: as a Markdown table for the job summary, failures first, as many as fit; and
/// the counts as outputs of the step.
///
/// (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands, "Adding a job summary" and "Setting
/// an output parameter")
package struct StepSummary {
  private let title: String
  private let file: String
  /// The file for the outputs of the step.
  private let outputFile: String
  private var failed = Rows()
  private var skipped = Rows()
  private var done = Rows()

  /// The rows with one result. Beyond a total size, further rows are only counted.
  private struct Rows {
    private(set) var count = 0
    private(set) var lines: [String] = []
    private var size = 0

    mutating func add(_ line: @autoclosure () -> String) {
      count += 1
      guard size < StepSummary.limit else { return }
      let line = line()
      lines.append(line)
      size += line.utf8.count
    }
  }

  /// The program's share of a summary, in bytes. GitHub rejects more than 1 MiB per step, including the output of the
  /// step's other programs.
  package static let limit = 256 * 1024
  /// The length limit of a cell, in characters.
  private static let maxCellLength = 300

  package init(title: String, file: String = "", outputFile: String = "") {
    (self.title, self.file, self.outputFile) = (title, file, outputFile)
  }

  package mutating func add(_ name: String, _ problem: Problem?) {
    guard let problem else { return done.add(Self.row(name, "done")) }
    if problem.isSkip { return add(skipped: name) }
    failed.add(Self.row(name, "failed: \(problem.code.rawValue)", problem.summary))
  }

  /// Adds an item that the batch did not reach.
  package mutating func add(skipped name: String) { skipped.add(Self.row(name, "not run")) }

  private static func row(_ name: String, _ result: String, _ message: String = "") -> String {
    "| \(code(name)) | \(escaped(result)) | \(code(message)) |\n"
  }

  /// The counts, and a table with failed items first.
  var markdown: String {
    let total = failed.count + skipped.count + done.count
    var counts = "\(done.count) of \(total) done, \(failed.count) failed"
    if skipped.count > 0 { counts += ", \(skipped.count) not run" }
    var text = "### \(Self.escaped(title))\n\n\(counts).\n\n| Name | Result | Message |\n| --- | --- | --- |\n"
    var shown = 0
    for line in [failed, skipped, done].flatMap(\.lines) {
      guard text.utf8.count < Self.limit else { break }
      text += line
      shown += 1
    }
    if shown < total { text += "\nand \(total - shown) more\n" }
    return text + "\n"
  }

  /// Formats untrusted text as `code`, in which GitHub creates no links or mentions.
  private static func code(_ text: String) -> String {
    guard !text.isEmpty else { return "" }
    let isLong = text.count > maxCellLength
    return "<code>\(escaped(isLong ? text.prefix(maxCellLength - 1) + "…" : text))</code>"
  }

  /// Escapes text so that it contains no Markdown or HTML and is one line. Character references have no structural
  /// meaning in Markdown (CommonMark, section 6.2).
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in TerminalText.escaped(text).unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", " ", ",": result.unicodeScalars.append(scalar)
      case _ where scalar.isASCII: result += "&#\(scalar.value);"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension StepSummary {
  /// The summary of a batch; nil outside GitHub Actions.
  init?(of session: Session) {
    let environment = session.world.environment
    let (file, outputFile) = (environment[.githubStepSummary] ?? "", environment[.githubOutput] ?? "")
    guard WorkflowCommands.areRead(in: session.world), !file.isEmpty || !outputFile.isEmpty else { return nil }
    self.init(title: (["ifttt"] + session.path).joined(separator: " "), file: file, outputFile: outputFile)
  }

  /// The counts, one for each line `NAME=VALUE`.
  private var outputs: String {
    let total = failed.count + skipped.count + done.count
    return "total=\(total)\nsucceeded=\(done.count)\nfailed=\(failed.count)\nskipped=\(skipped.count)\n"
  }

  /// Appends to both files, to which other programs of the step may also write. A write error does not fail the run.
  func write(in session: Session) {
    let parts = [
      (markdown, file, "the job summary", EnvironmentVariable.githubStepSummary),
      (outputs, outputFile, "the outputs of the step", .githubOutput),
    ]
    for (text, file, name, variable) in parts where !file.isEmpty {
      do throws(SystemError) { try session.world.files.append(Array(text.utf8), to: file) } catch {
        session.console.note("Cannot write \(name) (\(variable)): \(error.description)")
      }
    }
  }
}
