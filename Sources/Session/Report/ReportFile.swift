import CommandLine
import Text

/// A file that reports the results of a batch to other programs: `--report junit=FILE`.
package struct ReportFile: Sendable {
  package enum Format: String, Sendable, CaseIterable {
    case junit
    /// Counts by result and error code.
    case summary
    /// The counts as variables, for the jobs that follow in GitLab.
    case dotenv
    /// Findings at lines of a file, for the merge requests of GitLab.
    case codeQuality = "codequality"

    /// The formats of every command with a report.
    package static let common: [Format] = [.junit, .summary, .dotenv]
  }
  package let format: Format
  package let path: String

  /// The flag of every command with results.
  static func flag<Options>(
    _ formats: [Format], into path: @autoclosure @escaping OptionKeyPath<Options, [ReportFile]>
  ) -> Flag<Options> {
    let findings =
      formats.contains(.codeQuality) ? "; codequality=FILE has the results as findings for GitLab" : ""
    return .repeated(
      "report", .reportFile(formats), into: path(), isAdvanced: true,
      help: """
        Write each result as JUnit XML to this file, or the counts, as JSON with summary=FILE or as variables with \
        dotenv=FILE\(findings); until the run ends, the file reports it as unfinished
        """)
  }
}

extension ValueKind<ReportFile> {
  static func reportFile(_ formats: [ReportFile.Format]) -> ValueKind {
    ValueKind(ValueSchema(placeholder: "junit=FILE", completion: .file)) { (text: String) throws(ValueError) in
      let parts = text.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(Substring(parts[0]))
      guard let format = formats.first(where: { $0.rawValue == name }) else {
        throw ValueError(
          "expected a format, '=' and a file", accepted: formats.map(\.rawValue),
          bytes: parts[0].isEmpty ? nil : 0..<parts[0].count)
      }
      guard parts.count == 2, !parts[1].isEmpty else { throw ValueError("expected '=' and a file after the format") }
      return ReportFile(format: format, path: String(Substring(parts[1])))
    }
  }
}
