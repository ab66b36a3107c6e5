import CommandLine
import ProgramDriver
import Support
import Testing
import World

@testable import Commands
@testable import Session

/// Help as shown on a terminal.
@Suite struct TreeHelpTests {
  static let paths = CommandPosition(root: Root.tree.ownSchema).subtree.map(\.path)

  private func help(_ path: [String], _ option: String, columns: Int = 80) -> [Substring] {
    let page = PrintedPages.page(path + [option], columns: columns)
    #expect(page.code == .success)
    return page.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
  }

  @Test(arguments: paths) func briefHelpFitsOnAScreen(path: [String]) {
    #expect(help(path, "-h").count <= 24)
    #expect(help(path, "-h", columns: 200).count <= 24)
  }

  @Test(arguments: paths, ["-h", "--help"]) func linesFitTheTerminal(path: [String], option: String) {
    for columns in [80, 100, 200] {
      // Lines wider than 100 are hard to read. Examples may be longer.
      let wide = help(path, option, columns: columns).filter { !$0.hasPrefix("    $ ") && $0.count > min(columns, 100) }
      #expect(wide == [])
    }
  }

  @Test(arguments: paths) func examplesFitOnALine(path: [String]) {
    #expect(help(path, "--help").filter { $0.count > 80 } == [])
  }

  @Test func nounsAndTheProgramAlonePrintHelp() {
    for path in [[], ["connections"], ["token"]] {
      let world = TestWorld()
      #expect(Program.run(path.map { RawArgument($0) }, world: world.world) { _ in NoTransport() } == .success)
      #expect(world.output.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() == help(path, "-h"))
    }
  }

  @Test func boldNeedsACapableTerminal() {
    for (variables, isBold) in [
      (["TERM": "xterm"], true), (["TERM": "xterm", "NO_COLOR": "1"], false), (["TERM": "dumb"], false),
    ] {
      let world = TestWorld(environment: variables, terminal: .interactive())
      #expect(Program.run([RawArgument("-h")], world: world.world) { _ in NoTransport() } == .success)
      #expect(world.output.text.unicodeScalars.contains("\u{1b}") == isBold)
    }
  }
}
