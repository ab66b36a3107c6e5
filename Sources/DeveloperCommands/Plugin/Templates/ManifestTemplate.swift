extension PluginTemplate {
  /// The manifest, which is the same in every language except for the name of the executable.
  var manifest: File {
    let executable = language == .javascript ? "\n  \"executable\": \"ifttt-@NAME@.mjs\"," : ""
    let text =
      switch kind {
      case .command: commandManifest(executable)
      case .provider: providerManifest(executable, ending: "\n}\n")
      case .both: providerManifest(executable, runs: ", \"command/run\"", ending: ",\n" + commands + "\n}\n")
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

  private func providerManifest(_ executable: String, runs: String = "", ending: String) -> String {
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
      "files": [{ "path": "~/.ifttt-@NAME@", "access": "write" }]\#(ending)
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
