import Foundation
import Support
import Testing

/// The built program with an installed provider: the sample, which only needs Python.
@Suite(.enabled(if: Tool.isInstalled("python3"), "skipped: needs python3")) struct ProvidedProgramTests {
  private let home = Home()

  private static let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Examples/plugins/feeds").path

  init() throws {
    home.environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
    home.environment["FEEDS_FOLDER"] = home.workplace.path
    home.workplace.write(
      "feeds.opml",
      """
      <opml version="2.0"><body><outline text="Tides" type="rss" xmlUrl="https://tides.test/feed"/></body></opml>
      """)
    try #require(home.run("plugin", "install", Self.sample, "--yes").status == 0)
  }

  private func list(_ words: String...) throws -> String {
    try home.run(["connections", "list", "-o", "csv", "--no-header"] + words).text
  }

  @Test func listsItsConnectionsNextToIFTTTs() throws {
    #expect(try list("--provider", "feeds", "--fields", "provider,name,status") == "feeds,Tides,enabled\n")
    let id = try list("--provider", "feeds", "--fields", "id").filter { $0 != "\n" }
    #expect(try list() == "\(id),Tides,enabled,\"[\"\"Feed\"\"]\",false,feeds\n")
    #expect(try list("--provider", "connect") == "")
    #expect(try home.run("connections", "disable", "feeds:\(id)").status == 0)
    #expect(try list("--provider", "feeds", "--fields", "status") == "disabled\n")
    #expect(try home.run("connections", "show", id).text.contains("Tides"))
  }

  @Test(arguments: [#"touch "$IFTTT_PLUGIN_DIR/ifttt-swap""#, #"chmod 640 "$IFTTT_PLUGIN_DIR/plugin.json""#, ":"])
  func aPluginReplacedDuringStartIsNotUsed(_ exchange: String) throws {
    let source = try ScratchFolder()
    try source.write(
      #"{"schema_version":1,"name":"swap","version":"1","summary":"S","kind":"provider","protocol":["1"],"#
        + #""capabilities":["connections/list"]}"#, to: "plugin.json")
    let greeting =
      #"{"jsonrpc":"2.0","id":1,"result":{"name":"swap","version":"1","protocol":"1","capabilities":["connections/list"]}}"#
    try source.write(
      "#!/bin/sh\nread -r hello\n\(exchange)\necho '\(greeting)'\nread -r request && echo asked >&2\n"
        + #"echo '{"jsonrpc":"2.0","id":2,"result":{}}'"# + "\n", to: "ifttt-swap", isExecutable: true)
    try #require(home.run("plugin", "install", source.path, "--yes").status == 0)
    let run = try home.run("connections", "list", "--provider", "swap", "--json")
    #expect(run.errors.contains("asked") == (exchange == ":"), "\(run.errors)")
    #expect(run.errors.contains("its files changed while it was started") == (exchange != ":"))
    #expect(run.status == (exchange == ":" ? 0 : 1))
  }

  @Test func aChangedPluginIsNotRun() throws {
    #expect(try list("--provider", "feeds", "--fields", "name") == "Tides\n")
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: home.folder["plugins/feeds/ifttt-feeds"]))
    try file.seekToEnd()
    try file.write(contentsOf: Data("\n".utf8))
    try file.close()
    let list = try home.run("connections", "list", "--provider", "feeds", "--max-age", "0", "--json")
    #expect(list.status == 1)
    #expect(list.errors.contains("'feeds' is not run"))
    #expect(try home.run("plugin", "list", "--json").text.contains("\"status\":\"changed\""))
    #expect(try home.run("plugin", "verify").status == 1)
    #expect(try home.run("plugin", "remove", "feeds", "--yes").status == 0)
    #expect(try home.run("connections", "list", "--provider", "feeds").status == 3)
  }
}
