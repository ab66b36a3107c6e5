import HTTP
import PluginProtocol
import Plugins
import Testing

/// Indexes: reading them strictly, and choosing a version.
@Suite struct PluginIndexTests {
  private static let sum = String(repeating: "0", count: 64)

  static func entry(
    _ name: String = "tides", _ version: String = "1.0.0", platform: String = "any", url: String = "a.zip",
    more: String = ""
  ) -> String {
    #"""
    {"name":"\#(name)","version":"\#(version)","summary":"Tides","platform":"\#(platform)","url":"\#(url)",
     "sha256":"\#(sum)","content_sha256":"\#(sum)"\#(more)}
    """#
  }

  static func text(_ entries: [String], more: String = "") -> String {
    #"{"schema_version":1,"name":"Acme","plugins":[\#(entries.joined(separator: ","))]\#(more)}"#
  }

  private func index(_ text: String) throws(PluginContentsError) -> PluginIndex {
    try PluginIndex(parsing: Array(text.utf8))
  }

  private let tides = PluginName(parsing: "tides")

  @Test func unknownMembersAreIgnored() throws {
    let index = try index(
      Self.text([Self.entry(more: #","homepage":"x""#)], more: #","require_signatures":true,"x":[]"#))
    #expect(index.requiresSignatures)
    #expect(index.entries.first?.version == "1.0.0")
    #expect(try !self.index(Self.text([])).requiresSignatures)
  }

  @Test func theNewestVersionForThePlatformIsChosen() throws {
    let name = try #require(tides)
    let own = PluginPlatform.current.description
    let index = try index(
      Self.text([
        Self.entry("tides", "1.9.0"), Self.entry("tides", "1.10.0"),
        Self.entry("tides", "1.10.0", platform: own, url: "own.zip"),
        Self.entry("tides", "1.11.0", platform: "plan9-mips"), Self.entry("tides", "2.0.0-rc.1"),
        Self.entry("other", "3.0.0"),
      ]))
    #expect(index.entry(named: name, for: .current)?.url == "own.zip")
    #expect(index.entry(named: name, version: "2.0.0-rc.1", for: .current)?.version == "2.0.0-rc.1")
    #expect(index.entry(named: name, version: "1.11.0", for: .current) == nil)
    #expect(index.entry(named: name, version: "1.9.0", for: .current)?.version == "1.9.0")
  }

  static let invalid = [
    "", "[]", "{}", "{\"schema_version\":2,\"name\":\"x\",\"plugins\":[]}", #"{"schema_version":1,"plugins":[]}"#,
    #"{"schema_version":1,"name":"x","plugins":{}}"#, #"{"schema_version":1,"name":5,"plugins":[]}"#,
    #"{"schema_version":1,"name":"x\u001b[2J","plugins":[]}"#, text([], more: #","require_signatures":"yes""#),
    text([], more: #","require_signatures":null"#), text(["5"]), text(["{}"]), text([entry("../x")]),
    text([entry("Tides")]),
    text([entry("tides", "")]), text([entry("tides", "1\\u0007")]), text([entry(platform: "Linux X")]),
    text([entry(), entry()]), text([entry(more: #","summary":"x\u202ey""#)]), text([entry(more: #","sha256":"abc""#)]),
    text([entry(more: #","content_sha256":null"#)]),
    text([entry(more: ",\"summary\":\"\(String(repeating: "x", count: 501))\"")]),
    String(repeating: "[", count: 100_000),
    "{\"schema_version\":1,\"name\":\"x\",\"plugins\":\(String(repeating: "[", count: 600))",
  ]

  @Test(arguments: invalid) func invalidIndexesAreRejected(text: String) {
    #expect(throws: PluginContentsError.self) { _ = try index(text) }
  }

  @Test func hugeIndexesAreRejected() {
    let many = (0...PluginIndex.entryLimit).map { Self.entry("tides", "1.0.\($0)") }
    #expect(throws: PluginContentsError.self) { _ = try index(Self.text(many)) }
    let large = [UInt8](repeating: 0x20, count: PluginIndex.sizeLimit + 1)
    #expect(throws: PluginContentsError.self) { _ = try PluginIndex(parsing: large) }
  }

  @Test(arguments: [
    "../a.zip", "a/../b.zip", "/a.zip", "//host/a.zip", "a//b.zip", "./a.zip", "a\\\\b.zip", "a.zip?x", "a.zip#x",
    "%2e%2e/a.zip",
    "c:a.zip", "http://example.com/a.zip", "file:///a.zip", "https://user@example.com/a.zip",
    "https://example.com/../a.zip",
    "a b.zip", "", "ftp://example.com/a",
  ])
  func urlsThatLeadElsewhereAreRejected(url: String) {
    #expect(throws: PluginContentsError.self) { _ = try index(Self.text([Self.entry(url: url)])) }
  }

  @Test func urlsAreRelativeToTheIndex() throws {
    let remote = try IndexLocation(parsing: "https://example.com/x/index.json?a=b")
    #expect(try remote.archive(at: "v1/a.zip").description == "https://example.com/x/v1/a.zip")
    #expect(try remote.archive(at: "https://other.example/a.zip").description == "https://other.example/a.zip")
    #expect(try IndexLocation(parsing: "/srv/index.json").archive(at: "a.zip") == .file("/srv/a.zip"))
    let local = try IndexLocation(parsing: "http://127.0.0.1:8000/index.json")
    #expect(try local.archive(at: "a.zip").description == "http://127.0.0.1:8000/a.zip")
  }

  /// An index on the web must not choose a server on this machine.
  @Test func aRemoteIndexDoesNotReachThisMachine() throws {
    let remote = try IndexLocation(parsing: "https://example.com/index.json")
    #expect(throws: WebURLError.self) { _ = try remote.archive(at: "http://127.0.0.1:8000/a.zip") }
  }

  @Test func anEntryIsAddedOrReplaced() throws {
    let name = try #require(tides)
    func entry(_ version: String, _ url: String) -> IndexEntry {
      IndexEntry(
        name: name, version: version, summary: "Tides", platform: .any, url: url, sha256: Self.sum,
        contentSHA256: Self.sum)
    }
    var bytes = try PluginIndex.adding(entry("1.0.0", "a.zip"), to: nil, named: "Acme")
    #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("{\n  \"schema_version\": 1,\n  \"name\": \"Acme\",\n"))
    let marked = String(decoding: bytes, as: UTF8.self).replacing(
      "\"name\": \"Acme\"", with: "\"name\": \"Acme\", \"x\": 1")
    bytes = try PluginIndex.adding(entry("1.1.0", "b.zip"), to: Array(marked.utf8), named: "other")
    bytes = try PluginIndex.adding(entry("1.0.0", "c.zip"), to: bytes, named: "other")
    let index = try PluginIndex(parsing: bytes)
    #expect(index.name == "Acme" && index.entries.map(\.url) == ["b.zip", "c.zip"])
    #expect(String(decoding: bytes, as: UTF8.self).contains("\"x\": 1"))
    #expect(throws: PluginContentsError.self) {
      _ = try PluginIndex.adding(entry("1", "a.zip"), to: Array("{}".utf8), named: "x")
    }
  }
}
