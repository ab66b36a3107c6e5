import CommandLine
import Support
import Testing

/// External commands: used only if the program has no command of that name, and looked up only then.
@Suite struct ExternalCommandTests {
  typealias Node = CommandNode<String, Void>

  /// Counts the lookups. There is no guard, because tests use it from one thread.
  private final class Shelf: @unchecked Sendable {
    var names: [String] = []
    var lists = 0
  }

  private let shelf = Shelf()

  private static func node(_ name: String, _ action: String) -> Node {
    .command(CommandLeaf(CommandSchema(name: name, summary: "The \(action) one"), facts: {}) { _ in action })
  }

  private var root: CommandGroup<String, Void> {
    let shelf = shelf
    let external = ExternalCommands<String, Void>(
      named: { name in
        shelf.names.append(name)
        return ["list", "grab"].contains(name) ? Self.node(name, "other") : nil
      },
      all: {
        shelf.lists += 1
        return [Self.node("grab", "other"), Self.node("list", "other")]
      },
      outlines: { [Self.node("grab", "other").outline(), Self.node("list", "other").outline()] })
    return CommandGroup("ifttt", summary: "", external: external) { [Self.node("list", "own")] }
  }

  private func read(_ line: String) throws -> ParseOutcome<String> {
    Parser(root: root, globals: Sample.Globals.flags, defaults: Sample.Globals())
      .parse(try #require(ShellWords.split(line))) { _ in nil }.outcome
  }

  @Test func builtInCommandsNeedNoLookup() throws {
    guard case .run("own", ["list"], _) = try read("list") else { throw Sample.NoRun() }
    #expect(shelf.names == [])
    #expect(shelf.lists == 0)
  }

  @Test func externalCommandsAreLookedUpByName() throws {
    guard case .run("other", ["grab"], _) = try read("grab") else { throw Sample.NoRun() }
    #expect(shelf.names == ["grab"])
    #expect(shelf.lists == 0)
  }

  @Test func anUnknownNameSuggestsExternalCommands() throws {
    guard case .usage(let error) = try read("grap") else { throw Sample.NoRun() }
    #expect(error.suggestions == ["ifttt grab"])
    #expect(shelf.lists == 0)
  }

  @Test func pagesListBothOnce() {
    #expect(root.schema().subcommands.map(\.summary) == ["The own one", "The other one"])
    #expect(shelf.lists == 1)
    #expect(root.outlinedSchema().subcommands.map(\.name) == ["list", "grab"])
    #expect(shelf.lists == 1)
    #expect(root.node(at: ["grab"])?.name == "grab")
  }
}
