import Foundation
import JSON
import Session
package import Support
package import Testing
package import World

/// A home with installed or bundled plugins.
package final class PluginHome {
  package let home: Home
  package var folder: TemporaryFolder { home.folder }

  package init(_ home: Home = Home()) {
    self.home = home
    // The replacement of the process by a command plugin is recorded, but not performed.
    home.prepare = { $0.processes.becoming = .success(()) }
  }

  package static let manifest = #"""
    {"schema_version": 1, "name": "NAME", "version": "1.2.0", "summary": "Things on a shelf", "vendor": "Lampost",
     "kind": "command", "executable": "run", "hosts": ["https://api.lampost.test"], "environment": ["LAMPOST_REGION"],
     "commands": {"name": "NAME", "summary": "Look after things", "subcommands": [
       {"name": "add", "summary": "Add a thing",
        "options": [{"name": "colour", "help": "Its colour", "value": {"placeholder": "COLOUR", "completion": "choices",
                     "choices": [{"value": "red"}, {"value": "blue"}]}}],
        "arguments": [{"help": "What", "required": true, "value": {"placeholder": "TITLE"}}]},
       {"name": "empty", "summary": "Throw all away"}]}}
    """#

  /// Write a plugin to its own folder, without installing it.
  @discardableResult
  package func write(_ name: String, in parent: String = "source", manifest: String = manifest) throws -> String {
    let path = folder["\(parent)/\(name)"]
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    folder.write("\(parent)/\(name)/plugin.json", manifest.replacingOccurrences(of: "NAME", with: name), mode: 0o644)
    folder.write("\(parent)/\(name)/run", "#!/bin/sh\necho hello\n", mode: 0o755)
    return path
  }

  /// Create an installed program with a bundled plugin.
  package func bundle(_ name: String, manifest: String = manifest) throws {
    try FileManager.default.createDirectory(atPath: folder["bin"], withIntermediateDirectories: true)
    folder.write("bin/ifttt", "", mode: 0o700)
    try write(name, in: "libexec/ifttt", manifest: manifest)
    for above in ["libexec", "libexec/ifttt"] { chmod(folder[above], 0o700) }
    let prepare = home.prepare
    home.prepare = { [folder] test in
      prepare(test)
      test.processes.program = folder["bin/ifttt"]
    }
  }

  package func install(_ name: String, manifest: String = manifest) throws {
    let path = try write(name, manifest: manifest)
    #expect(home.run("plugin install \(path) --yes").exit == .success)
  }

  @discardableResult
  package func run(
    _ line: String, input: ScriptedInput? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Home.Outcome {
    home.run(line, input: input, sourceLocation: sourceLocation)
  }

  /// The program that replaced the last command's process.
  package var became: ReplacementProgram? { home.last?.processes.became }

  /// The rows of `plugin list`: name, status and problem.
  package func listed() throws -> [[String?]] {
    let output = run("plugin list --json").output
    return try #require(try JSONValue(parsing: Array(output.utf8)).array).map { row in
      ["name", "status", "problem"].map { row[$0]?.string }
    }
  }
}
