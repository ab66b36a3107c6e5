/// An invocation of one of the plugin's own commands, checked against the manifest.
public struct CommandCall: Sendable, Equatable {
  /// The names after the plugin's name: `["login"]`.
  public var command: [String]
  /// An object with the options by long name. A switch is true or false, a value is a string, and a repeatable option
  /// is an array of strings. Options that were not passed are absent.
  public var options: Value
  /// The positional arguments.
  public var arguments: [String]
  /// The arguments as typed.
  public var words: [String]
  /// The requested output format: `table`, `json`, … The program itself prints the items.
  public var output: String

  /// Creates an invocation.
  public init(command: [String], options: Value, arguments: [String], words: [String], output: String) {
    (self.command, self.options, self.arguments) = (command, options, arguments)
    (self.words, self.output) = (words, output)
  }

  /// Reads the parameters of `command/run`. Missing members are empty.
  public init(reading params: Value) {
    func strings(_ name: String) -> [String] { params[name]?.array?.compactMap(\.string) ?? [] }
    self.init(
      command: strings("command"), options: params["options"] ?? .emptyObject, arguments: strings("arguments"),
      words: strings("words"), output: params["output"]?.string ?? "table")
  }

  /// The parameters of `command/run`.
  public var params: Value {
    func strings(_ texts: [String]) -> Value { Value(texts.map { Value($0) }) }
    return [
      "command": strings(command), "options": options, "arguments": strings(arguments), "words": strings(words),
      "output": Value(output),
    ]
  }

  /// The value of a switch; nil if neither it nor its `--no-` form was passed.
  public func flag(_ name: String) -> Bool? { options[name]?.bool }
  /// The value of an option; nil if it was not passed.
  public func option(_ name: String) -> String? { options[name]?.string }
  /// All values of a repeatable option.
  public func list(_ name: String) -> [String] {
    options[name].map { $0.array?.compactMap(\.string) ?? [$0.string].compactMap { $0 } } ?? []
  }
}

/// A shell's request for the completions of a value.
public struct CompletionQuestion: Sendable, Equatable {
  /// The kind of value that the manifest names: `connection`, `account`.
  public var kind: String
  /// The names after the plugin's name that were typed so far.
  public var command: [String]
  /// The profile of the command line.
  public var profile: String
  /// The part of the value that was typed.
  public var prefix: String

  /// Creates a completion request.
  public init(kind: String, command: [String], profile: String, prefix: String) {
    (self.kind, self.command, self.profile, self.prefix) = (kind, command, profile, prefix)
  }

  /// Reads the parameters of `complete`. Missing members are empty.
  public init(reading params: Value) {
    self.init(
      kind: params["kind"]?.string ?? "", command: params["command"]?.array?.compactMap(\.string) ?? [],
      profile: params["profile"]?.string ?? "default", prefix: params["prefix"]?.string ?? "")
  }

  /// The parameters of `complete`.
  public var params: Value {
    [
      "kind": Value(kind), "command": Value(command.map { Value($0) }), "profile": Value(profile),
      "prefix": Value(prefix),
    ]
  }
}

/// One completion of a value.
public struct OfferedValue: Sendable, Equatable {
  /// The text that replaces the typed prefix.
  public var value: String
  /// A short description for shells that show it.
  public var description: String?

  /// Creates a completion. Shells drop candidates that do not begin with the prefix.
  public init(_ value: String, description: String? = nil) { (self.value, self.description) = (value, description) }
}
