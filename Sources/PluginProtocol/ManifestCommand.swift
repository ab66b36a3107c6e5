/// A command of a plugin as its manifest describes it, in the form in which `ifttt help NAME --json` prints one.
public struct ManifestCommand: Sendable, Equatable {
  /// The word that is typed.
  public var name: String
  /// One line without a full stop.
  public var summary: String
  /// Paragraphs of plain text for `--help` and the man page.
  public var discussion: [String]
  /// The heading under which the parent lists it.
  public var group: String?
  /// In the order in which pages show them.
  public var options: [Option]
  /// In their order. At most one of them may be given more than once.
  public var arguments: [Argument]
  /// A command with others below it has no options and arguments of its own.
  public var subcommands: [ManifestCommand]
  /// Shown at the end of its page.
  public var examples: [Example]
  /// What it gives, where it gives rows; nil for a command that prints text.
  public var output: ManifestOutput?

  /// A command as if it had been read; nothing is checked.
  public init(
    name: String, summary: String, discussion: [String] = [], group: String? = nil, options: [Option] = [],
    arguments: [Argument] = [], subcommands: [ManifestCommand] = [], examples: [Example] = [],
    output: ManifestOutput? = nil
  ) {
    (self.name, self.summary, self.discussion, self.group) = (name, summary, discussion, group)
    (self.options, self.arguments, self.subcommands) = (options, arguments, subcommands)
    (self.examples, self.output) = (examples, output)
  }

  /// The command that the words behind this one's name lead to; nil where they lead nowhere.
  public func command(at path: some Collection<String>) -> ManifestCommand? {
    guard let name = path.first else { return self }
    return subcommands.first { $0.name == name }?.command(at: path.dropFirst())
  }

  /// One option: a switch, or with a value.
  public struct Option: Sendable, Equatable {
    /// The long name without dashes.
    public var name: String
    /// One letter or digit, for one dash.
    public var short: Character?
    /// One sentence without a full stop.
    public var help: String
    /// Nil for a switch.
    public var value: Value?
    /// Whether each occurrence adds a value, instead of the last one counting.
    public var isRepeatable: Bool
    /// Whether `--no-NAME` exists.
    public var isNegatable: Bool
    /// Left out of `-h`, shown in `--help` and the man page.
    public var isAdvanced: Bool
    /// The variable that gives the value where the option is absent.
    public var environment: String?
    /// What holds when neither is given, as the pages show it.
    public var defaultText: String?

    /// An option as if it had been read.
    public init(
      name: String, short: Character? = nil, help: String, value: Value? = nil, isRepeatable: Bool = false,
      isNegatable: Bool = false, isAdvanced: Bool = false, environment: String? = nil, defaultText: String? = nil
    ) {
      (self.name, self.short, self.help, self.value) = (name, short, help, value)
      (self.isRepeatable, self.isNegatable, self.isAdvanced) = (isRepeatable, isNegatable, isAdvanced)
      (self.environment, self.defaultText) = (environment, defaultText)
    }
  }

  /// A positional argument.
  public struct Argument: Sendable, Equatable {
    /// One sentence without a full stop.
    public var help: String
    /// Whether the command does not run without it.
    public var isRequired: Bool
    /// Whether it takes all words that are left.
    public var isRepeatable: Bool
    /// What each of its words has to be.
    public var value: Value

    /// An argument as if it had been read.
    public init(help: String, isRequired: Bool = true, isRepeatable: Bool = false, value: Value) {
      (self.help, self.isRequired, self.isRepeatable, self.value) = (help, isRequired, isRepeatable, value)
    }
  }

  /// What an option or argument accepts.
  public struct Value: Sendable, Equatable {
    /// As it stands in usage lines: `FORMAT`, `ID`.
    public var placeholder: String
    /// How a shell goes on with it.
    public var completion: Completion

    /// A value as if it had been read.
    public init(placeholder: String, completion: Completion = .none) {
      (self.placeholder, self.completion) = (placeholder, completion)
    }
  }

  /// Where a shell finds candidates for a value.
  public enum Completion: Sendable, Equatable {
    case none, file, directory
    /// A closed set; anything else is a usage error before the plugin hears of it.
    case choices([Choice])
    /// Asked at completion time, by this name.
    case dynamic(String)
    /// As `dynamic`, for each part after a comma.
    case dynamicList(String)
  }

  /// One value of a closed set, with a few words on it for shells that show them.
  public struct Choice: Sendable, Equatable {
    /// As it is typed.
    public var value: String
    /// For the shells that show it.
    public var help: String?
    /// A value, with words on it or without.
    public init(_ value: String, _ help: String? = nil) { (self.value, self.help) = (value, help) }
  }

  /// A command line that works, and what it is for.
  public struct Example: Sendable, Equatable {
    /// Everything after the program's name, as typed in a shell.
    public var arguments: String
    /// In a few words.
    public var purpose: String
    /// A command line and its purpose.
    public init(_ arguments: String, _ purpose: String) { (self.arguments, self.purpose) = (arguments, purpose) }
  }
}

/// How the rows of a command are shown: with it the host prints them as a table, JSON, CSV and so on, as it does its own.
public struct ManifestOutput: Sendable, Equatable {
  /// How many rows there are.
  public enum Form: String, Sendable, CaseIterable {
    /// One object.
    case one
    /// An array of them.
    case many
  }

  /// A column of the table.
  public struct Column: Sendable, Equatable {
    /// Shown in capitals.
    public var title: String
    /// The member of a row that it shows; a dot reaches into objects.
    public var field: String
    /// Whether it is never shortened.
    public var isKept: Bool
    /// A column under a title.
    public init(_ title: String, _ field: String, isKept: Bool = false) {
      (self.title, self.field, self.isKept) = (title, field, isKept)
    }
  }

  /// Whether it is one row or any number.
  public var form: Form
  /// Of the table, from left to right.
  public var columns: [Column]
  /// The JSON Schema of one row, as JSON text.
  public var schema: String?

  /// An output as if it had been read.
  public init(form: Form = .many, columns: [Column], schema: String? = nil) {
    (self.form, self.columns, self.schema) = (form, columns, schema)
  }
}
