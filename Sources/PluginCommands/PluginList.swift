import Arguments
import CommandContext
import Hints
import PluginHost
import Plugins

enum PluginList: Command {
  struct Options: Sendable {}

  static let name = "list"
  static let summary = "List the plugins there are, also those that cannot be used, and why"
  static var discussion: [String] {
    [
      """
      It reads manifests and runs nothing. Status 'ready' is a plugin that was installed and is what it was, 'bundled' one \
      that came with the program. The others are not run: 'shadowed' (something else has its name), 'broken', 'untrusted' \
      (it lies there and was not installed), 'changed' (it is not what was installed), 'unsafe' (others could change it) and \
      'missing' (it was installed, but its files are missing).
      """
    ]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("plugin list --json", "for programs")] }
  static var shape: OutputSchema? { .many(PluginRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let entries = try session.pluginRegistry.entries()
    if entries.isEmpty { session.noteEmpty("There are no plugins; \(ifttt: "plugin install PATH") installs one.") }
    return .rows(entries.map(PluginRow.init))
  }
}
