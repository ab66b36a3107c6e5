import PluginProtocol
import Testing

/// The commands of a manifest: the form of `ifttt help NAME --json`, read strictly.
@Suite struct ManifestCommandTests {
  private func read(_ commands: String) throws(ManifestError) -> ManifestCommand? {
    let text =
      #"{"schema_version":1,"name":"shelf","version":"1","summary":"Things","kind":"command","commands":\#(commands)}"#
    return try Manifest(parsing: Array(text.utf8)).commands
  }

  private func readOne(_ member: String) throws(ManifestError) -> ManifestCommand? {
    try read(#"{"name":"shelf","summary":"x",\#(member)}"#)
  }

  @Test func readsATree() throws {
    let command = try #require(
      try read(
        #"""
        {"name": "shelf", "path": ["ifttt", "shelf"], "usage": ["ignored"], "summary": "Look after it", "subcommands": [
          {"name": "add", "summary": "Add", "discussion": ["One.", "Two."], "group": "Changes",
           "arguments": [{"help": "What", "required": true, "value": {"placeholder": "TITLE"}}],
           "options": [
             {"name": "colour", "short": "c", "help": "Its colour", "environment": "SHELF_COLOUR", "default": "red",
              "value": {"placeholder": "C", "completion": "choices",
                        "choices": [{"value": "red", "help": "as roses"}, {"value": "blue"}]}},
             {"name": "tag", "help": "A tag", "repeatable": true, "value": {"placeholder": "T", "completion": "dynamic", "source": "tag"}},
             {"name": "lit", "help": "Lit", "negatable": true, "advanced": true, "group": "Lamps", "value": null}],
           "examples": [{"arguments": "shelf add Vase", "purpose": "one more"}],
           "output": {"form": "one", "columns": [{"title": "ID", "field": "id", "keep": true}, {"title": "N", "field": "a.b"}],
                      "schema": {"type": "object"}}}]}
        """#))
    let add = try #require(command.command(at: ["add"]))
    #expect(add.discussion == ["One.", "Two."])
    #expect(add.group == "Changes")
    #expect(
      add.arguments == [ManifestCommand.Argument(help: "What", value: ManifestCommand.Value(placeholder: "TITLE"))])
    #expect(
      add.options == [
        ManifestCommand.Option(
          name: "colour", short: "c", help: "Its colour",
          value: .init(placeholder: "C", completion: .choices([.init("red", "as roses"), .init("blue")])),
          environment: "SHELF_COLOUR", defaultText: "red"),
        ManifestCommand.Option(
          name: "tag", help: "A tag", value: .init(placeholder: "T", completion: .dynamic("tag")), isRepeatable: true),
        ManifestCommand.Option(name: "lit", help: "Lit", isNegatable: true, isAdvanced: true, group: "Lamps"),
      ])
    #expect(add.examples == [.init("shelf add Vase", "one more")])
    #expect(
      add.output
        == ManifestOutput(
          form: .one, columns: [.init("ID", "id", isKept: true), .init("N", "a.b")], schema: #"{"type":"object"}"#))
    #expect(command.command(at: ["remove"]) == nil)
    #expect(command.command(at: []) == command)
  }

  static let faults: [(member: String, reason: String)] = [
    (#""options":[{"help":"x"}]"#, "an option of 'shelf' has no 'name'"),
    (#""options":[{"name":"a b","help":"x"}]"#, "'a b' is not a valid option name for 'shelf'"),
    (#""options":[{"name":"$(id)","help":"x"}]"#, "'$(id)' is not a valid option name for 'shelf'"),
    (#""options":[{"name":"a"}]"#, "option '--a' of 'shelf' has no 'help'"),
    (
      #""options":[{"name":"a","help":"x","short":"ab"}]"#,
      "'short' of option '--a' of 'shelf' is not one letter or digit"
    ),
    (#""options":[{"name":"a","help":"x"},{"name":"a","help":"y"}]"#, "'shelf' has two options '--a'"),
    (
      #""options":[{"name":"a","help":"x","negatable":true},{"name":"no-a","help":"y"}]"#,
      "'shelf' has two options '--no-a'"
    ),
    (
      #""options":[{"name":"a","short":"z","help":"x"},{"name":"b","short":"z","help":"y"}]"#,
      "'shelf' has two options '-z'"
    ),
    (
      #""options":[{"name":"a","help":"x","value":{"placeholder":"A","completion":"choices","choices":[]}}]"#,
      "'choices' of the value of option '--a' of 'shelf' is not a list of at least one"
    ),
    (
      #""options":[{"name":"a","help":"x","value":{"placeholder":"A","completion":"magic"}}]"#,
      "'completion' of the value of option '--a' of 'shelf' has an unknown value"
    ),
    (
      #""options":[{"name":"a","help":"x","value":{"placeholder":"A","completion":"dynamic","source":"x;y"}}]"#,
      "'source' of the value of option '--a' of 'shelf' is not a valid name"
    ),
    (
      #""options":[{"name":"a","help":"x","environment":"A-B"}]"#,
      "'environment' of option '--a' of 'shelf' is not a valid variable name"
    ),
    (#""arguments":[{"help":"x"}]"#, "an argument of 'shelf' has no 'value'"),
    (
      #""arguments":[{"help":"x","repeatable":true,"value":{"placeholder":"A"}},{"help":"x","repeatable":true,"value":{"placeholder":"B"}}]"#,
      "'shelf' has more than one repeatable argument"
    ),
    (#""subcommands":[{"name":"a","summary":"x"},{"name":"a","summary":"y"}]"#, "'shelf' has two subcommands 'a'"),
    (#""subcommands":[{"name":"__x","summary":"x"}]"#, "'__x' is not a valid command name"),
    (
      #""options":[{"name":"a","help":"x"}],"subcommands":[{"name":"a","summary":"x"}]"#,
      "'shelf' has subcommands, so it cannot have options or arguments"
    ),
    (#""output":{"columns":[]}"#, "'columns' of 'output' of 'shelf' is not a list of at least one"),
    (
      #""output":{"form":"some","columns":[{"title":"A","field":"a"}]}"#,
      "'form' of 'output' of 'shelf' is neither 'one' nor 'many'"
    ),
    (
      #""output":{"columns":[{"title":"A","field":"a"}],"schema":7}"#,
      "'schema' of 'output' of 'shelf' is not a JSON Schema"
    ),
  ]

  @Test(arguments: faults) func rejectsInvalidCommands(member: String, reason: String) {
    #expect(throws: ManifestError(reason)) { _ = try readOne(member) }
  }

  @Test func rejectsDeepNesting() {
    var text = #"{"name":"a","summary":"x"}"#
    for _ in 0..<9 { text = #"{"name":"shelf","summary":"x","subcommands":[\#(text)]}"# }
    #expect(throws: ManifestError("the commands are nested too deeply")) { _ = try read(text) }
  }
}
