import Display
import Hints
import World

/// How a run over many went, as a Markdown table for the page of a GitHub Actions job.
///
/// (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands, "Adding a job summary")
struct StepSummary {
  private let title: String
  private var rows: [Row] = []

  private struct Row {
    var name: String
    var result: String
    var message = ""
  }

  /// GitHub rejects a step's summary of more than 1 MiB, with all that other programs of the step add.
  static let limit = 256 * 1024
  /// Of a cell, in characters.
  private static let longest = 300

  init(title: String) { self.title = title }

  mutating func add(_ name: String, _ problem: Problem?) {
    guard let problem else { return rows.append(Row(name: name, result: "done")) }
    rows.append(Row(name: name, result: "failed: \(problem.code.rawValue)", message: problem.summary))
  }

  /// The run ended before it came to this one.
  mutating func add(skipped name: String) { rows.append(Row(name: name, result: "not run")) }

  /// The table, those that failed first.
  var markdown: String {
    let failed = rows.filter { $0.result.hasPrefix("failed") }
    let skipped = rows.filter { $0.result == "not run" }
    var counts = "\(rows.count - failed.count - skipped.count) of \(rows.count) done, \(failed.count) failed"
    if !skipped.isEmpty { counts += ", \(skipped.count) not run" }
    var text = "### \(Self.escaped(title))\n\n\(counts).\n\n| Name | Result | Message |\n| --- | --- | --- |\n"
    let ordered = failed + skipped + rows.filter { $0.result == "done" }
    for (place, row) in ordered.enumerated() {
      guard text.utf8.count < Self.limit else {
        text += "\nand \(ordered.count - place) more\n"
        break
      }
      text += "| \(Self.code(row.name)) | \(Self.escaped(row.result)) | \(Self.code(row.message)) |\n"
    }
    return text + "\n"
  }

  /// Text from elsewhere: in `code`, GitHub makes no links and mentions of it.
  private static func code(_ text: String) -> String {
    guard !text.isEmpty else { return "" }
    let isLong = text.count > longest
    return "<code>\(escaped(isLong ? text.prefix(longest - 1) + "…" : text))</code>"
  }

  /// Text that is neither Markdown nor HTML, in one line. Character references cannot stand for marks of structure
  /// (CommonMark, section 6.2).
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

extension Session {
  /// The summary of a run, where something reads one.
  /// - Parameter path: of its file.
  var stepSummary: (summary: StepSummary, path: String)? {
    guard WorkflowCommands.areRead(in: world), let file = world.environment["GITHUB_STEP_SUMMARY"], !file.isEmpty
    else { return nil }
    return (StepSummary(title: (["ifttt"] + path).joined(separator: " ")), file)
  }

  /// Adds it to the file, which other programs of the step write too. That it cannot be written fails no run.
  func write(_ summary: StepSummary, to file: String) {
    do throws(SystemError) { try world.files.append(Array(summary.markdown.utf8), to: file) } catch {
      note("The summary of GITHUB_STEP_SUMMARY cannot be written: \(error.description)")
    }
  }
}
