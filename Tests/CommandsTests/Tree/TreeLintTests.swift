import CommandLine
import PluginProtocol
import ProgramDriver
import Support
import Testing

@testable import Commands
@testable import Plugins
@testable import Session

/// The committed pages pass the checkers of their languages and equal the generated pages.
@Suite struct TreeLintTests {
  /// The pages of commands are generated from the tree; the others are written by hand.
  @Test(.enabled(if: Tool.isInstalled("mandoc"), "skipped: needs mandoc"), arguments: ["man/man1", "man/man5"])
  func mandocReportsNothing(folder: String) throws {
    let pages = try Checkout.files(in: folder).map { path in
      (fileName: String(path.dropFirst(folder.count + 1)), text: try Checkout.text(path))
    }
    #expect(!pages.isEmpty)
    #expect(try PageReader.mandocComplaints(pages) == [])
  }

  @Test(.enabled(if: Tool.isInstalled("mandoc"), "skipped: needs mandoc"))
  func mandocReportsNothingForHandwrittenPages() throws {
    let pages = try Checkout.files(in: "man/man7").map { path in
      (fileName: String(path.dropFirst("man/man7/".count)), text: try Checkout.text(path))
    }
    #expect(!pages.isEmpty)
    #expect(try PageReader.mandocComplaints(pages) == [])
  }

  @Test(.enabled(if: Tool.isInstalled("bash"), "skipped: needs bash")) func bashParsesItsScript() throws {
    #expect(try check("completions/ifttt.bash", with: "bash", "-n") == Tool.Outcome(status: 0))
  }

  @Test(.enabled(if: Tool.isInstalled("zsh"), "skipped: needs zsh")) func zshParsesItsScript() throws {
    #expect(try check("completions/_ifttt", with: "zsh", "-n") == Tool.Outcome(status: 0))
  }

  @Test(.enabled(if: Tool.isInstalled("fish"), "skipped: needs fish")) func fishParsesItsScript() throws {
    #expect(try check("completions/ifttt.fish", with: "fish", "--no-execute") == Tool.Outcome(status: 0))
  }

  @Test(.enabled(if: Tool.isInstalled("shellcheck"), "skipped: needs shellcheck")) func shellcheckReportsNothing()
    throws
  {
    #expect(try check("completions/ifttt.bash", with: "shellcheck") == Tool.Outcome(status: 0))
  }

  @Test func committedPagesEqualGeneratedOnes() throws {
    let bundle = try PagesBundle(
      root: Root.tree.ownSchema.with([Manifest(parsing: Array(Checkout.text(PagesCommand.bundledManifest).utf8))]),
      contents: .program)
    for file in bundle.files {
      #expect(try Checkout.text(file.path) == file.text, "\(file.path): run script/pages")
    }
    let committed = try Checkout.files(in: "completions") + Checkout.files(in: "man/man1")
    #expect(Set(committed) == Set(bundle.files.map(\.path)).subtracting(["docs/commands.md"]))
  }

  @Test(arguments: CompletionShell.allCases) func theProgramPrintsItsScript(shell: CompletionShell) throws {
    let world = TestWorld()
    let words = ["completion", shell.rawValue].map { RawArgument($0) }
    #expect(Program.run(words, world: world.world) { _ in NoTransport() } == .success)
    // The script has only the program's own commands, because the tests have no bundled plugin.
    #expect(world.output.text == Completion.script(for: shell, root: Root.tree.ownSchema))
  }

  private func check(_ file: String, with program: String, _ arguments: String...) throws -> Tool.Outcome {
    let folder = try ScratchFolder()
    try folder.write(try Checkout.text(file), to: "script")
    return try Tool.required(program).run(arguments + ["script"], in: folder)
  }
}
