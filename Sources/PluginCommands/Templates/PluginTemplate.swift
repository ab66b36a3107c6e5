import PluginProtocol

/// A plugin template: working files into which a name is inserted.
struct PluginTemplate {
  enum Language: String, CaseIterable, Sendable {
    case sh, python, swift

    var summary: String {
      switch self {
      case .sh: "a command"
      case .python: "a provider of connections that needs only Python's standard library"
      case .swift: "a provider of connections that uses the PluginProtocol library"
      }
    }
  }

  struct File {
    let path: String
    let text: String
    var isExecutable = false
  }

  let language: Language
  let name: PluginName

  /// The plugin's files.
  var files: [File] {
    let program = "ifttt-\(name)"
    switch language {
    case .sh:
      return [File(path: program, text: shell, isExecutable: true), File(path: "plugin.json", text: shellManifest)]
    case .python:
      return [
        File(path: program, text: python, isExecutable: true), File(path: "plugin.json", text: providerManifest),
      ]
    case .swift: return swift
    }
  }

  /// The text with `@NAME@` replaced by the plugin's name.
  func named(_ text: String) -> String {
    var result: [UInt8] = []
    let (bytes, mark) = (Array(text.utf8), Array("@NAME@".utf8))
    var place = 0
    while place < bytes.count {
      if bytes[place...].starts(with: mark) {
        result += name.description.utf8
        place += mark.count
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The manifest of the provider templates, which is the same in every language.
  var providerManifest: String {
    named(
      #"""
      {
        "schema_version": 1,
        "name": "@NAME@",
        "version": "0.1.0",
        "summary": "Things that are on or off, stored in a file",
        "kind": "provider",
        "protocol": ["1"],
        "capabilities": [
          "connections/list", "connections/show", "connections/enable", "connections/disable", "command/run"
        ],
        "credentials": [],
        "hosts": [],
        "environment": [],
        "commands": {
          "name": "@NAME@",
          "summary": "Manage the things of @NAME@",
          "subcommands": [
            {
              "name": "add",
              "summary": "Add a thing that is off",
              "arguments": [{ "help": "Name of the thing", "required": true, "value": { "placeholder": "TITLE" } }],
              "output": {
                "form": "one",
                "columns": [
                  { "title": "ID", "field": "id", "keep": true },
                  { "title": "NAME", "field": "name" },
                  { "title": "STATUS", "field": "status" }
                ]
              },
              "examples": [{ "arguments": "@NAME@ add 'Porch light'", "purpose": "one more thing to list and enable" }]
            },
            { "name": "file", "summary": "Print the path of the file with the things" }
          ]
        }
      }

      """#)
  }
}
