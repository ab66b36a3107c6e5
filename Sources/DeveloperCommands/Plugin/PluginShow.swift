import CommandLine
import Plugins
import Session

enum PluginShow: Command {
  struct Options: Sendable {
    var name = Required<String>()
  }

  static let name = "show"
  static let summary = "Show the details, permissions and status of a plugin"
  static var positionals: [Positional<Options>] {
    [.required(.pluginName, into: \.name, help: "Name of the plugin")]
  }
  static var examples: [ExampleSchema] {
    [ExampleSchema("plugin show hello", "show a plugin's manifest, origin and SHA-256")]
  }
  static var shape: OutputSchema? { .one(PluginDetails.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    .one(try PluginDetails(session.pluginRegistry.entry(named: options.name.value), in: session))
  }
}
