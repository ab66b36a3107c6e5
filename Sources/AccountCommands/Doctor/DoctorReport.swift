import CommandContext
import Display
import Hints
import JSON

extension OutputSchema {
  static var doctor: OutputSchema {
    OutputSchema(
      name: "doctor",
      record: RecordSchema([
        "check": .string, "status": .word(CheckResult.Status.allCases.map(\.rawValue)), "found": .string,
        "advice": .optionalString, "repair": .optionalString, "repaired": .bool,
      ]),
      columns: [
        Column("STATUS", "status", overflow: .keep), Column("CHECK", "check", overflow: .keep),
        Column("FOUND", "found"), Column("ADVICE", "advice"), Column("REPAIR", "repair"),
      ])
  }
}

/// The result of one check, as it is shown.
struct DoctorReport {
  var name: String
  var finding: CheckResult
  /// The repair that was made or, for an open finding, the repair that `--fix` would make.
  var repair: String?
  var isRepaired = false

  var row: [UInt8] {
    let row: JSONValue = [
      "check": JSONValue(name), "status": JSONValue(finding.status.rawValue), "found": JSONValue(finding.found),
      "advice": JSONValue(finding.advice?.text), "repair": JSONValue(repair), "repaired": JSONValue(isRepaired),
    ]
    return row.bytes
  }

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
