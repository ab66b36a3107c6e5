import PluginProtocol
import Plugins

/// A plugin template: working files into which a name is inserted.
struct PluginTemplate {
  enum Language: String, CaseIterable, Sendable {
    case sh, python, javascript, go, swift

    var summary: String {
      switch self {
      case .sh: "a command as a shell script"
      case .python: "Python 3.8 or later, without dependencies"
      case .javascript: "JavaScript for Node 18 or later, without dependencies"
      case .go: "Go 1.19 or later, without dependencies"
      case .swift: "Swift, with the PluginProtocol library of ifttt's package"
      }
    }
  }

  enum Kind: String, CaseIterable, Sendable {
    case provider, command, both

    var summary: String {
      switch self {
      case .provider: "a provider of connections"
      case .command: "a command"
      case .both: "a provider of connections that also has commands"
      }
    }
  }

  struct File {
    let path: String
    let text: String
    var isExecutable = false
  }

  let language: Language
  let kind: Kind
  let name: PluginName
  /// The version of this program, from whose package a plugin in Swift takes its library.
  let version: String

  /// The files of its folder.
  var files: [File] { own + repository }

  /// The plugin's own files.
  private var own: [File] {
    let isProvider = kind != .command
    switch language {
    case .sh: return [File(path: program, text: shell, isExecutable: true), manifest]
    case .python:
      let library = File(path: "ifttt_plugin.py", text: PluginSDK.python)
      return [File(path: program, text: python, isExecutable: true)] + (isProvider ? [library] : []) + [manifest]
    case .javascript:
      let library = File(path: "ifttt_plugin.mjs", text: PluginSDK.javascript)
      return [File(path: "\(program).mjs", text: javascript, isExecutable: true)] + (isProvider ? [library] : [])
        + [manifest]
    case .go:
      let library = File(path: "ifttt_plugin.go", text: PluginSDK.go)
      return [File(path: "go.mod", text: goModule), File(path: "main.go", text: go)] + (isProvider ? [library] : [])
        + [File(path: "make-plugin", text: makeGoPlugin, isExecutable: true), manifest]
    case .swift: return swift
    }
  }

  /// Whether the program must be built before it can be installed.
  var isCompiled: Bool { language == .go || language == .swift }

  /// The name of the executable, or of its file without the extension.
  var program: String { "ifttt-\(name)" }

  /// The text with `@NAME@` and `@VERSION@` replaced.
  func named(_ text: String) -> String {
    var result: [UInt8] = []
    let bytes = Array(text.utf8)
    let marks = [(Array("@NAME@".utf8), name.description), (Array("@VERSION@".utf8), version)]
    var position = 0
    while position < bytes.count {
      if let (mark, value) = marks.first(where: { bytes[position...].starts(with: $0.0) }) {
        result += value.utf8
        position += mark.count
      } else {
        result.append(bytes[position])
        position += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension PluginTemplate {
  /// The manifest, which is the same in every language except for the name of the executable.
  var manifest: File {
    let executable = language == .javascript ? "\n  \"executable\": \"ifttt-@NAME@.mjs\"," : ""
    let text =
      switch kind {
      case .command: commandManifest(executable)
      case .provider: providerManifest(executable, suffix: "\n}\n")
      case .both: providerManifest(executable, runs: ", \"command/run\"", suffix: ",\n" + commands + "\n}\n")
      }
    return File(path: "plugin.json", text: named(text))
  }

  private func commandManifest(_ executable: String) -> String {
    #"""
    {
      "schema_version": 1,
      "name": "@NAME@",
      "version": "0.1.0",
      "summary": "Print a greeting",
      "kind": "command",\#(executable)
      "hosts": [],
      "environment": [],
      "commands": {
        "name": "@NAME@",
        "summary": "Print a greeting",
        "options": [{ "name": "loud", "help": "Print it in capital letters" }],
        "arguments": [
          { "help": "Name to greet", "required": false, "repeatable": true, "value": { "placeholder": "WHO" } }
        ],
        "examples": [{ "arguments": "@NAME@ world --loud", "purpose": "a loud greeting" }]
      }
    }

    """#
  }

  private func providerManifest(_ executable: String, runs: String = "", suffix: String) -> String {
    #"""
    {
      "schema_version": 1,
      "name": "@NAME@",
      "version": "0.1.0",
      "summary": "Things that are on or off, stored in a file",
      "kind": "provider",\#(executable)
      "protocol": ["1"],
      "capabilities": [
        "connections/list", "connections/show", "connections/enable", "connections/disable"\#(runs)
      ],
      "credentials": [],
      "hosts": [],
      "environment": [],
      "files": [{ "path": "~/.ifttt-@NAME@", "access": "write" }]\#(suffix)
    """#
  }

  private var commands: String {
    #"""
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
    """#
  }
}
