import Output
import Session
import Text

/// The result of one check, as it is shown.
struct DoctorReport: OutputRecord {
  var name: String
  var finding: CheckResult
  /// The repair that was made or, for an open finding, the repair that `--fix` would make.
  var repair: String?
  var isRepaired = false

  static let fields: Fields = [
    Field("check", "The name of the check", column: "CHECK", overflow: .keep) { $0.name },
    Field("status", "The result of the check", column: "STATUS", overflow: .keep, place: 1) { $0.finding.status },
    Field("found", "What was found", column: "FOUND") { $0.finding.found },
    Field("advice", "What to do about it", column: "ADVICE") { $0.finding.advice?.text },
    Field("repair", "The repair that --fix makes or made", column: "REPAIR") { $0.repair },
    Field("repaired", "Whether the repair was made") { $0.isRepaired },
  ]

  /// The text for a person, complete even on a narrow terminal.
  func lines(columns: Int, color: Bool) -> String {
    let word = finding.status.rawValue
    let padding = { (text: String, width: Int) in text + String(repeating: " ", count: max(width - text.utf8.count, 0))
    }
    let head = (color ? finding.status.tone.around(word) : word) + padding("", 9 - word.utf8.count) + padding(name, 14)
    var sentences = [Hint(finding.found)]
    if let advice = finding.advice { sentences.append(advice) }
    if isRepaired, let repair { sentences.append("Repaired: \(repair)") }
    if !isRepaired, let repair { sentences.append("With --fix: \(repair)") }
    let indent = 23
    let lines = sentences.flatMap { $0.lines(width: max(columns - indent, 20)) }
    return lines.enumerated().map { place, line in
      (place == 0 ? head : String(repeating: " ", count: indent)) + line + "\n"
    }.joined()
  }
}

extension CheckResult.Status {
  fileprivate var tone: Tone {
    switch self {
    case .ok: .green
    case .warning: .yellow
    case .failure: .red
    case .skipped: .dim
    }
  }
}
