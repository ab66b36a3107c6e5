package import Arguments

/// A command together with where it stands in the tree, which is what every page is about.
package struct CommandPlace: Sendable {
  package let root: CommandSchema
  /// The words after the program's name: `["connections", "list"]`; empty for the root.
  package let path: [String]
  package let command: CommandSchema

  package init(root: CommandSchema) { self.init(root: root, path: [], command: root) }

  /// Nil when no visible command has this path.
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

  /// What is typed to run it, the program's name first.
  package var words: [String] { [root.name] + path }
  package var line: String { Prose.joined(words, by: " ") }

  /// The name of its man page, without the section.
  package var pageName: String { words.joined(separator: "-") }

  /// The subcommands a user may know of. A name that begins with an underscore is the program's own affair.
  package var subcommands: [CommandPlace] {
    command.subcommands.filter { !$0.name.hasPrefix("_") }
      .map { CommandPlace(root: root, path: path + [$0.name], command: $0) }
  }

  /// Whether it does something itself: a group of commands that takes no arguments only holds them.
  package var isRunnable: Bool { subcommands.isEmpty || !command.arguments.isEmpty }

  /// Subcommands under their headings, both in the order of first appearance; those without one come under `Commands`.
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

  /// This command and all below it, parents first.
  package var subtree: [CommandPlace] { [self] + subcommands.flatMap(\.subtree) }

  /// The options a line with this command may hold: its own, then the global ones it does not redefine.
  package var acceptedOptions: [OptionSchema] {
    guard !isRoot else { return command.options }
    let own = Set(command.options.map(\.name))
    return command.options + root.options.filter { !own.contains($0.name) }
  }
}
