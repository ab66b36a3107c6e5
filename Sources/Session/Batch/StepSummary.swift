import Output
import Text
import World

/// The results of a batch, as a Markdown table for a GitHub Actions job summary: failures first, as many as fit.
///
/// (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands, "Adding a job summary")
package struct StepSummary {
  private let title: String
  private let file: String
  private var failed = Rows()
  private var skipped = Rows()
  private var done = Rows()

  /// Rows with one result. Their text does not grow with their number.
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
  private static let longest = 300

  package init(title: String, file: String = "") { (self.title, self.file) = (title, file) }

  package mutating func add(_ name: String, _ problem: Problem?) {
    guard let problem else { return done.add(Self.row(name, "done")) }
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
    let isLong = text.count > longest
    return "<code>\(escaped(isLong ? text.prefix(longest - 1) + "…" : text))</code>"
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
    guard WorkflowCommands.areRead(in: session.world), let file = session.world.environment[.githubStepSummary],
      !file.isEmpty
    else { return nil }
    self.init(title: (["ifttt"] + session.path).joined(separator: " "), file: file)
  }

  /// Appends the summary to its file, to which other programs of the step may also write. A write error does not fail
  /// the run.
  func write(in session: Session) {
    do throws(SystemError) { try session.world.files.append(Array(markdown.utf8), to: file) } catch {
      session.console.note("Cannot write the job summary (GITHUB_STEP_SUMMARY): \(error.description)")
    }
  }
}
