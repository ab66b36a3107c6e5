package import CommandLine
import Text

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
      help: "Write each result as JUnit XML, or with summary=FILE the counts as JSON, to this file")
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
