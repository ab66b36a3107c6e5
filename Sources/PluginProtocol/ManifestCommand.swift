/// A command of a plugin as described by its manifest, in the form that `ifttt help NAME --json` prints.
public struct ManifestCommand: Sendable, Equatable {
  /// The name, as typed.
  public var name: String
  /// One line without a period.
  public var summary: String
  /// Paragraphs of plain text for `--help` and the man page.
  public var discussion: [String]
  /// The heading under which the parent lists it.
  public var group: String?
  /// The options in the order in which pages show them.
  public var options: [Option]
  /// The arguments in order. At most one of them may be repeatable.
  public var arguments: [Argument]
  /// The subcommands. A command with subcommands has no options and arguments of its own.
  public var subcommands: [ManifestCommand]
  /// The examples at the end of its page.
  public var examples: [Example]
  /// The layout of its rows; nil for a command that prints text.
  public var output: ManifestOutput?

  /// Creates a command without checking it.
  public init(
    name: String, summary: String, discussion: [String] = [], group: String? = nil, options: [Option] = [],
    arguments: [Argument] = [], subcommands: [ManifestCommand] = [], examples: [Example] = [],
    output: ManifestOutput? = nil
  ) {
    (self.name, self.summary, self.discussion, self.group) = (name, summary, discussion, group)
    (self.options, self.arguments, self.subcommands) = (options, arguments, subcommands)
    (self.examples, self.output) = (examples, output)
  }

  /// The subcommand at a path of names below this command; nil if absent.
  public func command(at path: some Collection<String>) -> ManifestCommand? {
    guard let name = path.first else { return self }
    return subcommands.first { $0.name == name }?.command(at: path.dropFirst())
  }

  /// One option: a switch, or an option with a value.
  public struct Option: Sendable, Equatable {
    /// The long name without dashes.
    public var name: String
    /// One letter or digit for the short form, with one dash.
    public var short: Character?
    /// One sentence without a period.
    public var help: String
    /// The value; nil for a switch.
    public var value: Value?
    /// Whether each occurrence adds a value; otherwise the last occurrence wins.
    public var isRepeatable: Bool
    /// Whether `--no-NAME` exists.
    public var isNegatable: Bool
    /// Whether the option is omitted from `-h` and shown only in `--help` and the man page.
    public var isAdvanced: Bool
    /// The heading of a group of options, which help pages fold to one line of names.
    public var group: String?
    /// The environment variable that provides the value if the option is absent.
    public var environment: String?
    /// The default, as the pages show it.
    public var defaultText: String?

    /// Creates an option without checking it.
    public init(
      name: String, short: Character? = nil, help: String, value: Value? = nil, isRepeatable: Bool = false,
      isNegatable: Bool = false, isAdvanced: Bool = false, group: String? = nil, environment: String? = nil,
      defaultText: String? = nil
    ) {
      (self.name, self.short, self.help, self.value) = (name, short, help, value)
      (self.isRepeatable, self.isNegatable, self.isAdvanced) = (isRepeatable, isNegatable, isAdvanced)
      (self.group, self.environment, self.defaultText) = (group, environment, defaultText)
    }
  }

  /// A positional argument.
  public struct Argument: Sendable, Equatable {
    /// One sentence without a period.
    public var help: String
    /// Whether the command requires it.
    public var isRequired: Bool
    /// Whether it accepts all remaining arguments.
    public var isRepeatable: Bool
    /// The values it accepts.
    public var value: Value

    /// Creates an argument without checking it.
    public init(help: String, isRequired: Bool = true, isRepeatable: Bool = false, value: Value) {
      (self.help, self.isRequired, self.isRepeatable, self.value) = (help, isRequired, isRepeatable, value)
    }
  }

  /// The values that an option or argument accepts.
  public struct Value: Sendable, Equatable {
    /// The placeholder in usage lines: `FORMAT`, `ID`.
    public var placeholder: String
    /// How a shell completes it.
    public var completion: Completion

    /// Creates a value without checking it.
    public init(placeholder: String, completion: Completion = .none) {
      (self.placeholder, self.completion) = (placeholder, completion)
    }
  }

  /// The source of a shell's completion candidates for a value.
  public enum Completion: Sendable, Equatable {
    case none, file, directory
    /// A closed set of values. Any other value is a usage error before the plugin receives it.
    case choices([Choice])
    /// Candidates that are requested at completion time by this name.
    case dynamic(String)
    /// Like `dynamic`, for each element of a comma-separated list.
    case dynamicList(String)
  }

  /// One value of a closed set, with an optional description for shells that show it.
  public struct Choice: Sendable, Equatable {
    /// The value, as typed.
    public var value: String
    /// The description for shells that show it.
    public var help: String?
    /// Creates a choice with an optional description.
    public init(_ value: String, _ help: String? = nil) { (self.value, self.help) = (value, help) }
  }

  /// An example command line and its purpose.
  public struct Example: Sendable, Equatable {
    /// Everything after the program's name, as typed in a shell.
    public var arguments: String
    /// The purpose in a few words.
    public var purpose: String
    /// Creates an example from a command line and its purpose.
    public init(_ arguments: String, _ purpose: String) { (self.arguments, self.purpose) = (arguments, purpose) }
  }
}

/// The layout of a command's rows. With it the host prints them as a table, JSON, CSV and so on, like the rows of its
/// own commands.
public struct ManifestOutput: Sendable, Equatable {
  /// The number of rows.
  public enum Form: String, Sendable, CaseIterable {
    /// One object.
    case one
    /// An array of objects.
    case many
  }

  /// A column of the table.
  public struct Column: Sendable, Equatable {
    /// The title, shown in capitals.
    public var title: String
    /// The member of a row that the column shows; a dot selects a member of a nested object.
    public var field: String
    /// Whether it is never shortened.
    public var isKept: Bool
    /// Creates a column with a title.
    public init(_ title: String, _ field: String, isKept: Bool = false) {
      (self.title, self.field, self.isKept) = (title, field, isKept)
    }
  }

  /// Whether there is one row or any number.
  public var form: Form
  /// The columns of the table, from left to right.
  public var columns: [Column]
  /// The JSON Schema of one row, as JSON text.
  public var schema: String?

  /// Creates an output without checking it.
  public init(form: Form = .many, columns: [Column], schema: String? = nil) {
    (self.form, self.columns, self.schema) = (form, columns, schema)
  }
}
