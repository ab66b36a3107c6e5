import CommandLine
import Testing

/// The schemas from which pages and completions are generated.
@Suite struct SchemaTests {
  @Test func containsTheWholeTree() throws {
    let schema = Sample.parser.schema()
    #expect(schema.name == "ifttt")
    #expect(schema.options.map(\.name).suffix(3) == ["verbose", "help", "version"])
    #expect(schema.subcommands.map(\.name) == ["connections", "token", "help"])
    let connections = try #require(schema.subcommands.first)
    #expect(connections.discussion == ["What IFTTT calls a Connection."])
    #expect(connections.group == "Main")
    #expect(connections.subcommands.map(\.name) == ["list", "show", "run", "fields"])
    let list = connections.subcommands[0]
    #expect(list.options.map(\.name) == ["status", "limit", "header", "wait", "set", "ids", "as-csv"])
    #expect(list.options.map(\.isNegatable) == [false, false, true, true, false, false, false])
    #expect(list.options.map(\.isRepeatable) == [false, false, false, false, true, false, false])
    #expect(list.options[3].environment == "IFTTT_WAIT")
    #expect(list.examples.count == 1)
    let run = connections.subcommands[2]
    #expect(run.discussion == ["Sends the action at once."] && run.group == "Actions")
    #expect(run.arguments.map(\.value.placeholder) == ["ID", "ACTION"])
    #expect(connections.subcommands[3].arguments.map(\.isRequired) == [false, true, true])
    #expect(connections.subcommands[3].arguments.map(\.isRepeatable) == [false, true, false])
  }

  @Test func containsTheDetailsOfOptions() throws {
    let options = Sample.parser.globalOptions
    let output = try #require(options.first { $0.name == "output" })
    #expect(output.short == "o" && output.defaultText == "table" && output.value?.placeholder == "FORMAT")
    let fields = try #require(options.first { $0.name == "fields" })
    #expect(fields.value?.completion == .dynamicList("field"))
    #expect(options.filter(\.isAdvanced).map(\.name) == ["exit-code"])
    #expect(options.filter { $0.short == "h" || $0.short == "V" } == [.help, .version])
  }

  @Test func aPageContainsDirectSubcommandsOnly() throws {
    let root = try #require(Sample.parser.page(at: []))
    #expect(root.options == Sample.parser.globalOptions)
    #expect(root.subcommands.map(\.summary) == ["Connections", "User tokens", "Show help on a command"])
    #expect(root.subcommands.allSatisfy { $0.subcommands.isEmpty && $0.options.isEmpty })
    let noun = try #require(Sample.parser.page(at: ["connections"]))
    #expect(noun.options.isEmpty)
    #expect(noun.subcommands.map(\.name) == ["list", "show", "run", "fields"])
    #expect(noun.subcommands.map(\.group) == [nil, nil, "Actions", nil])
    #expect(Sample.parser.page(at: ["connections", "list"]) == Sample.parser.schema().subcommands[0].subcommands[0])
    #expect(Sample.parser.page(at: ["connections", "bogus"]) == nil)
    #expect(Sample.parser.page(at: ["help", "connections"]) == nil)
  }

  @Test func everyExampleParses() throws {
    func check(_ schema: CommandSchema) throws {
      for example in schema.examples { _ = try Sample.action(example.arguments) }
      for subcommand in schema.subcommands { try check(subcommand) }
    }
    try check(Sample.parser.schema())
  }

  @Test func aMinimalCommandNeedsOnlyThis() throws {
    enum Plain: CommandDefinition {
      static let name = "plain"
      static let summary = "Nothing to say"
    }
    let parser = Parser(
      root: CommandGroup<Int, Void>("plain", summary: "") { [.command(Plain.self, facts: ()) { _ in 1 }] },
      globals: [Flag<Int>](),
      defaults: 0)
    #expect(parser.page(at: ["plain"]) == CommandSchema(name: "plain", summary: "Nothing to say"))
    guard case .run(1, ["plain"], []) = parser.parse([RawArgument("plain")], environment: { _ in nil }).outcome else {
      Issue.record("expected a run")
      return
    }
  }
}
