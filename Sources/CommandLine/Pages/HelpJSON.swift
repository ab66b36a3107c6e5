import JSON

/// The command tree as one JSON document, for `ifttt help --json`; ``HelpSchema`` describes it.
package enum HelpJSON {
  /// The command at `path` with all its descendants, as compact JSON in UTF-8. Nil if no command has this path.
  package static func bytes(root: CommandSchema, path: [String] = []) -> [UInt8]? {
    guard let position = CommandPosition(root: root, path: path) else { return nil }
    var writer = JSONWriter()
    writer.command(position)
    return writer.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func command(_ position: CommandPosition) {
    let command = position.command
    beginObject()
    key("name")
    string(command.name)
    key("path")
    array(position.names) { $0.string($1) }
    key("aliases")
    array(position.aliases) { writer, names in writer.array(names) { $0.string($1) } }
    key("summary")
    string(command.summary)
    key("discussion")
    array(command.discussion) { $0.string($1) }
    key("group")
    string(command.group)
    key("usage")
    array(position.usage) { $0.string($1) }
    key("arguments")
    array(command.arguments) { $0.argument($1) }
    key("options")
    array(command.options) { $0.option($1) }
    key("examples")
    array(command.examples) { writer, example in
      writer.beginObject()
      writer.key("arguments")
      writer.string(example.arguments)
      writer.key("purpose")
      writer.string(example.purpose)
      writer.endObject()
    }
    key("subcommands")
    array(position.subcommands) { $0.command($1) }
    endObject()
  }

  private mutating func argument(_ argument: ArgumentSchema) {
    beginObject()
    key("help")
    string(argument.help)
    key("required")
    bool(argument.isRequired)
    key("repeatable")
    bool(argument.isRepeatable)
    key("value")
    value(argument.value)
    endObject()
  }

  private mutating func option(_ option: OptionSchema) {
    beginObject()
    key("name")
    string(option.name)
    key("short")
    string(option.short.map(String.init))
    key("help")
    string(option.help)
    key("repeatable")
    bool(option.isRepeatable)
    key("negatable")
    bool(option.isNegatable)
    key("advanced")
    bool(option.isAdvanced)
    key("group")
    string(option.group)
    key("environment")
    string(option.environment)
    key("default")
    string(option.defaultText)
    key("value")
    if let value = option.value { self.value(value) } else { null() }
    endObject()
  }

  private mutating func value(_ value: ValueSchema) {
    beginObject()
    key("placeholder")
    string(value.placeholder)
    key("completion")
    string(value.completion.name)
    key("source")
    string(value.completion.source)
    key("choices")
    array(value.choices) { writer, choice in
      writer.beginObject()
      writer.key("value")
      writer.string(choice.value)
      writer.key("help")
      writer.string(choice.help)
      writer.endObject()
    }
    endObject()
  }

  private mutating func array<Element>(_ elements: [Element], write: (inout JSONWriter, Element) -> Void) {
    beginArray()
    for element in elements { write(&self, element) }
    endArray()
  }
}

extension CompletionKind {
  fileprivate var name: String {
    switch self {
    case .none: "none"
    case .file: "file"
    case .directory: "directory"
    case .choices: "choices"
    case .dynamic, .commandPath: "dynamic"
    case .dynamicList: "dynamic_list"
    }
  }

  fileprivate var source: String? {
    switch self {
    case .dynamic(let source), .dynamicList(let source): source
    case .commandPath: "command"
    case .none, .file, .directory, .choices: nil
    }
  }
}

/// The JSON Schema (2020-12) of the output of ``HelpJSON``.
package enum HelpSchema {
  package static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "A command and its subcommands",
      "$ref": "#/$defs/command",
      "$defs": {
        "strings": { "type": "array", "items": { "type": "string" } },
        "optionalString": { "type": ["string", "null"] },
        "command": {
          "type": "object",
          "properties": {
            "name": { "type": "string" },
            "path": { "$ref": "#/$defs/strings", "minItems": 1 },
            "aliases": { "type": "array", "items": { "$ref": "#/$defs/strings", "minItems": 1 } },
            "summary": { "type": "string" },
            "discussion": { "$ref": "#/$defs/strings" },
            "group": { "$ref": "#/$defs/optionalString" },
            "usage": { "$ref": "#/$defs/strings", "minItems": 1 },
            "arguments": { "type": "array", "items": { "$ref": "#/$defs/argument" } },
            "options": { "type": "array", "items": { "$ref": "#/$defs/option" } },
            "examples": { "type": "array", "items": { "$ref": "#/$defs/example" } },
            "subcommands": { "type": "array", "items": { "$ref": "#/$defs/command" } }
          },
          "required": [
            "name", "path", "aliases", "summary", "discussion", "group", "usage", "arguments", "options", "examples",
            "subcommands"
          ],
          "additionalProperties": false
        },
        "argument": {
          "type": "object",
          "properties": {
            "help": { "type": "string" },
            "required": { "type": "boolean" },
            "repeatable": { "type": "boolean" },
            "value": { "$ref": "#/$defs/value" }
          },
          "required": ["help", "required", "repeatable", "value"],
          "additionalProperties": false
        },
        "option": {
          "type": "object",
          "properties": {
            "name": { "type": "string" },
            "short": { "type": ["string", "null"], "maxLength": 1 },
            "help": { "type": "string" },
            "repeatable": { "type": "boolean" },
            "negatable": { "type": "boolean" },
            "advanced": { "type": "boolean" },
            "group": { "$ref": "#/$defs/optionalString" },
            "environment": { "$ref": "#/$defs/optionalString" },
            "default": { "$ref": "#/$defs/optionalString" },
            "value": { "anyOf": [{ "$ref": "#/$defs/value" }, { "type": "null" }] }
          },
          "required": [
            "name", "short", "help", "repeatable", "negatable", "advanced", "group", "environment", "default", "value"
          ],
          "additionalProperties": false
        },
        "value": {
          "type": "object",
          "properties": {
            "placeholder": { "type": "string" },
            "completion": { "enum": ["none", "file", "directory", "choices", "dynamic", "dynamic_list"] },
            "source": { "$ref": "#/$defs/optionalString" },
            "choices": { "type": "array", "items": { "$ref": "#/$defs/choice" } }
          },
          "required": ["placeholder", "completion", "source", "choices"],
          "additionalProperties": false
        },
        "choice": {
          "type": "object",
          "properties": { "value": { "type": "string" }, "help": { "$ref": "#/$defs/optionalString" } },
          "required": ["value", "help"],
          "additionalProperties": false
        },
        "example": {
          "type": "object",
          "properties": { "arguments": { "type": "string" }, "purpose": { "type": "string" } },
          "required": ["arguments", "purpose"],
          "additionalProperties": false
        }
      }
    }

    """#
}
