import HTTP
import PluginProtocol
import Plugins
import Testing

/// The sources that `plugin install` accepts.
@Suite struct PluginReferenceTests {
  private func parse(_ text: String, existing: String? = nil) throws(PluginReferenceError) -> PluginReference {
    try PluginReference(parsing: text) { $0 == existing }
  }

  @Test(arguments: ["./tides", "/opt/tides", "a/b", "Tides", "tides.zip", "tides@", "@1", "~"])
  func otherTextIsAPath(text: String) throws {
    #expect(try parse(text) == .path(text))
  }

  @Test func aBareNameIsLookedUpUnlessThereIsAFile() throws {
    let name = try #require(PluginName(parsing: "tides"))
    #expect(try parse("tides") == .named(name, version: nil))
    #expect(try parse("tides@1.2.0-rc.1") == .named(name, version: "1.2.0-rc.1"))
    #expect(try parse("tides", existing: "tides") == .path("tides"))
  }

  @Test func urlsAreHTTPS() throws {
    let url = try WebURL(parsing: "https://example.com/a.zip")
    #expect(try parse("https://example.com/a.zip") == .url(url))
    #expect(try parse("http://127.0.0.1:8000/a.zip") == .url(WebURL(parsing: "http://127.0.0.1:8000/a.zip")))
  }

  @Test(arguments: [
    "http://example.com/a.zip", "ftp://example.com/a.zip", "file:///a.zip", "ssh://host/a",
    "https://user@example.com/a",
    "git+ssh://host", "git+ssh://-oProxyCommand=x/a", "git+ssh://-l@host/a", "git+ssh://a:b@host/a",
    "git+ssh://a@b@host/a", "git+ssh://host:x/a", "git+ssh://host/a;b", "git+ssh://host/$(a)", "git+http://127.0.0.1/a",
    "git+https://user:secret@host/a", "git+https://host/a?b",
    "git+https://host", "git+file://host/a@v%0a", "git+file:///a@v..1", "git+file:///a@-f", "git+file:///a@", "git+x",
    "git+file:///a@v1.lock", "git+file:///a@v1^{}", "git+file:///a@v1:x", "git+https://host/a@b c",
    "git+file:///a\u{85}b",
  ])
  func otherURLsAreRejected(text: String) {
    #expect(throws: PluginReferenceError.self) { _ = try parse(text) }
  }

  @Test(arguments: [
    ("git+https://host/a/b.git", "https://host/a/b.git", nil),
    ("git+https://host:8443/a@v1.0.0", "https://host:8443/a", "v1.0.0"),
    ("git+https://host/a@release/1.0+linux", "https://host/a", "release/1.0+linux"),
    ("git+file:///srv/me@home/a@v1", "file:///srv/me@home/a", "v1"),
    ("git+ssh://git@host/a/b.git@v1", "ssh://git@host/a/b.git", "v1"),
    ("git+ssh://host:2222/~ann/b", "ssh://host:2222/~ann/b", nil),
  ])
  func aTagFollowsTheLastAtSign(text: String, repository: String, tag: String?) throws {
    guard case .git(let git) = try parse(text) else {
      Issue.record("\(text) is not a repository")
      return
    }
    #expect(git.repository == repository)
    #expect(git.tag == tag)
    if let tag { #expect(GitReference.text(of: repository, at: tag) == text) }
  }
}
