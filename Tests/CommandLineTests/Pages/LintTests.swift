import CommandLine
import Foundation
import Support
import Testing

/// The checkers of the languages in which the pages and scripts are written.
@Suite struct LintTests {
  @Test(.enabled(if: Tool.isInstalled("bash"), "skipped: needs bash")) func bashAcceptsTheScript() throws {
    #expect(try syntaxCheck(.bash) == Tool.Outcome(status: 0))
  }

  @Test(.enabled(if: Tool.isInstalled("fish"), "skipped: needs fish")) func fishAcceptsTheScript() throws {
    #expect(try syntaxCheck(.fish) == Tool.Outcome(status: 0))
  }

  @Test(.enabled(if: Tool.isInstalled("zsh"), "skipped: needs zsh")) func zshAcceptsTheScript() throws {
    #expect(try syntaxCheck(.zsh) == Tool.Outcome(status: 0))
  }

  private func syntaxCheck(_ shell: CompletionShell) throws -> Tool.Outcome {
    let folder = try ScratchFolder()
    try folder.write(Completion.script(for: shell, root: SampleTree.root), to: "script")
    return try Tool.required(shell.rawValue).run(["-n", "script"], in: folder)
  }

  @Test(.enabled(if: Tool.isInstalled("shellcheck"), "skipped: needs shellcheck")) func passesShellcheck() throws {
    let folder = try ScratchFolder()
    try folder.write(Completion.script(for: .bash, root: SampleTree.root), to: "script")
    let outcome = try Tool.required("shellcheck").run(["script"], in: folder)
    #expect(outcome == Tool.Outcome(status: 0))
  }

  @Test(.enabled(if: Tool.isInstalled("mandoc"), "skipped: needs mandoc")) func passesMandoc() throws {
    let pages = ManPage.all(root: SampleTree.root, contents: SampleTree.contents)
    #expect(try PageReader.mandocComplaints(pages) == [])
  }

  @Test(.enabled(if: Tool.isInstalled("mandoc"), "skipped: needs mandoc")) func mandocShowsTextUnchanged() throws {
    let folder = try ScratchFolder()
    let page = try #require(ManPage.text(root: SampleTree.root, path: [], contents: SampleTree.contents))
    try folder.write(page, to: "page.1")
    let outcome = try Tool.required("mandoc").run(["-T", "utf8", "-O", "width=300", "page.1"], in: folder)
    let awkward = #".SH is no request here, and neither is 'br; C:\new\table stays as it is, so does 100 % of "$HOME"."#
    #expect(outcome.output.components(separatedBy: "\n").contains { $0.hasSuffix(awkward) })
  }
}
