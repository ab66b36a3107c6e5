import CommandLine
import JSON
package import PluginProtocol

/// The JSON Schema (2020-12) of a `plugin.json`, which `ifttt schema plugin-manifest` prints. ``UnknownMembers`` finds
/// misspelled members with it. ``Manifest`` also checks what a schema cannot express.
package enum ManifestSchema {
  package static let document = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "The manifest of a plugin",
      "description": "The file plugin.json beside the executable of a plugin; see ifttt-plugin(5).",
      "type": "object",
      "properties": {
        "$schema": { "type": "string", "description": "For editors; ignored" },
        "schema_version": { "const": 1 },
        "name": { "$ref": "#/$defs/name", "description": "The name after 'ifttt' on the command line" },
        "version": { "type": "string", "pattern": "^[A-Za-z0-9.+_][A-Za-z0-9.+_-]{0,63}$" },
        "summary": { "$ref": "#/$defs/text", "description": "One line without a period" },
        "vendor": { "$ref": "#/$defs/optionalText" },
        "kind": { "enum": ["provider", "command"] },
        "executable": {
          "type": ["string", "null"], "pattern": "^[A-Za-z0-9_+][A-Za-z0-9._+-]*$", "not": { "const": "plugin.json" },
          "description": "A file in the same folder; default: ifttt-NAME"
        },
        "protocol": { "$ref": "#/$defs/strings", "description": "The protocol versions that a provider supports" },
        "capabilities": { "$ref": "#/$defs/strings", "description": "The requests that a provider supports" },
        "credentials": {
          "type": ["array", "null"],
          "items": { "type": "string", "pattern": "^(\\*|[A-Za-z0-9._/][A-Za-z0-9._/-]*\\*?)$" },
          "description": "The names of its credentials; a final * matches any suffix"
        },
        "hosts": {
          "type": ["array", "null"], "items": { "$ref": "#/$defs/text" },
          "description": "The hosts that it sends requests to; shown, not enforced"
        },
        "environment": {
          "type": ["array", "null"], "items": { "$ref": "#/$defs/variable" },
          "description": "Variables that it receives in addition to those that every plugin receives"
        },
        "browser": { "type": ["boolean", "null"], "description": "Whether it opens pages in the user's browser" },
        "files": {
          "type": ["array", "null"],
          "items": {
            "type": "object",
            "properties": {
              "path": {
                "type": "string",
                "pattern": "^(/|(~|\\.|\\$(?!IFTTT_HOME/)[A-Za-z_][A-Za-z0-9_]*)(/(?!\\.{1,2}(/|$))[^/]+)*|(/(?!\\.{1,2}(/|$))[^/]+)+)$",
                "description": "An absolute path, or one below ~, . (the current folder) or a variable; $IFTTT_HOME is the host's data"
              },
              "access": { "enum": ["read", "write"] }
            },
            "required": ["path", "access"],
            "additionalProperties": false
          },
          "description": "Files and folders that it uses outside its own folder"
        },
        "commands": { "anyOf": [{ "$ref": "#/$defs/command" }, { "type": "null" }] }
      },
      "required": ["schema_version", "name", "version", "summary", "kind"],
      "if": { "properties": { "kind": { "const": "provider" } } },
      "then": { "properties": { "protocol": { "type": "array", "minItems": 1 } }, "required": ["protocol"] },
      "additionalProperties": false,
      "$defs": {
        "name": { "type": "string", "pattern": "^[a-z][a-z0-9-]{0,31}$" },
        "text": { "type": "string", "minLength": 1, "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*$" },
        "optionalText": { "type": ["string", "null"], "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*$" },
        "strings": { "type": ["array", "null"], "items": { "$ref": "#/$defs/optionalText", "type": "string" } },
        "variable": { "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" },
        "flag": { "type": ["boolean", "null"] },
        "command": {
          "type": "object",
          "properties": {
            "name": { "$ref": "#/$defs/name" },
            "path": { "$ref": "#/$defs/strings", "description": "In the output of 'ifttt help --json'; ignored" },
            "usage": { "$ref": "#/$defs/strings", "description": "In the output of 'ifttt help --json'; ignored" },
            "aliases": {
              "type": ["array", "null"], "items": { "$ref": "#/$defs/strings" },
              "description": "In the output of 'ifttt help --json'; ignored"
            },
            "summary": { "$ref": "#/$defs/text" },
            "discussion": { "$ref": "#/$defs/strings" },
            "group": { "$ref": "#/$defs/optionalText" },
            "options": { "type": ["array", "null"], "items": { "$ref": "#/$defs/option" } },
            "arguments": { "type": ["array", "null"], "items": { "$ref": "#/$defs/argument" } },
            "examples": { "type": ["array", "null"], "items": { "$ref": "#/$defs/example" } },
            "subcommands": { "type": ["array", "null"], "items": { "$ref": "#/$defs/command" } },
            "output": { "anyOf": [{ "$ref": "#/$defs/output" }, { "type": "null" }] }
          },
          "required": ["name", "summary"],
          "additionalProperties": false
        },
        "option": {
          "type": "object",
          "properties": {
            "name": { "type": "string", "maxLength": 64, "pattern": "^[A-Za-z0-9][A-Za-z0-9-]*$" },
            "short": { "type": ["string", "null"], "pattern": "^[A-Za-z0-9]$" },
            "help": { "$ref": "#/$defs/text" },
            "repeatable": { "$ref": "#/$defs/flag" },
            "negatable": { "$ref": "#/$defs/flag" },
            "advanced": { "$ref": "#/$defs/flag" },
            "group": { "$ref": "#/$defs/optionalText" },
            "environment": { "anyOf": [{ "$ref": "#/$defs/variable" }, { "type": "null" }] },
            "default": { "$ref": "#/$defs/optionalText" },
            "value": { "anyOf": [{ "$ref": "#/$defs/value" }, { "type": "null" }] }
          },
          "required": ["name", "help"],
          "additionalProperties": false
        },
        "argument": {
          "type": "object",
          "properties": {
            "help": { "$ref": "#/$defs/text" },
            "required": { "$ref": "#/$defs/flag" },
            "repeatable": { "$ref": "#/$defs/flag" },
            "value": { "$ref": "#/$defs/value" }
          },
          "required": ["help", "value"],
          "additionalProperties": false
        },
        "value": {
          "type": "object",
          "properties": {
            "placeholder": { "$ref": "#/$defs/text" },
            "completion": { "enum": ["none", "file", "directory", "choices", "dynamic", "dynamic_list", null] },
            "source": { "$ref": "#/$defs/optionalText" },
            "choices": { "type": ["array", "null"], "items": { "$ref": "#/$defs/choice" } }
          },
          "required": ["placeholder"],
          "additionalProperties": false
        },
        "choice": {
          "type": "object",
          "properties": { "value": { "$ref": "#/$defs/text" }, "help": { "$ref": "#/$defs/optionalText" } },
          "required": ["value"],
          "additionalProperties": false
        },
        "example": {
          "type": "object",
          "properties": { "arguments": { "$ref": "#/$defs/text" }, "purpose": { "$ref": "#/$defs/text" } },
          "required": ["arguments", "purpose"],
          "additionalProperties": false
        },
        "output": {
          "type": "object",
          "properties": {
            "form": { "enum": ["one", "many", null] },
            "columns": { "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/column" } },
            "schema": { "type": ["object", "null"], "description": "The JSON Schema of one row" }
          },
          "required": ["columns"],
          "additionalProperties": false
        },
        "column": {
          "type": "object",
          "properties": {
            "title": { "$ref": "#/$defs/text" },
            "field": { "$ref": "#/$defs/text" },
            "keep": { "$ref": "#/$defs/flag" }
          },
          "required": ["title", "field"],
          "additionalProperties": false
        }
      }
    }

    """#
}

/// Finds members of a manifest that its JSON Schema does not define, such as misspelled ones.
///
/// They are errors only when a plugin is installed, linked or tested. A plugin that is already installed may have been
/// written for a later version, and continues to work.
package struct UnknownMembers {
  private let schema: JSONValue

  package init() {
    guard let schema = try? JSONValue(parsing: Array(ManifestSchema.document.utf8)) else {
      preconditionFailure("the schema of manifests is not JSON")
    }
    self.schema = schema
  }

  /// Rejects unknown members.
  /// - Throws: ``ManifestError`` with each unknown member, and a similar known member.
  package func reject(in manifest: [UInt8]) throws(ManifestError) {
    let problems = problems(in: manifest)
    if !problems.isEmpty { throw ManifestError(problems: problems) }
  }

  /// The unknown members of a manifest of this version of the format, as problems. Other errors in the text are found by
  /// the reader.
  package func problems(in manifest: [UInt8]) -> [String] {
    guard let value = try? JSONValue(document: manifest, values: JSONValue.maximumValues) else { return [] }
    var problems: [String] = []
    search(value, schema, "the manifest", &problems)
    return problems
  }

  private func search(_ value: JSONValue, _ schema: JSONValue, _ owner: String, _ problems: inout [String]) {
    let schema = resolved(schema)
    for alternative in schema["anyOf"]?.array ?? [] { search(value, alternative, owner, &problems) }
    if let items = schema["items"] {
      for element in value.array ?? [] { search(element, items, "an entry of \(owner)", &problems) }
    }
    guard let members = value.object?.members, let known = schema["properties"]?.object else { return }
    for (name, member) in members {
      if let inner = known[name] {
        search(member, inner, "'\(name)'", &problems)
      } else if schema["additionalProperties"] == .bool(false) {
        let problem = problem(of: name, of: owner, among: known.members.map(\.key))
        if !problems.contains(problem) { problems.append(problem) }
      }
    }
  }

  private func problem(of name: String, of owner: String, among names: [String]) -> String {
    // The name is shown in an error, so it must be printable.
    let shown = ManifestText.problem(in: name) == nil ? "'\(name)'" : "with unprintable characters"
    let suggestion = Self.suggestion(for: name, among: names.filter { $0 != "$schema" })
    return "\(owner) has the unknown member \(shown)" + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
  }

  /// A known member with a similar name, a known member that the name abbreviates, or one with the same meaning.
  private static func suggestion(for name: String, among known: [String]) -> String? {
    NearestNames.of(name, among: known).first ?? known.first { isAbbreviation(name, of: $0) }
      ?? synonyms[name].flatMap { known.contains($0) ? $0 : nil }
  }

  private static func isAbbreviation(_ name: String, of whole: String) -> Bool {
    guard name.utf8.count >= 3, name.utf8.first == whole.utf8.first else { return false }
    var rest = name.utf8[...]
    for byte in whole.utf8 where byte == rest.first { rest = rest.dropFirst() }
    return rest.isEmpty
  }

  /// Names that other manifest formats use, with the member that has the same meaning here.
  private static let synonyms = [
    "description": "summary", "author": "vendor", "flags": "options", "parameters": "arguments", "main": "executable",
    "bin": "executable", "title": "name",
  ]

  private func resolved(_ schema: JSONValue) -> JSONValue {
    guard let reference = schema["$ref"]?.string else { return schema }
    return self.schema["$defs"]?[String(reference.dropFirst("#/$defs/".utf8.count))] ?? schema
  }
}
