import Text

/// A command and its position in the tree, the subject of every page.
package struct CommandPlace: Sendable {
  package let root: CommandSchema
  /// The names after the program's name: `["connections", "list"]`; empty for the root.
  package let path: [String]
  package let command: CommandSchema

  package init(root: CommandSchema) { self.init(root: root, path: [], command: root) }

  /// Finds the command; nil if no visible command has this path.
  package init?(root: CommandSchema, path: [String]) {
    var place = CommandPlace(root: root)
    for name in path {
      guard let next = place.subcommands.first(where: { $0.command.name == name }) else { return nil }
      place = next
    }
    self = place
  }

  private init(root: CommandSchema, path: [String], command: CommandSchema) {
    (self.root, self.path, self.command) = (root, path, command)
  }

  package var isRoot: Bool { path.isEmpty }

  /// The command as typed, beginning with the program's name.
  package var words: [String] { [root.name] + path }
  package var line: String { words.text(separatedBy: " ") }

  /// The name of its man page, without the section.
  package var pageName: String { words.joined(separator: "-") }

  /// The visible subcommands. Names that begin with an underscore are internal to the program.
  package var subcommands: [CommandPlace] {
    command.subcommands.filter { !$0.name.hasPrefix("_") }
      .map { CommandPlace(root: root, path: path + [$0.name], command: $0) }
  }

  /// Whether the command does something itself: a group of commands without arguments does not.
  package var isRunnable: Bool { subcommands.isEmpty || !command.arguments.isEmpty }

  /// The subcommands by heading, both in the order of first appearance. Those without a heading are listed under
  /// `Commands`.
  package var groups: [(heading: String, places: [CommandPlace])] {
    var groups: [(heading: String, places: [CommandPlace])] = []
    for place in subcommands {
      let heading = place.command.group ?? "Commands"
      if let known = groups.firstIndex(where: { $0.heading == heading }) {
        groups[known].places.append(place)
      } else {
        groups.append((heading, [place]))
      }
    }
    return groups
  }

  /// This command and all its descendants, parents first.
  package var subtree: [CommandPlace] { [self] + subcommands.flatMap(\.subtree) }

  /// The options that this command accepts: its own, then the global ones that it does not redefine.
  package var acceptedOptions: [OptionSchema] {
    guard !isRoot else { return command.options }
    let own = Set(command.options.map(\.name))
    return command.options + root.options.filter { !own.contains($0.name) }
  }
}
