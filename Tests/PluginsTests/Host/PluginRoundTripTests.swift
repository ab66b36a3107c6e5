import CommandLine
import JSON
import PluginProtocol
import Plugins
import ProgramDriver
import Session
import Testing

@testable import Commands

/// The output of `ifttt help NAME --json` has the form of a command in a manifest, and converting it in either
/// direction loses nothing, except for the topics of `help`.
@Suite struct PluginRoundTripTests {
  private static let root = Root.tree.ownSchema

  @Test(arguments: root.subcommands.filter { !$0.name.hasPrefix("_") && $0.name != "help" })
  func everyOwnCommandSurvivesARoundTrip(command: CommandSchema) throws {
    let help = try #require(HelpJSON.bytes(root: Self.root, path: [command.name]))
    let manifest: JSONValue = [
      "schema_version": 1, "name": JSONValue(command.name), "version": "1", "summary": "x", "kind": "command",
      "commands": try JSONValue(parsing: help),
    ]
    let commands = try #require(try Manifest(parsing: manifest.bytes).commands)
    #expect(CommandSchema(commands) == command.withoutAliases)
  }
}

extension CommandSchema {
  /// The command without the second names, which a plugin's commands do not have.
  fileprivate var withoutAliases: CommandSchema {
    var copy = self
    (copy.aliases, copy.subcommands) = ([], subcommands.map(\.withoutAliases))
    return copy
  }
}
