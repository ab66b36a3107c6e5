import CommandLine
import Plugins
import Session
import Store
import Text

enum IndexList: Command {
  struct Options: Sendable {}

  static let name = "list"
  static let summary = "List the indexes of plugins"
  static var examples: [ExampleSchema] { [ExampleSchema("plugin index list", "list the indexes")] }
  static var shape: OutputSchema? { .many(IndexRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    _ = try session.pluginRegistry
    let indexes = try session.store.pluginIndexes()
    if indexes.isEmpty {
      session.console.noteEmpty("No index was added. To add one, run: \(ifttt: "plugin index add NAME LOCATION")")
    }
    return .rows(indexes.map(IndexRow.init))
  }
}
