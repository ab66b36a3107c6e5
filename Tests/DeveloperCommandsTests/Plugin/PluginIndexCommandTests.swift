import Foundation
import JSON
import ProgramDriver
import Support
import Testing

@testable import Session

/// Indexes: adding, updating, searching, and installing by name.
@Suite struct PluginIndexCommandTests {
  let site = PublishedPlugins()
  private let url = "\(PublishedPlugins.origin)/index.json"

  @Test func anIndexIsUsedOffline() throws {
    try site.publish()
    try site.publish("tides", "0.1.0")
    #expect(site.run("plugin index add acme \(url)", try site.serving("index.json")).exit == .success)
    let found = site.run("plugin search THINGS --offline --json --fields name,version,installed,index,platform").output
    #expect(
      found == """
        [
        {"name":"shelf","version":"1.2.0","installed":null,"index":"acme","platform":"any"},
        {"name":"tides","version":"0.1.0","installed":null,"index":"acme","platform":"any"}
        ]

        """)
    #expect(site.run("plugin search tid --json --fields name").output.contains("tides"))
    #expect(site.run("plugin search shell -o tsv --no-header").output == "")
    #expect(site.run("plugin search").lines.count == 3)
    let server = try site.serving("shelf-1.2.0-any.tar.gz", "?")
    #expect(site.run("plugin install shelf --yes", server).exit == .success)
    #expect(server.asked.first == "GET plugins.test/shelf-1.2.0-any.tar.gz")
    #expect(
      site.shown("index,origin") == #"{"index":"acme","origin":"\#(PublishedPlugins.origin)/shelf-1.2.0-any.tar.gz"}"#)
    #expect(site.run("plugin search shelf --json --fields installed").output.contains("1.2.0"))
  }

  @Test func aPreReleaseIsInstalledOnlyIfItIsNamed() throws {
    try site.publish("shelf", "2.0.0-rc.1")
    site.addIndex()
    let refused = site.run("plugin install shelf --yes")
    #expect(refused.exit == .notFound)
    #expect(refused.errors.contains("the indexes have only pre-releases: 2.0.0-rc.1"))
    #expect(site.run("plugin search shelf -o tsv --no-header").output == "")
    #expect(site.run("plugin install shelf@2.0.0-rc.1 --yes").exit == .success)
    #expect(
      site.run("plugin install shelf@3.0.0 --yes").notes.first
        == "ifttt: no version 3.0.0 of plugin 'shelf' in an index")
  }

  @Test func aFileOfTheSameNameComesFirst() throws {
    try site.publish()
    site.addIndex()
    try site.plugins.write("shelf", in: ".")
    let outcome = site.run("plugin install shelf --dry-run")
    #expect(!outcome.errors.contains("index        local"))
  }

  @Test func severalIndexesNeedAChoice() throws {
    try site.publish()
    site.addIndex()
    #expect(site.run("plugin index add other \(site.plugins.folder["site/index.json"])").exit == .success)
    let outcome = site.run("plugin install shelf --yes")
    #expect(outcome.exit == .failure)
    #expect(outcome.notes.last == "  Choose one: ifttt plugin install shelf --index local")
    #expect(site.run("plugin install shelf --index other --yes").exit == .success)
    #expect(site.shown("index") == #"{"index":"other"}"#)
    #expect(site.run("plugin install shelf --index third --yes").exit == .notFound)
  }

  @Test func namesAndLocationsAreChecked() throws {
    try site.publish()
    site.addIndex()
    let path = site.plugins.folder["site/index.json"]
    for (line, exit) in [
      ("plugin index add local \(path)", ExitCode.failure), ("plugin index add 'a b' \(path)", .usage),
      ("plugin index add x http://plugins.test/index.json", .usage), ("plugin index add x \(path).nowhere", .notFound),
      ("plugin index remove x", .notFound), ("plugin index update x", .notFound),
      ("plugin install none --yes", .notFound),
    ] {
      #expect(site.run(line).exit == exit, "\(line)")
    }
    #expect(site.run("plugin index remove local").errors == "Removed index 'local'.\n")
    #expect(site.run("plugin index list --json").output == "[]\n")
    #expect(site.run("plugin install shelf --yes").errors.contains("no index was added"))
  }

  /// An update that fails keeps the index as it was.
  @Test func anInvalidUpdateChangesNothing() throws {
    try site.publish()
    #expect(site.run("plugin index add acme \(url)", try site.serving("index.json")).exit == .success)
    site.addIndex()
    for (answer, exit) in [
      (Server().answering(200, #"{"schema_version":1,"name":"x","plugins":[{"name":"../x"}]}"#), ExitCode.partial),
      (Server().answering(404), .partial),
    ] {
      let outcome = site.run("plugin index update --json --fields name,problem", answer)
      #expect(outcome.exit == exit)
      #expect(outcome.output.contains(#"{"name":"local","problem":null}"#))
      #expect(!outcome.output.contains(#"{"name":"acme","problem":null}"#))
    }
    #expect(site.run("plugin index update acme", Server().answering(200, "[]")).exit == .unavailable)
    #expect(site.run("plugin search shelf --json --fields index").output.contains("acme"))
  }

  /// Control characters in an index never reach the terminal: such an index is not stored.
  @Test func controlCharactersAreRejected() throws {
    try site.publish()
    let text = try #require(site.plugins.folder.text("site/index.json")).replacing(
      "Things on", with: #"\u001b]0;Things"#)
    let outcome = site.run("plugin index add acme \(url)", Server().answering(200, text))
    #expect(outcome.exit == .unavailable)
    #expect(!outcome.errors.contains("\u{1b}"))
    #expect(site.run("plugin index list --json").output == "[]\n")
  }

  /// The archive must be what the index says: its bytes, its files, its name and its version.
  @Test(arguments: ["sha256", "content_sha256", "name", "version"]) func aLyingIndexInstallsNothing(member: String)
    throws
  {
    try site.publish()
    let path = site.plugins.folder["site/index.json"]
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let changed =
      switch member {
      case "name": text.replacing(#""name":"shelf""#, with: #""name":"tides""#)
      case "version": text.replacing(#""version":"1.2.0""#, with: #""version":"1.3.0""#)
      default: text.replacing(try Regex(#""\#(member)":"........"#), with: #""\#(member)":"00000000"#)
      }
    try changed.write(toFile: path, atomically: true, encoding: .utf8)
    site.addIndex()
    let outcome = site.run("plugin install \(member == "name" ? "tides" : "shelf") --yes")
    #expect(outcome.exit == .failure, "\(outcome.errors)")
    #expect(try site.plugins.listed().isEmpty)
  }

  @Test func anIndexCanDemandSignatures() throws {
    try site.publish()
    let path = site.plugins.folder["site/index.json"]
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing("\"plugins\": [", with: "\"require_signatures\": true, \"plugins\": [")
      .write(toFile: path, atomically: true, encoding: .utf8)
    site.addIndex()
    let outcome = site.run("plugin install shelf --yes")
    #expect(outcome.exit == .failure)
    #expect(outcome.errors.contains("its index requires signatures, and the plugin is not signed"))
    #expect(site.run("plugin index list --json --fields requires_signatures").output.contains("true"))
  }
}
