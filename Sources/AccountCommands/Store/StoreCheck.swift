import Arguments
import CommandContext
import Display
import Hints
import JSON
import Store

extension OutputSchema {
  static var storeFindings: OutputSchema {
    OutputSchema(
      name: "store-check", record: RecordSchema(["check": .string, "passed": .bool, "detail": .string]),
      columns: [Column("CHECK", "check", overflow: .keep), Column("PASSED", "passed"), Column("DETAIL", "detail")])
  }
}

enum StoreCheck: Command {
  struct Options: Sendable {}

  static let name = "check"
  static let summary = "Check both databases and decrypt every credential"
  static var shape: OutputSchema? { .storeFindings }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let findings = try session.store.check()
    let rows = findings.map { finding -> [UInt8] in
      let row: JSONValue = [
        "check": JSONValue(finding.check), "passed": JSONValue(finding.passed), "detail": JSONValue(finding.detail),
      ]
      return row.bytes
    }
    var output = Output.rows(rows, as: .storeFindings)
    let failed = findings.filter { !$0.passed }
    if let first = failed.first {
      output.verdict = {
        throw Problem(
          .storeDamaged, "\(failed.count) of \(findings.count) checks failed",
          reason: "\(first.check): \(first.detail)",
          hint: "Copy the folder before you change anything.")
      }
    }
    return output
  }
}
