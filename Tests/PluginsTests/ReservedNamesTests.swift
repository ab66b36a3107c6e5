import Foundation
import PluginProtocol
import Plugins
import Support
import Testing

/// Names of the program that an otherwise valid manifest may not use.
@Suite struct ReservedNamesTests {
  private func problem(_ option: ManifestCommand.Option) throws -> String? {
    let name = try #require(PluginName(parsing: "shelf"))
    let command = ManifestCommand(
      name: "shelf", summary: "x", subcommands: [ManifestCommand(name: "add", summary: "x", options: [option])])
    let manifest = Manifest(name: name, version: "1", summary: "x", kind: .command, commands: command)
    return PluginFolder().catalog().rules.problem(of: manifest)?.description
  }

  @Test func globalOptionsCannotBeHidden() throws {
    #expect(try problem(.init(name: "tag", help: "x")) == nil)
    #expect(
      try problem(.init(name: "json", help: "x"))
        == "option '--json' of 'shelf add' conflicts with the global option '--json'")
    #expect(
      try problem(.init(name: "query", short: "q", help: "x"))
        == "option '--query' of 'shelf add' conflicts with the global option '--quiet'")
    #expect(
      try problem(.init(name: "no-color", help: "x"))
        == "option '--no-color' of 'shelf add' conflicts with the global option '--color'")
  }

  /// An author begins with the manifests of the guide, which must be accepted whole.
  @Test func theManifestsOfTheGuideAreAccepted() throws {
    let blocks = try Checkout.text("docs/plugins.md").components(separatedBy: "```json\n").dropFirst()
    let texts = blocks.compactMap { $0.components(separatedBy: "\n```").first }.filter { $0.contains("\"kind\"") }
    #expect(texts.count == 2)
    for text in texts {
      let manifest = try Manifest(forAuthor: Array(text.utf8))
      #expect(PluginFolder().catalog().rules.problem(of: manifest) == nil)
    }
  }

  @Test func variablesWithSecretsAreRejected() throws {
    #expect(
      try problem(.init(name: "key", help: "x", value: .init(placeholder: "K"), environment: "IFTTT_SERVICE_KEY"))
        == "option '--key' names the variable IFTTT_SERVICE_KEY, which is hidden from plugins")
    #expect(try problem(.init(name: "key", help: "x", environment: "SHELF_KEY")) == nil)
  }
}
