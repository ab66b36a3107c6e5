package import CommandLine
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
    static let common: [Format] = [.junit, .summary, .dotenv]
  }
  package let format: Format
  package let path: String

  /// The flag of every command with results.
  /// - Parameter hasFindings: whether the results are about lines of a file.
  package static func flag<Options>(
    into path: @autoclosure @escaping OptionKeyPath<Options, [ReportFile]>, hasFindings: Bool = false
  ) -> Flag<Options> {
    .repeated(
      "report", .reportFile(hasFindings ? Format.allCases : Format.common), into: path(), isAdvanced: true,
      help: """
        Write each result as JUnit XML to this file, or the counts, as JSON with summary=FILE or as variables with \
        dotenv=FILE\(hasFindings ? "; codequality=FILE has the results as findings for GitLab" : ""); until the run \
        ends, the file reports it as unfinished
        """)
  }
}

extension [ReportFile] {
  /// Whether a report shows findings at lines of a file.
  package var locateFindings: Bool { contains { $0.format == .codeQuality } }
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
