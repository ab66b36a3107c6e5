import CommandLine
import Output
package import Session
package import Store
import Text

extension StoreCheckResult: OutputRecord {
  package static let fields: Fields = [
    Field("check", "The subject of the check", column: "CHECK", overflow: .keep) { $0.check },
    Field("passed", "Whether the check passed", column: "PASSED") { $0.passed },
    Field("detail", "What was found", column: "DETAIL") { $0.detail },
  ]
}

enum StoreCheck: Command {
  struct Options: Sendable {}

  static let name = "check"
  static let summary = "Check both databases and decrypt every credential"
  static var shape: OutputSchema? { .many(StoreCheckResult.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let findings = try session.store.check()
    var output = Output.rows(findings)
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
