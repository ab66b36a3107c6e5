import Foundation
import ProgramDriver
import Support
import Testing

@testable import Session

/// Adding up the summaries of shards.
@Suite struct ReportMergeTests {
  private let home = Home()

  private func summary(_ shard: String, succeeded: Int = 0, failed: Int = 0, errors: String = "{}", total: Int? = nil)
    -> String
  {
    #"{"version":1,"shard":\#(shard),"total":\#(total ?? succeeded + failed),"succeeded":\#(succeeded),"#
      + #""failed":\#(failed),"skipped":0,"errors":\#(errors)}"#
  }

  private func part(_ number: Int, _ count: Int) -> String { #"{"number":\#(number),"count":\#(count)}"# }

  private func merge(_ texts: String...) -> Home.Outcome {
    let paths = texts.enumerated().map { home.folder.write("summary-\($0.offset)", $0.element) }
    return home.run("report merge \(paths.joined(separator: " ")) --json")
  }

  @Test func countsAreAddedUp() {
    let merged = merge(
      summary(part(2, 2), succeeded: 3, failed: 2, errors: #"{"not_found":1,"timeout":1}"#),
      summary(part(1, 2), succeeded: 4, failed: 1, errors: #"{"not_found":1}"#))
    #expect(
      merged.output
        == #"{"version":1,"shard":null,"total":10,"succeeded":7,"failed":3,"skipped":0,"errors":{"not_found":2,"timeout":1}}"#
        + "\n")
    #expect(merged.exit == .success && merged.errors == "")
  }

  @Test func missingAndUnfinishedShardsAreNamed() {
    let merged = merge(
      summary(part(2, 4), succeeded: 1), summary(part(3, 4), succeeded: 1, errors: #"{"interrupted":1}"#))
    #expect(merged.output.contains(#""total":2"#))
    #expect(merged.exit == .partial)
    #expect(merged.errors.contains("2 of 4 shards are missing, and 1 of 4 shards did not finish"))
    for name in ["shard 1/4", "shard 4/4", "shard 3/4"] { #expect(merged.errors.contains(name)) }
    #expect(!merged.errors.contains("shard 2/4"))
  }

  @Test func otherFilesAreRejected() {
    #expect(merge(summary(part(1, 2)), summary(part(1, 2))).errors.contains("shard 1/2 is also in"))
    #expect(merge(summary(part(1, 2)), summary(part(2, 3))).errors.contains("it is one of 3 shards"))
    #expect(merge(summary("null")).errors.contains("its run was not sharded"))
    for text in [
      "", "[]", "{}", "x", summary(part(3, 2)), summary(part(0, 2)), summary(part(1, 1), failed: -1),
      summary(part(1, 1), succeeded: 2, total: 3), summary(part(1, 1), errors: #"{"a":"b"}"#),
      summary(part(1, 1)).replacingOccurrences(of: "\"version\":1", with: "\"version\":2"),
    ] {
      let merged = merge(text)
      #expect(merged.exit == .failure && merged.errors.contains("it is not a summary of a run"), "\(text)")
      #expect(merged.output == "")
    }
    #expect(home.run("report merge \(home.folder.path)/nothing.json").exit == .failure)
    #expect(home.run("report merge").exit == .usage)
  }

  @Test func aRunWritesItsSummary() {
    let path = home.folder.path + "/summary.json"
    home.sandbox("connections show Kd7Rn2Qx nope --report summary=\(path) --report junit=\(path).xml")
    #expect(
      home.folder.text("summary.json")
        == #"{"version":1,"shard":null,"total":2,"succeeded":1,"failed":1,"skipped":0,"errors":{"not_found":1}}"# + "\n"
    )
    #expect(home.folder.text("summary.json.xml")?.contains("tests=\"2\" failures=\"1\"") == true)
    #expect(home.sandbox("connections show Kd7Rn2Qx --report summary=\(path) --report junit=\(path)").exit == .usage)
  }
}
