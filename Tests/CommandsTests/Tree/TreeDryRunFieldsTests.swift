import CommandLine
import HTTP
import ProgramDriver
import Support
import Testing
import World

@testable import Commands
@testable import Session

/// `--fields` of a dry run: fields that no output has are rejected before the command runs, and no note precedes the
/// error about a field that only the usual output has.
@Suite struct TreeDryRunFieldsTests {
  private static let commands = TreeDryRunFieldsTests.examples(Root.tree.ownSchema)

  /// The first example of every command that prints rows.
  private static func examples(_ node: CommandSchema, _ path: [String] = []) -> [(path: [String], line: String)] {
    guard node.subcommands.isEmpty else { return node.subcommands.flatMap { examples($0, path + [$0.name]) } }
    guard Root.tree.own.outputSchema(of: path) != nil, let first = node.examples.first else { return [] }
    return [(path, first.arguments)]
  }

  private func dryRun(_ line: String, fields: String) -> (code: ExitCode, errors: String) {
    let world = TestWorld(
      now: Timestamp(milliseconds: 1_772_601_007_250), terminal: .none, folder: TemporaryFolder(), seed: 1)
    let words = (ShellWords.split(line) ?? []).filter { $0.text != "--json" }
    let code = Program.run(
      [
        RawArgument("--fields=\(fields)"), RawArgument("--dry-run"), RawArgument("--json"),
        RawArgument("--profile=sandbox"),
      ] + words,
      world: world.world
    ) { OfflineTransport(world: $0) }
    return (code, world.errors.text)
  }

  @Test func unknownFieldsAreRejectedBeforeTheCommandRuns() {
    #expect(Self.commands.count > 40)
    for (_, line) in Self.commands where !line.contains("--fields") {
      let run = dryRun(line, fields: "\n")
      #expect(run.code == .usage && run.errors.hasPrefix("{\"error\":"), "\(line): \(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 1, "\(line): \(run.errors)")
    }
  }

  @Test(arguments: ["location reset", "sandbox reset", "privacy on"])
  func noNotePrecedesTheError(_ line: String) throws {
    let own = try #require(Root.tree.own.outputSchema(of: line.split(separator: " ").prefix(2).map(String.init)))
    let field = try #require(own.fields.first { !["method", "url", "headers", "body"].contains($0) })
    let run = dryRun(line, fields: field)
    #expect(run.code == .usage && run.errors.hasPrefix("{\"error\":"), "\(run.errors)")
    #expect(dryRun(line, fields: "method,url").errors.contains("Would") || line == "location reset")
  }
}
