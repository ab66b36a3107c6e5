import CommandLine
import ProgramDriver
import Support
import Testing
import World

@testable import Commands
@testable import Session

/// The help topics, the line for new users, and the pager.
@Suite struct HelpTopicTests {
  private static let root = Root.tree.ownSchema

  @Test(arguments: HelpCommand.topics) func everyTopicIsASectionOfTheManPage(topic: String) throws {
    let home = SandboxHome()
    let run = home.run("help \(topic)")
    #expect(run.code == .success && run.errors == "")
    let man = home.run("man")
    // Each word of the page is in the man page. The heading is skipped because the two format headings differently.
    let page = run.output.split(separator: "\n").dropFirst().joined(separator: "\n")
    let missing = Set(Self.words(page)).subtracting(Self.words(man.output))
    #expect(Self.words(run.output).count > 20)
    #expect(missing.isEmpty, "\(missing.sorted())")
  }

  /// Words of at least four letters; shorter ones may be markup.
  private static func words(_ text: String) -> [String] {
    text.replacing("\\(aq", with: " ").replacing("\\-", with: "-").split { !$0.isLetter && $0 != "_" && $0 != "-" }
      .map { $0.drop { $0 == "-" }.lowercased() }.filter { $0.count > 3 }
  }

  @Test func theExitCodesAreComplete() {
    let page = SandboxHome().run("help exit-codes").output
    for code in ExitCode.allCases { #expect(page.contains("\(code.rawValue)")) }
  }

  @Test func theVariablesAreComplete() {
    let page = SandboxHome().run("help environment").output
    for option in Root.tree.ownParser.globalOptions {
      if let name = option.environment { #expect(page.contains(name)) }
    }
    #expect(page.contains("IFTTT_HOME") && page.contains("NO_COLOR"))
  }

  @Test func aMistypedTopicIsCorrected() {
    let run = SandboxHome().run("help exit-code")
    #expect(run.code == .usage && run.errors.contains("Did you mean 'ifttt help exit-codes'?"), "\(run.errors)")
    #expect(SandboxHome().run("help files environment").code == .usage)
  }

  @Test func helpListsTheTopics() {
    let page = SandboxHome().run("--help").output
    for topic in HelpCommand.topics { #expect(page.contains("ifttt help \(topic)")) }
  }

  @Test func withoutArgumentsHelpEndsWithAFirstCommand() throws {
    let home = SandboxHome()
    let page = home.run("", environment: [:]).output
    let last = try #require(page.split(separator: "\n").last)
    let command = try #require(last.split(separator: ": ifttt ").last ?? nil)
    #expect(command.hasPrefix("--profile sandbox"), "\(last)")
    #expect(page.split(separator: "\n", omittingEmptySubsequences: false).count <= 25)
    let begun = home.run(String(command), environment: [:])
    #expect(begun.code == .success && begun.output.contains("Kd7Rn2Qx"), "\(begun.errors)")
    // A noun's help does not need it.
    #expect(!home.run("connections", environment: [:]).output.contains("To begin"))
  }

  @Test(arguments: CommandPosition(root: root).subtree.filter { !$0.command.examples.isEmpty }.map(\.path))
  func examplesPrecedeOptions(path: [String]) throws {
    let page = try #require(HelpPage(root: Self.root, path: path)).text(.full)
    let lines = page.split(separator: "\n").map(String.init)
    let examples = try #require(lines.firstIndex(of: "Examples:"))
    let usage = try #require(lines.firstIndex { $0.hasPrefix("Usage:") })
    // Only the usage, which may take several lines, and the command's second names precede them.
    #expect(
      lines[(usage + 1)..<examples].allSatisfy { $0.hasPrefix("      ") || $0.hasPrefix("Also:  ifttt ") },
      "\(lines[..<examples])")
  }

  private func man(_ environment: [String: String] = [:], _ prepare: (TestWorld) -> Void) -> TestWorld {
    let world = TestWorld(
      environment: environment, terminal: .interactive(), folder: TemporaryFolder(),
      programs: { (_, _) throws(SystemError) in ProcessResult(status: 0, output: Array("A PAGE\n".utf8)) })
    prepare(world)
    let words = ["man", "connections", "list"].map { RawArgument($0) }
    #expect(Program.run(words, world: world.world) { _ in NoTransport() } == .success)
    return world
  }

  @Test func theManPageIsShownInThePager() throws {
    let environment = ["PATH": "/usr/bin:/bin", "PAGER": "more", "IFTTT_USER_TOKEN": "a-secret-token"]
    let world = man(environment) { $0.processes.becoming = .success(()) }
    let became = try #require(world.processes.became)
    #expect(world.output.text == "" && world.errors.text == "")
    #expect(became.arguments.last == Array("A PAGE\n".utf8))
    #expect(became.environment.contains("PAGER=more"))
    #expect(!became.environment.contains { $0.hasPrefix("IFTTT") })
    // The real shell starts the pager that the environment selects.
    let shell = try Tool.required("sh")
    let arguments = became.arguments.dropFirst().map { String(decoding: $0, as: UTF8.self) }
    let folder = try ScratchFolder()
    for (pager, shown) in [("tr A-Z a-z", "a page\n"), ("cat", "A PAGE\n")] {
      let run = try shell.run(Array(arguments), in: folder, environment: ["PAGER": pager, "PATH": "/usr/bin:/bin"])
      #expect(run.output == shown && run.errors == "")
    }
    let preferred = try shell.run(
      Array(arguments), in: folder, environment: ["MANPAGER": "cat", "PAGER": "false", "PATH": "/usr/bin:/bin"])
    #expect(preferred.output == "A PAGE\n")
  }

  @Test func withoutAShellThePageIsPrinted() {
    let world = man { $0.processes.becoming = .failure(SystemError(number: 2, call: "start /bin/sh")) }
    #expect(world.output.text == "A PAGE\n" && world.errors.text == "")
  }

  @Test func inCIThePageIsPrinted() {
    let world = man(["CI": "1"]) { _ in }
    #expect(world.output.text == "A PAGE\n" && world.errors.text == "" && world.processes.became == nil)
  }
}
