import CommandLine
import ProgramDriver
import Support
import Testing

@testable import Commands
@testable import Session

/// The rules that every command follows, so that pages and parsers can rely on them.
@Suite struct TreeRuleTests {
  static let positions = CommandPosition(root: Root.tree.ownSchema).subtree
  static let paths = positions.map(\.path)

  private func position(_ path: [String]) throws -> CommandPosition {
    try #require(Self.positions.first { $0.path == path })
  }

  @Test(arguments: paths) func optionSpellingsAreUnique(path: [String]) throws {
    let position = try position(path)
    // Include the global options, because no command of this program redefines one.
    let options = position.isRoot ? position.command.options : position.command.options + position.root.options
    let spellings = options.flatMap(\.spellings)
    #expect(Set(spellings).count == spellings.count, "\(spellings.sorted())")
  }

  @Test(arguments: paths) func helpTextsFollowTheStyle(path: [String]) throws {
    let command = try position(path).command
    let helps =
      [command.summary] + command.options.map(\.help) + command.arguments.map(\.help)
      + command.examples.map(\.purpose)
    for help in helps {
      #expect(!help.isEmpty && !help.hasSuffix("."), "\(help)")
      #expect(!help.contains("\n") && !help.contains("  "), "\(help)")
    }
    for help in [command.summary] + command.options.map(\.help) + command.arguments.map(\.help) {
      #expect(help.first?.isLowercase == false, "\(help)")
    }
    for paragraph in command.discussion {
      #expect(paragraph.hasSuffix(".") || paragraph.hasSuffix(")"), "\(paragraph)")
      #expect(!paragraph.contains("\n"), "\(paragraph)")
    }
  }

  @Test(arguments: positions.filter(\.subcommands.isEmpty).map(\.path)) func everyCommandHasAnExample(path: [String])
    throws
  {
    #expect(try !position(path).command.examples.isEmpty)
  }

  @Test(arguments: paths) func everyExampleParses(path: [String]) throws {
    for example in try position(path).command.examples {
      let words = try #require(ShellWords.split(example.arguments))
      let reading = Root.tree.ownParser.parse(words) { _ in nil }
      guard case .run(_, let named, _) = reading.outcome else {
        Issue.record("does not parse: \(example.arguments)")
        continue
      }
      #expect(path.isEmpty || named == path, "an example of '\(path.joined(separator: " "))' runs '\(named)'")
    }
  }

  @Test(arguments: paths) func commandNamesAreLowercaseLetters(path: [String]) throws {
    let position = try position(path)
    for name in path { #expect(name.allSatisfy { $0.isASCII && ($0.isLowercase || $0 == "-") }) }
    if !position.isRunnable { #expect(!position.subcommands.isEmpty) }
  }

  @Test func completionSourcesAreAllKnownAndUsed() {
    let values = Self.positions.flatMap { position in
      position.command.options.compactMap(\.value) + position.command.arguments.map(\.value)
    }
    let asked = Set(
      values.compactMap { value -> String? in
        switch value.completion {
        case .dynamic(let source), .dynamicList(let source): source
        // The scripts complete commands themselves.
        case .none, .file, .directory, .choices, .commandPath: nil
        }
      })
    #expect(asked == Set(CompletionCandidates.allCases.map(\.rawValue)))
  }

  @Test func schemaNamesAreUnique() {
    let names = SchemaDocument.all.map(\.name)
    #expect(Set(names).count == names.count)
    let commands = Set(Self.paths.map { $0.joined(separator: "-") })
    #expect(
      names.filter { !commands.contains($0) } == [
        "connection", "applet", "planned-changes", "connections-history-run", "dry-run", "error",
        "token-exchange-users", "connections-changes-users", "connections-diff-users", "connections-export-users",
        "run-summary", "connections-file", "connections-plan", "service-definition", "plugin-manifest",
      ])
  }
}
