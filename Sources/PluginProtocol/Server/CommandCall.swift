/// A command of the plugin's own that somebody typed, checked against the manifest.
public struct CommandCall: Sendable, Equatable {
  /// The names behind the plugin's: `["login"]`.
  public var command: [String]
  /// An object, by the options' long names: a switch true or false, a value a string, one that may be repeated an array of
  /// strings. What was not given is not there.
  public var options: Value
  /// Those that belong to no option.
  public var arguments: [String]
  /// As they were typed.
  public var words: [String]
  /// `table`, `json`, …: what the result is wanted as. The program prints items itself.
  public var output: String

  /// A call as if it had been received.
  public init(command: [String], options: Value, arguments: [String], words: [String], output: String) {
    (self.command, self.options, self.arguments) = (command, options, arguments)
    (self.words, self.output) = (words, output)
  }

  /// Reads the parameters of `command/run`; what is missing is empty.
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

  /// Whether a switch was given; nil where neither it nor its `--no-` form was.
  public func flag(_ name: String) -> Bool? { options[name]?.bool }
  /// The value of an option; nil where it was not given.
  public func option(_ name: String) -> String? { options[name]?.string }
  /// All values of an option that may be repeated.
  public func list(_ name: String) -> [String] {
    options[name].map { $0.array?.compactMap(\.string) ?? [$0.string].compactMap { $0 } } ?? []
  }
}

/// What a shell wants to know: how a value might go on.
public struct CompletionQuestion: Sendable, Equatable {
  /// Of value, as the manifest names it: `connection`, `account`.
  public var kind: String
  /// The names behind the plugin's, as far as they were typed.
  public var command: [String]
  /// The profile of the line that is typed.
  public var profile: String
  /// What was typed of it.
  public var prefix: String

  /// A question as if it had been received.
  public init(kind: String, command: [String], profile: String, prefix: String) {
    (self.kind, self.command, self.profile, self.prefix) = (kind, command, profile, prefix)
  }

  /// Reads the parameters of `complete`; what is missing is empty.
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

/// One way in which a value might go on.
public struct OfferedValue: Sendable, Equatable {
  /// What takes the place of what was typed.
  public var value: String
  /// A few words for shells that show them.
  public var description: String?

  /// What does not begin with the prefix is left out by the shell.
  public init(_ value: String, description: String? = nil) { (self.value, self.description) = (value, description) }
}
