import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// The table that a batch adds to a GitHub Actions job summary.
@Suite struct StepSummaryTests {
  private func home() -> Home {
    let home = Home.tracking("aa", "bb")
    home.environment["GITHUB_ACTIONS"] = "true"
    home.environment["GITHUB_STEP_SUMMARY"] = home.folder["summary.md"]
    return home
  }

  private func server() -> Server {
    Server().answering(200, Server.connection("aa")).answering(
      404, Server.error("not_found", "a|b <b>*@team*</b>\\n# x"))
  }

  @Test func aBatchAddsATable() {
    let home = home()
    _ = home.folder.write("summary.md", "## Before\n\n")
    #expect(home.run("connections show aa bb", answers: server()).exit == .partial)
    let message =
      "no connection &#39;bb&#39;, or these credentials cannot access it&#58; IFTTT responded with 404 not&#95;found&#58; "
      + "a&#124;b &#60;b&#62;&#42;&#64;team&#42;&#60;&#47;b&#62;&#92;n&#35; x"
    #expect(
      home.folder.text("summary.md") == """
        ## Before

        ### ifttt connections show

        1 of 2 done, 1 failed.

        | Name | Result | Message |
        | --- | --- | --- |
        | <code>bb</code> | failed&#58; not&#95;found | <code>\(message)</code> |
        | <code>aa</code> | done |  |


        """)
    let before = home.folder.text("summary.md") ?? ""
    _ = home.run("connections show aa bb", answers: server())
    #expect(home.folder.text("summary.md")?.hasPrefix(before) == true, "the existing text is preserved")
    #expect((home.folder.text("summary.md") ?? "").utf8.count > before.utf8.count)
  }

  @Test func theCountsAreOutputsOfTheStep() {
    let home = home()
    home.environment["GITHUB_OUTPUT"] = home.folder.write("output.txt", "before=1\n")
    #expect(home.run("connections show aa bb", answers: server()).exit == .partial)
    #expect(home.folder.text("output.txt") == "before=1\ntotal=2\nsucceeded=1\nfailed=1\nskipped=0\nerrors=not_found\n")
    home.environment["GITHUB_STEP_SUMMARY"] = nil
    home.environment["GITHUB_OUTPUT"] = home.folder["other.txt"]
    _ = home.run("connections show aa bb", answers: server())
    #expect(home.folder.text("other.txt")?.hasPrefix("total=2\n") == true)
  }

  @Test func aSingleItemAddsATableToo() {
    let home = home()
    home.environment["GITHUB_OUTPUT"] = home.folder["output.txt"]
    _ = home.run("connections show aa", answers: Server().answering(200, Server.connection("aa")))
    let summary = home.folder.text("summary.md") ?? ""
    #expect(summary.hasPrefix("### ifttt connections show\n\n1 of 1 done, 0 failed.\n"), "\(summary)")
    #expect(home.folder.text("output.txt") == "total=1\nsucceeded=1\nfailed=0\nskipped=0\nerrors=\n")
  }

  @Test func aRunWithoutItemsAddsNoTable() {
    let home = home()
    home.environment["GITHUB_OUTPUT"] = home.folder["output.txt"]
    #expect(home.run("connections show --stdin", input: .text("")).exit == .success)
    #expect(home.folder.text("summary.md") == "### ifttt connections show\n\n0 of 0 done, 0 failed.\n\n")
    #expect(home.folder.text("output.txt")?.hasPrefix("total=0\n") == true)
  }

  /// A list from the cache has no results, and a dry run does nothing.
  @Test func onlyARunWithResultsInActionsAddsATable() {
    let home = home()
    home.environment["GITHUB_OUTPUT"] = home.folder["output.txt"]
    _ = home.run("connections list --offline")
    _ = home.run("connections show aa bb --dry-run")
    home.environment["GITHUB_ACTIONS"] = nil
    _ = home.run("connections show aa bb", answers: server())
    home.environment["GITHUB_ACTIONS"] = "true"
    home.environment["GITHUB_STEP_SUMMARY"] = ""
    home.environment["GITHUB_OUTPUT"] = ""
    _ = home.run("connections show aa bb", answers: server())
    #expect(home.folder.text("summary.md") == nil && home.folder.text("output.txt") == nil)
  }

  @Test func aWriteErrorDoesNotFailTheRun() {
    let home = home()
    home.environment["GITHUB_STEP_SUMMARY"] = home.folder.path
    let run = home.run(
      "connections show aa bb",
      answers: Server().answering(200, Server.connection("aa")).answering(200, Server.connection("bb")))
    #expect(run.exit == .success)
    #expect(run.errors.hasPrefix("Cannot write the job summary (GITHUB_STEP_SUMMARY): "))
  }

  @Test func unreachedItemsAreListed() {
    var summary = StepSummary(title: "ifttt x")
    summary.add("a", nil)
    summary.add(skipped: "b")
    #expect(summary.markdown.contains("1 of 2 done, 0 failed, 1 not run."))
    #expect(summary.markdown.hasSuffix("| <code>b</code> | not run |  |\n| <code>a</code> | done |  |\n\n"))
  }

  /// Also if the run fails before it has any result; but not twice.
  @Test func anErrorBeforeAnyResultIsSummarized() {
    let home = home()
    home.environment["GITHUB_OUTPUT"] = home.folder["output.txt"]
    let run = home.run("connections show aa bb --report junit=\(home.folder["no/such/folder"])")
    #expect(run.exit == .failure)
    let summary = home.folder.text("summary.md") ?? ""
    #expect(summary.hasPrefix("### ifttt connections show\n\n0 of 0 done, 0 failed. The run did not finish.\n\n"))
    #expect(summary.contains("\n\noutput&#95;failed&#58; <code>"), "\(summary)")
    #expect(summary.contains("cannot write the report to ") && !summary.contains("| Name |"), "\(summary)")
    #expect(
      home.folder.text("output.txt") == "total=0\nsucceeded=0\nfailed=0\nskipped=0\nerrors=interrupted,output_failed\n")
    let other = home.run("connections options zz", answers: Server().answering(404))
    #expect(other.exit != .success, "\(other.errors)")
    #expect(home.folder.text("summary.md") == summary, "the command has no results")
    _ = home.run("connections show aa bb", answers: server())
    #expect((home.folder.text("summary.md") ?? "").split(separator: "### ").count == 2)
  }

  @Test func aSkippedItemSaysWhy() {
    var (summary, problem) = (StepSummary(title: "ifttt x"), Problem(.refused, "only for providers"))
    problem.isSkip = true
    summary.add("a", problem)
    #expect(summary.markdown.hasSuffix("| <code>a</code> | not run | <code>only for providers</code> |\n\n"))
  }

  @Test func anUnfinishedRunSaysSo() {
    var summary = StepSummary(title: "ifttt x")
    summary.add("a", nil)
    summary.addEnd(Problem(.interrupted, "the run did not finish"))
    #expect(summary.markdown.contains("1 of 1 done, 0 failed. The run did not finish.\n\n| Name |"))
  }

  /// The summaries of a step are limited to 1 MiB in total.
  @Test func theSizeIsBounded() {
    var summary = StepSummary(title: "ifttt x")
    for index in 0..<5000 {
      summary.add(String(repeating: "|", count: 1000), index == 4999 ? Problem(.network, "no") : nil)
    }
    #expect(summary.markdown.utf8.count < 300_000)
    #expect(summary.markdown.contains("4999 of 5000 done, 1 failed."))
    #expect(summary.markdown.contains("failed&#58; network"), "failed items come first")
    #expect(summary.markdown.contains("\nand "))
  }
}
