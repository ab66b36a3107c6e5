/// A command as data, without code, for the parser, help pages, man pages, completions and the manifests of plugins.
package struct CommandSchema: Sendable, Equatable {
  package var name: String
  /// Further paths of the command, without the program's name.
  package var aliases: [[String]]
  /// One line without a period: "List the connections this profile tracks".
  package var summary: String
  /// Paragraphs of plain text for `--help` and the man page.
  package var discussion: [String]
  /// The heading under which the parent lists it.
  package var group: String?
  package var options: [OptionSchema]
  package var arguments: [ArgumentSchema]
  package var subcommands: [CommandSchema]
  package var examples: [ExampleSchema]

  package init(
    name: String, aliases: [[String]] = [], summary: String, discussion: [String] = [], group: String? = nil,
    options: [OptionSchema] = [], arguments: [ArgumentSchema] = [], subcommands: [CommandSchema] = [],
    examples: [ExampleSchema] = []
  ) {
    self.name = name
    self.aliases = aliases
    self.summary = summary
    self.discussion = discussion
    self.group = group
    self.options = options
    self.arguments = arguments
    self.subcommands = subcommands
    self.examples = examples
  }
}

extension CommandSchema {
  /// The tree with each alias as a command of its own, for completion.
  var expandingAliases: CommandSchema {
    commandsByAlias.reduce(into: self) { tree, entry in tree.insert(entry.command, at: entry.path[...]) }
  }

  private var commandsByAlias: [(path: [String], command: CommandSchema)] {
    aliases.map { ($0, self) } + subcommands.flatMap(\.commandsByAlias)
  }

  private mutating func insert(_ command: CommandSchema, at path: ArraySlice<String>) {
    guard let name = path.first else { return }
    if path.count == 1 {
      var copy = command
      (copy.name, copy.aliases, copy.group) = (name, [], nil)
      subcommands.append(copy)
    } else if let index = subcommands.firstIndex(where: { $0.name == name }) {
      subcommands[index].insert(command, at: path.dropFirst())
    }
  }
}

/// One option: its names, its value if it takes one, and its help text.
package struct OptionSchema: Sendable, Equatable {
  /// The long name without dashes.
  package var name: String
  package var short: Character?
  /// One sentence without a period.
  package var help: String
  /// The value; nil for a switch.
  package var value: ValueSchema?
  package var isRepeatable: Bool
  /// Whether `--no-NAME` exists.
  package var isNegatable: Bool
  /// The environment variable that provides the value if the option is absent.
  package var environment: String?
  /// The default, as the pages show it.
  package var defaultText: String?
  /// Whether the option is omitted from `-h` and shown only in `--help` and the man page.
  package var isAdvanced: Bool
  /// The heading of the option's group; nil for an option that is specific to its command. Groups follow the other
  /// options, and help pages fold each group to one line of names.
  package var group: String?

  package init(
    name: String, short: Character? = nil, help: String, value: ValueSchema? = nil, isRepeatable: Bool = false,
    isNegatable: Bool = false, environment: String? = nil, defaultText: String? = nil, isAdvanced: Bool = false,
    group: String? = nil
  ) {
    self.name = name
    self.short = short
    self.help = help
    self.value = value
    self.isRepeatable = isRepeatable
    self.isNegatable = isNegatable
    self.environment = environment
    self.defaultText = defaultText
    self.isAdvanced = isAdvanced
    self.group = group
  }
}

/// The value of an option or argument: its placeholder and its completion.
package struct ValueSchema: Sendable, Equatable {
  /// The placeholder in usage lines: `FORMAT`, `ID`.
  package var placeholder: String
  package var completion: CompletionKind

  package init(placeholder: String, completion: CompletionKind = .none) {
    self.placeholder = placeholder
    self.completion = completion
  }
}

/// The source of a shell's completion candidates for a value.
package enum CompletionKind: Sendable, Equatable {
  case none
  case file
  case directory
  /// A closed set of values. Any other value is a usage error, or an alias of one of them.
  case choices([Choice])
  /// Candidates that the program itself provides at completion time: `connection-id`, `profile`, `field`, …
  case dynamic(String)
  /// Like `dynamic`, for each element of a comma-separated list.
  case dynamicList(String)
  /// The path of a command of this program, or one of these words alone.
  case commandPath(or: [Choice])
}

/// One value of a closed set, with an optional description for shells that show it.
package struct Choice: Sendable, Equatable {
  package var value: String
  package var help: String?
  package init(_ value: String, _ help: String? = nil) { (self.value, self.help) = (value, help) }
}

/// A positional argument.
package struct ArgumentSchema: Sendable, Equatable {
  package var value: ValueSchema
  package var help: String
  package var isRequired: Bool
  package var isRepeatable: Bool

  /// Whether its values identify existing items, such as connections. Then `-` is not a value.
  var isIdentifier: Bool {
    switch value.completion {
    case .dynamic, .dynamicList: true
    case .none: value.placeholder.hasSuffix("ID")
    case .file, .directory, .choices, .commandPath: false
    }
  }

  package init(value: ValueSchema, help: String, isRequired: Bool = true, isRepeatable: Bool = false) {
    self.value = value
    self.help = help
    self.isRequired = isRequired
    self.isRepeatable = isRepeatable
  }
}

/// An example command line and its purpose. Whole-tree tests parse every one.
package struct ExampleSchema: Sendable, Equatable {
  /// Everything after the program's name, as typed in a shell.
  package var arguments: String
  package var purpose: String
  package init(_ arguments: String, _ purpose: String) { (self.arguments, self.purpose) = (arguments, purpose) }
}
