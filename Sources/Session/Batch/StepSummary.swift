import CommandLine
import Output
import Text
import World

/// The results of a run for GitHub Actions: as a Markdown table for the job summary, failures first, as many as fit;
/// and the counts as outputs of the step.
///
/// (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands, "Adding a job summary" and
/// "Setting an output parameter")
package struct StepSummary {
  private let title: String
  private let file: String
  /// The file for the outputs of the step.
  private let outputFile: String
  private var counts = RunSummary()
  /// What ended the run too early.
  private var end: Problem?
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
    counts.add(problem)
    guard let problem else { return done.add(Self.row(name, "done")) }
    if problem.isSkip { return skipped.add(Self.row(name, "not run", problem.summary)) }
    failed.add(Self.row(name, "failed: \(problem.code.rawValue)", problem.summary))
  }

  /// Adds an item that the batch did not reach.
  package mutating func add(skipped name: String) {
    counts.addSkipped()
    skipped.add(Self.row(name, "not run"))
  }

  /// Records what ended the run too early.
  mutating func addEnd(_ problem: Problem) {
    counts.addEnd(problem)
    end = problem
  }

  private static func row(_ name: String, _ result: String, _ message: String = "") -> String {
    "| \(code(name)) | \(escaped(result)) | \(code(message)) |\n"
  }

  /// The counts, and a table with failed items first.
  var markdown: String {
    let total = counts.total
    var text = "### \(Self.escaped(title))\n\n\(counts.succeeded) of \(total) done, \(counts.failed) failed"
    if counts.skipped > 0 { text += ", \(counts.skipped) not run" }
    text += counts.isInterrupted ? ". The run did not finish.\n\n" : ".\n\n"
    if let end, end.code != .interrupted {
      text += "\(Self.escaped("\(end.code.rawValue): "))\(Self.code(end.summary))\n\n"
    }
    guard total > 0 else { return text }
    text += "| Name | Result | Message |\n| --- | --- | --- |\n"
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
  /// The summary of a run; nil outside GitHub Actions, and for a dry run.
  init?(of session: Session) {
    let environment = session.world.environment
    let (file, outputFile) = (environment[.githubStepSummary] ?? "", environment[.githubOutput] ?? "")
    guard WorkflowCommands.areRead(in: session.world), !session.options.isDryRun, !file.isEmpty || !outputFile.isEmpty
    else { return nil }
    self.init(title: (["ifttt"] + session.path).joined(separator: " "), file: file, outputFile: outputFile)
  }

  /// The counts, one for each line `NAME=VALUE`.
  private var outputs: String { counts.variables.map { "\($0.name)=\($0.value)\n" }.joined() }

  /// Appends to both files, to which other programs of the step may also write. A write error does not fail the run.
  func write(in session: Session) {
    session.hasStepSummary = true
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

extension Session {
  /// Adds the problem to the job summary, if the command can have results.
  func summarize(_ problem: Problem) {
    guard !hasStepSummary, var summary = StepSummary(of: self),
      tree.ownParser.page(at: path)?.options.contains(where: { $0.name == "report" }) == true
    else { return }
    summary.addEnd(problem.redacted(in: world))
    summary.write(in: self)
  }
}
