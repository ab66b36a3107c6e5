/// A command as data: what the parser, every help page, man page and completion, and a plugin's
/// manifest know about it. It holds no code, so pages need nothing but this.
package struct CommandSchema: Sendable, Equatable {
  package var name: String
  /// One line without a full stop: "List the connections this profile tracks".
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
    name: String, summary: String, discussion: [String] = [], group: String? = nil, options: [OptionSchema] = [],
    arguments: [ArgumentSchema] = [], subcommands: [CommandSchema] = [], examples: [ExampleSchema] = []
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.group = group
    self.options = options
    self.arguments = arguments
    self.subcommands = subcommands
    self.examples = examples
  }
}

/// One option: its names, its value if it takes one, and its words for the reader.
package struct OptionSchema: Sendable, Equatable {
  /// The long name without dashes.
  package var name: String
  package var short: Character?
  /// One sentence without a full stop.
  package var help: String
  /// Nil for a switch.
  package var value: ValueSchema?
  package var isRepeatable: Bool
  /// Whether `--no-NAME` exists.
  package var isNegatable: Bool
  /// The environment variable that gives the value where the option is absent.
  package var environment: String?
  /// What holds when neither is given, as the pages show it.
  package var defaultText: String?
  /// Left out of `-h`, shown in `--help` and the man page.
  package var isAdvanced: Bool

  package init(
    name: String, short: Character? = nil, help: String, value: ValueSchema? = nil, isRepeatable: Bool = false,
    isNegatable: Bool = false, environment: String? = nil, defaultText: String? = nil, isAdvanced: Bool = false
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
  }
}

/// What an option or argument accepts: its placeholder and how a shell completes it.
package struct ValueSchema: Sendable, Equatable {
  /// As it stands in usage lines: `FORMAT`, `ID`.
  package var placeholder: String
  package var completion: CompletionKind

  package init(placeholder: String, completion: CompletionKind = .none) {
    self.placeholder = placeholder
    self.completion = completion
  }
}

/// Where a shell finds candidates for a value.
package enum CompletionKind: Sendable, Equatable {
  case none
  case file
  case directory
  /// A closed set; anything else is a usage error, or another way to say one of them.
  case choices([Choice])
  /// Asked of the program itself at completion time: `connection-id`, `profile`, `field`, …
  case dynamic(String)
  /// As `dynamic`, for each part after a comma.
  case dynamicList(String)
}

/// One value of a closed set, with a few words on it for shells that show them.
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

  package init(value: ValueSchema, help: String, isRequired: Bool = true, isRepeatable: Bool = false) {
    self.value = value
    self.help = help
    self.isRequired = isRequired
    self.isRepeatable = isRepeatable
  }
}

/// A command line that works, and what it is for. Whole-tree tests parse every one.
package struct ExampleSchema: Sendable, Equatable {
  /// Everything after the program's name, as typed in a shell.
  package var arguments: String
  package var purpose: String
  package init(_ arguments: String, _ purpose: String) { (self.arguments, self.purpose) = (arguments, purpose) }
}
