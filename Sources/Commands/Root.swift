import Arguments
import Display
import Pages
import World

/// The tree of commands. A noun's commands are listed beside them, in its own folder.
enum Root {
  /// The program's own commands.
  static var group: CommandGroup<Action, OutputSchema?> { group(adopting: nil) }

  /// - Parameter plugins: what plugins add to the program's own.
  static func group(adopting plugins: ExternalCommands<Action, OutputSchema?>?) -> CommandGroup<Action, OutputSchema?> {
    CommandGroup(
      "ifttt", summary: "Work with IFTTT Connections from the shell", adopting: plugins,
      advice: { ForeignCommandNames.advice(on: $0, in: group(adopting: plugins)) }
    ) {
      [
        connections, location, applets, token, profiles, privacy, store, plugin, sandbox,
        .verb(Configure.self),
        .verb(APICommand.self),
        .verb(Doctor.self),
        .verb(SchemaCommand.self),
        .verb(CompletionCommand.self),
        .verb(ManCommand.self),
        .verb(HelpCommand.self),
        .verb(VersionCommand.self),
        .verb(PagesCommand.self),
        .verb(UsageSend.self),
      ]
    }
  }

  static var parser: Parser<GlobalOptions, Action, OutputSchema?> { parser(of: group) }

  static func parser(of group: CommandGroup<Action, OutputSchema?>) -> Parser<GlobalOptions, Action, OutputSchema?> {
    Parser(
      root: group, globals: GlobalOptions.flags, defaults: GlobalOptions()
    ) { (options: GlobalOptions, path: [String]) throws(GlobalOptionError) in
      try options.checkFields(of: path, in: group)
      try options.checkRecording()
    }
  }

  /// A command's own options.
  static func options(of path: [String]) -> [OptionSchema] { parser.page(at: path)?.options ?? [] }

  /// The whole tree of the program's own commands as data, global options included, for every page that is committed.
  static var schema: CommandSchema { parser.schema() }

  /// The tree without what the page of one command does not show: that command, what is directly below it, and bare
  /// names on the way there. Nil where the path names nothing.
  private static func branch(to path: [String], in group: CommandGroup<Action, OutputSchema?>) -> CommandSchema? {
    let parser = parser(of: group)
    guard var schema = parser.page(at: path) else { return nil }
    for place in path.indices.reversed() {
      let name = place == 0 ? parser.root.name : path[place - 1]
      schema = CommandSchema(name: name, summary: "", subcommands: [schema])
    }
    schema.options = parser.globalOptions
    return schema
  }

  static func helpPage(
    path: [String], isFull: Bool, in group: CommandGroup<Action, OutputSchema?>, world: World
  ) -> String {
    let isTerminal = world.terminal.outputIsTerminal
    let isStyled = isTerminal && useColor(.auto, environment: { world.environment[$0] }, isTerminal: true)
    let page = branch(to: path, in: group).flatMap {
      HelpPage(
        root: $0, path: path, columns: world.terminal.columns ?? 80, isStyled: isStyled,
        beginning: PageFacts.howToBegin, topics: HelpCommand.topics)
    }
    return (isFull ? page?.full : page?.brief) ?? ""
  }
}
