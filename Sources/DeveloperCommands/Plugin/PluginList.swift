import CommandLine
import Plugins
import Session
import Text

enum PluginList: Command {
  struct Options: Sendable {}

  static let name = "list"
  static let summary = "List plugins and their status"
  static var discussion: [String] {
    [
      """
      The command reads only manifests and runs no plugin. A plugin can be used if its status is 'ready' (installed \
      and unchanged), 'bundled' (included with the program) or 'linked' (run from its author's folder). All others are not run: 'shadowed' (its name is already \
      taken), 'broken' (its manifest or folder is invalid), 'untrusted' (in the plugins folder, but not installed), \
      'changed' (modified since it was installed), 'unsafe' (other users could change it) and 'missing' (installed, \
      but its files are missing).
      """
    ]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("plugin list --json", "list the plugins as JSON")] }
  static var shape: OutputSchema? { .many(PluginRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let entries = try session.pluginRegistry.entries()
    if entries.isEmpty {
      session.console.noteEmpty("No plugins are installed. To install one, run: \(ifttt: "plugin install PATH")")
    }
    return .rows(entries.map(PluginRow.init))
  }
}
