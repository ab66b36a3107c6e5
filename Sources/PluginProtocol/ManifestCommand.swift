/// A command of a plugin as its manifest describes it, in the form in which `ifttt help NAME --json` prints one.
public struct ManifestCommand: Sendable, Equatable {
  public var name: String
  /// One line without a full stop.
  public var summary: String
  /// Paragraphs of plain text for `--help` and the man page.
  public var discussion: [String]
  /// The heading under which the parent lists it.
  public var group: String?
  public var options: [Option]
  public var arguments: [Argument]
  public var subcommands: [ManifestCommand]
  public var examples: [Example]
  /// What it gives, where it gives rows; nil for a command that prints text.
  public var output: ManifestOutput?

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
    public var short: Character?
    /// One sentence without a full stop.
    public var help: String
    /// Nil for a switch.
    public var value: Value?
    public var isRepeatable: Bool
    /// Whether `--no-NAME` exists.
    public var isNegatable: Bool
    /// Left out of `-h`, shown in `--help` and the man page.
    public var isAdvanced: Bool
    /// The variable that gives the value where the option is absent.
    public var environment: String?
    /// What holds when neither is given, as the pages show it.
    public var defaultText: String?

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
    public var help: String
    public var isRequired: Bool
    public var isRepeatable: Bool
    public var value: Value

    public init(help: String, isRequired: Bool = true, isRepeatable: Bool = false, value: Value) {
      (self.help, self.isRequired, self.isRepeatable, self.value) = (help, isRequired, isRepeatable, value)
    }
  }

  /// What an option or argument accepts.
  public struct Value: Sendable, Equatable {
    /// As it stands in usage lines: `FORMAT`, `ID`.
    public var placeholder: String
    public var completion: Completion

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
    public var value: String
    public var help: String?
    public init(_ value: String, _ help: String? = nil) { (self.value, self.help) = (value, help) }
  }

  /// A command line that works, and what it is for.
  public struct Example: Sendable, Equatable {
    /// Everything after the program's name, as typed in a shell.
    public var arguments: String
    public var purpose: String
    public init(_ arguments: String, _ purpose: String) { (self.arguments, self.purpose) = (arguments, purpose) }
  }
}

/// How the rows of a command are shown: with it the host prints them as a table, JSON, CSV and so on, as it does its own.
public struct ManifestOutput: Sendable, Equatable {
  public enum Form: String, Sendable, CaseIterable {
    /// One object.
    case one
    /// An array of them.
    case many
  }

  /// A column of the table.
  public struct Column: Sendable, Equatable {
    public var title: String
    /// The member of a row that it shows; a dot reaches into objects.
    public var field: String
    /// Whether it is never shortened.
    public var isKept: Bool
    public init(_ title: String, _ field: String, isKept: Bool = false) {
      (self.title, self.field, self.isKept) = (title, field, isKept)
    }
  }

  public var form: Form
  public var columns: [Column]
  /// The JSON Schema of one row, as JSON text.
  public var schema: String?

  public init(form: Form = .many, columns: [Column], schema: String? = nil) {
    (self.form, self.columns, self.schema) = (form, columns, schema)
  }
}
