import JSON
import Text
import World

/// What a result says about one line of a file.
package struct ReportFinding {
  /// The line, from 1.
  package let line: Int
  /// The kind of finding, such as an error code.
  package let check: String
  /// The part of the item that the finding is about, such as a field; nil for the whole item.
  package let part: String?
  package let message: String

  package init(line: Int, check: String, part: String? = nil, message: String) {
    (self.line, self.check, self.part, self.message) = (line, check, part, message)
  }

  func redacted(in world: World) -> ReportFinding {
    ReportFinding(line: line, check: check, part: part.map(world.redacted), message: world.redacted(message))
  }
}

/// The findings of a run as a code quality report, which GitLab shows in merge requests.
///
/// The format is the part of Code Climate's format that GitLab reads
/// (https://docs.gitlab.com/ci/testing/code_quality/, "Code Quality report format").
struct CodeQualityReport {
  /// The path of the file that the findings are about.
  var path = "" {
    // GitLab compares the path with those in the repository.
    didSet { if path.hasPrefix("./") { path = String(path.dropFirst(2)) } }
  }
  private let command: String
  private let items: ReportBuffer
  private var isEmpty = true
  /// What ended the run too early, so findings are missing; nil if nothing did.
  var end: Problem?

  /// - Parameters:
  ///   - command: the name of the command.
  ///   - items: an empty buffer for the findings, which may not fit in memory.
  init(_ command: String, _ items: ReportBuffer) { (self.command, self.items) = (command, items) }

  mutating func add(_ finding: ReportFinding, of item: String) throws(SystemError) {
    try items.append(Array(((isEmpty ? "" : ",\n") + text(finding, of: item)).utf8))
    isEmpty = false
  }

  private func text(_ finding: ReportFinding, of item: String) -> String {
    // The line is not part of the fingerprint, so a finding stays the same if the file grows above it.
    let identity = [command, path, item, finding.check, finding.part ?? ""]
    let fingerprint = SHA256.hash(Array(identity.joined(separator: "\0").utf8)).hex
    let value: JSONValue = [
      "description": .string("\(item): \(finding.message)"), "check_name": .string("ifttt/\(finding.check)"),
      "fingerprint": .string(fingerprint), "severity": "major",
      "location": ["path": .string(path), "lines": ["begin": JSONValue(finding.line)]],
    ]
    return value.text
  }

  /// Writes the whole document.
  func write(to write: ([UInt8]) throws(SystemError) -> Void) throws(SystemError) {
    try write(Array("[\n".utf8))
    try items.forEachChunk(write)
    if let end {
      let finding = ReportFinding(line: 1, check: end.code.rawValue, message: end.summary)
      try write(Array(((isEmpty ? "" : ",\n") + text(finding, of: command)).utf8))
    }
    try write(Array((isEmpty && end == nil ? "]\n" : "\n]\n").utf8))
  }
}
