import CommandLine
import ProgramDriver
import Support
import Testing

@testable import Commands
@testable import Session

/// The second names of commands: found by the parser, shown on pages, and completed.
@Suite struct AliasTests {
  private static let positions = CommandPosition(root: Root.tree.ownSchema).subtree
  private static let aliases = positions.flatMap { position in
    position.command.aliases.map { (alias: $0, path: position.path) }
  }

  @Test func eachIsANameThatIsFree() throws {
    #expect(Self.aliases.map { $0.alias.joined(separator: " ") } == ["applets list", "connections configure"])
    let paths = Set(Self.positions.map(\.path))
    for (alias, path) in Self.aliases {
      #expect(!paths.contains(alias) && paths.contains(Array(alias.dropLast())))
      #expect(Root.group.ownPath(of: alias) == path)
    }
  }

  @Test func runsTheCommand() {
    let home = SandboxHome()
    let applets = home.run("applets list --fields id,status --json")
    #expect(applets.code == .success && applets.output == home.run("applets fetch --fields id,status --json").output)
    let fields = home.run("connections configure Kd7Rn2Qx --no-input --json")
    #expect(fields.code == .success && fields.output == home.run("configure Kd7Rn2Qx --no-input --json").output)
    #expect(home.run("connections configure Kd7Rn2Qx --nope").errors.contains("'ifttt configure --help'"))
  }

  @Test(arguments: ["applets list --help", "help applets list", "applets fetch --help"])
  func isShownOnTheCommandsPage(_ line: String) {
    let page = SandboxHome().run(line)
    #expect(page.code == .success && page.output == SandboxHome().run("help applets fetch").output)
    #expect(page.output.contains("\nAlso:  ifttt applets list\n"), "\(page.output)")
  }

  @Test func isInTheOtherPages() throws {
    let home = SandboxHome()
    #expect(home.run("man applets list").output == home.run("man applets fetch").output)
    #expect(home.run("man applets fetch").output.contains("Also: ifttt applets list."))
    #expect(home.run("help applets list --json").output.contains(#""aliases":[["ifttt","applets","list"]]"#))
    #expect(CommandTable.table(root: Root.tree.ownSchema).contains("; also `ifttt connections configure`"))
  }

  @Test(arguments: CompletionShell.allCases) func isCompleted(shell: CompletionShell) {
    let script = Completion.script(for: shell, root: Root.tree.ownSchema)
    #expect(script.contains("'connections configure"), "its options")
    #expect(script.contains("applets list"))
  }

  @Test func isNotASecondCommand() {
    #expect(!Self.positions.contains { $0.path == ["applets", "list"] })
    #expect(SandboxHome().run("applets --help").output.contains("fetch"))
  }
}
