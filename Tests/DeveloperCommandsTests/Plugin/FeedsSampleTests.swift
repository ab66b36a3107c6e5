import Foundation
import PluginProtocol
import Plugins
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// The sample provider in Python, as a real process with a real file.
@Suite struct FeedsSampleTests {
  private let home = Home()
  private static let opml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <opml version="2.0"><head><title>Mine</title></head><body>
    <outline text="News"><outline text="Zebra" type="rss" xmlUrl="https://z.test/feed" htmlUrl="https://z.test/"/>
    <outline text="Ähre &amp; Co" type="rss" xmlUrl="https://a.test/feed" disabled="true" category="kept"/></outline>
    <outline text="Zebra again" type="rss" xmlUrl="https://z.test/feed"/>
    </body></opml>
    """
  private var file: String { home.folder["feeds.opml"] }

  init() {
    _ = home.folder.write("feeds.opml", Self.opml)
    let folder = Self.folder
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let program = PluginProgram(
      name: .sample("feeds"), version: "1.0.0", path: "\(folder)/ifttt-feeds", folder: folder,
      capabilities: [
        "connections/list", "connections/show", "connections/enable", "connections/disable", "connections/activate",
        "complete",
      ], credentials: [],
      environment: ["PATH=\(path)", "FEEDS_FOLDER=\(home.folder.path)", "PYTHONDONTWRITEBYTECODE=1"])
    home.providers = [
      InstalledProvider(
        name: program.name, capabilities: Array(program.capabilities), needsCredentials: false, program: { program })
    ]
    home.adapt = { world in
      world.processes = LiveProcesses(interruption: TestInterruption(), environment: world.environment)
    }
  }

  private static let folder = Checkout.path("Examples/plugins/feeds")

  private func list() -> [String] {
    home.run("connections list --provider feeds -o csv --no-header --fields name,status,url").lines
  }

  private func id(_ name: String) throws -> String {
    let rows = home.run("connections list --provider feeds -o tsv --no-header --fields name,id").lines
    return try #require(rows.first { $0.hasPrefix(name + "\t") }?.split(separator: "\t").last.map(String.init))
  }

  @Test func theFeedsOfTheFileAreConnections() {
    #expect(list() == ["Zebra,enabled,https://z.test/", "Ähre & Co,disabled,"])
  }

  @Test func enablingAndDisablingChangesOnlyTheStatus() throws {
    let zebra = try id("Zebra")
    let disable = home.run("connections disable feeds:\(zebra) -o csv --no-header")
    #expect(disable.output == "feeds:\(zebra),disabled,enabled,true,\n")
    #expect(list() == ["Zebra,disabled,https://z.test/", "Ähre & Co,disabled,"])
    let enable = home.run("connections enable --provider feeds --all --yes -o csv --no-header --fields changed")
    #expect(enable.lines == ["true", "true"])
    #expect(list().map { $0.split(separator: ",")[1] } == ["enabled", "enabled"])
    let text = try #require(home.folder.text("feeds.opml"))
    #expect(!text.contains("disabled"))
    #expect(text.contains("category=\"kept\"") && text.contains("Zebra again"))
    #expect(home.folder.names.filter { $0.hasPrefix(".feeds-") } == [])
  }

  @Test func activatesAFeed() throws {
    let one = try id("Ähre & Co")
    let activate = home.run("connections activate feeds:\(one) -o csv --no-header --fields name,status,previous_status")
    #expect(activate.output == "Ähre & Co,enabled,disabled\n")
  }

  @Test func missingFeedsAndFilesAreReported() throws {
    #expect(home.run("connections show feeds:nope").exit == .notFound)
    try FileManager.default.removeItem(atPath: file)
    let list = home.run("connections list --provider feeds")
    #expect(list.exit == .notFound)
    #expect(list.errors.hasPrefix("ifttt: there is no file \(file)\n"))
    #expect(list.errors.hasSuffix("Export your feeds as OPML to this file, or name its folder in FEEDS_FOLDER.\n"))
  }

  @Test func completionOffersTheFeeds() throws {
    let zebra = try id("Zebra")
    let offered = home.run("__complete feed --command='feeds add' -- ''")
    #expect(offered.lines.contains { $0.hasPrefix(zebra) && $0.hasSuffix("Zebra") })
    #expect(home.run("__complete feed --command='other add' -- ''").output == "")
  }
}
