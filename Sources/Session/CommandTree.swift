package import CommandLine

/// The commands as a tree, for parsing, pages, completion and suggestions.
///
/// The program passes it to the session, because the commands are defined in higher modules.
package struct CommandTree {
  /// The program's own commands and those of plugins.
  package let root: CommandGroup<Action, OutputSchema?>
  /// The program's own commands only.
  package let own: CommandGroup<Action, OutputSchema?>

  package init(root: CommandGroup<Action, OutputSchema?>, own: CommandGroup<Action, OutputSchema?>) {
    (self.root, self.own) = (root, own)
  }

  package var parser: TreeParser { Self.parser(of: root) }
  package var ownParser: TreeParser { Self.parser(of: own) }

  /// The whole tree as data.
  package var schema: CommandSchema { parser.schema() }
  /// The program's own commands as data, global options included.
  package var ownSchema: CommandSchema { ownParser.schema() }

  package static func parser(of group: CommandGroup<Action, OutputSchema?>) -> TreeParser {
    Parser(
      root: group, globals: GlobalOptions.flags, defaults: GlobalOptions()
    ) { (options: GlobalOptions, path: [String]) throws(GlobalOptionError) in
      try options.checkFields(of: path, in: group)
      try options.checkRecording()
    }
  }
}

package typealias TreeParser = Parser<GlobalOptions, Action, OutputSchema?>

extension CommandGroup<Action, OutputSchema?> {
  /// The schema of the JSON output of the command at a path; nil if it has no JSON output.
  package func outputSchema(of path: [String]) -> OutputSchema? {
    guard case .command(let command) = node(at: path) else { return nil }
    return command.facts()
  }
}
