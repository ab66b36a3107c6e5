import HTTP
import Testing

/// The texts that are valid URLs for sending a credential, and their spelling when sent.
@Suite struct WebURLTests {
  @Test(arguments: [
    "https://connect.ifttt.com", "https://connect.ifttt.com/", "https://connect.ifttt.com:8443/v2",
    "https://a-b.c_d.example/x%20y;z='1'/(2)*,~@:$!&+=", "https://h/p?a=b&c=%7B%7d&d=/?:@", "https://h?a",
    "https://1.2.3.4/", "https://[2001:db8::1]:8443/x", "https://1password.example", "https://3.example",
    "http://localhost", "http://localhost:1/x", "http://127.0.0.1", "http://127.255.0.9:65535/",
    "http://[::1]:8080",
  ])
  func acceptedTextIsUnchanged(_ text: String) throws {
    let url = try WebURL(parsing: text)
    #expect(url.wire == text)
    #expect(url.redacted == text)
  }

  @Test(arguments: [
    ("HTTPS://Connect.IFTTT.com/Path", "https://connect.ifttt.com/Path"), ("https://h:443/x", "https://h/x"),
    ("http://localhost:80", "http://localhost"), ("https://[2001:DB8::A]", "https://[2001:db8::a]"),
    ("https://h/?", "https://h/"), ("HtTp://LOCALHOST/", "http://localhost/"),
  ])
  func equivalentURLsHaveOneSpelling(_ text: String, _ wire: String) throws {
    #expect(try WebURL(parsing: text).wire == wire)
  }

  @Test func parsesComponents() throws {
    let url = try WebURL(parsing: "https://[::1]:8443/v2/x?a=1&b=a+b%2Bc&flag&=&d=%ff")
    #expect(url.scheme == "https")
    #expect(url.host == "[::1]")
    #expect(url.port == 8443)
    #expect(url.path == "/v2/x")
    #expect(url.origin == "https://[::1]:8443")
    let items = [
      QueryItem("a", "1"), QueryItem("b", "a b+c"), QueryItem("flag", ""), QueryItem("", ""),
      QueryItem("d", "\u{FFFD}"),
    ]
    #expect(url.query == items)
  }

  static let refused: [(text: String, word: String)] = [
    ("", "empty"), ("connect.ifttt.com", "scheme"), ("ftp://h/", "scheme"), ("https:/h", "scheme"),
    ("https:h", "scheme"), ("://h", "scheme"), ("//h/x", "scheme"), ("javascript:alert(1)", "scheme"),
    ("https://", "host"), ("https:///x", "host"), ("https://?x", "host"), ("https://:443/", "host"),
    ("https://a..b/", "host"), ("https://.a/", "host"), ("https://a./", "host"), ("https://-a.b/", "host"),
    ("https://a-.b/", "host"), ("https://a%2eb/", "host"), ("https://a,b/", "host"), ("https://a*b/", "host"),
    ("https://[::1/", "host"), ("https://::1/", "host"), ("https://[::g]/", "host"),
    ("https://[fe80::1%25eth0]/", "host"),
    ("https://[127.0.0.1]/", "host"), ("https://[]/", "host"), ("https://[::1]x/", "host"),
    ("https://127.1/", "host"), ("https://0x7f.1/", "host"), ("https://2130706433/", "host"),
    ("https://0x7f000001/", "host"),
    ("https://1.2.3.256/", "host"), ("https://1.2.3.04/", "host"), ("https://1.2.3.4.5/", "host"),
    ("https://a.b.1/", "host"),
    ("https://\(String(repeating: "a", count: 64)).example", "host"),
    ("https://\(String(repeating: "a.", count: 127))ab", "host"),
    ("http://connect.ifttt.com/", "http"), ("http://127.0.0.1.evil.example/", "http"),
    ("http://localhost.evil.example", "http"),
    ("http://foo.localhost", "http"), ("http://128.0.0.1", "http"), ("http://0.0.0.0", "http"), ("http://[::]", "http"),
    ("http://[::ffff:127.0.0.1]", "http"), ("http://[0:0:0:0:0:0:0:2]", "http"), ("http://127.1", "host"),
    ("http://0x7f.1", "host"), ("http://0177.0.0.1", "host"), ("http://127.0.0.1@evil", "user"),
    ("http://evil@127.0.0.1", "user"), ("https://a:b@h/", "user"), ("https://@h/", "user"),
    ("https://h:/", "port"), ("https://h:0/", "port"), ("https://h:65536/", "port"), ("https://h:080/", "port"),
    ("https://h:8a/", "port"), ("https://h:-1/", "port"), ("https://h:+1/", "port"), ("https://h:99999999999/", "port"),
    ("https://h:1:2/", "port"), ("https://h\\@evil/", "backslash"), ("https:\\\\h", "backslash"),
    ("https://h/a\\b", "backslash"),
    ("https://h/a b", "whitespace"), (" https://h", "whitespace"), ("https://h\n", "whitespace"),
    ("ht\ttps://h", "whitespace"),
    ("https://h/\0", "whitespace"), ("https://h/\u{7f}", "whitespace"), ("https://höst/", "ASCII"),
    ("https://h/é", "ASCII"),
    ("https://h\u{3002}evil", "ASCII"), ("https://h/#x", "fragment"), ("https://h#", "fragment"),
    ("https://h/%", "path"), ("https://h/%4", "path"), ("https://h/%zz", "path"), ("https://h/<x>", "path"),
    ("https://h/\"", "path"), ("https://h/{id}", "path"), ("https://h/a/../b", "path"), ("https://h/.", "path"),
    ("https://h/%2E%2e/x", "path"), ("https://h/?a=%", "query"), ("https://h/?a=<b>", "query"),
    ("https://h/?a=%2", "query"),
  ]

  @Test(arguments: refused.map(\.text))
  func rejectsInvalidURLAndNamesProblem(_ text: String) throws {
    let word = try #require(WebURLTests.refused.first { $0.text == text }?.word)
    let problem = #expect(throws: WebURLError.self) { try WebURL(parsing: text) }
    #expect(problem?.description.contains(word) == true, "\(problem?.description ?? "accepted")")
  }

  @Test func errorRepeatsNothingOfTheText() {
    let problem = #expect(throws: WebURLError.self) { try WebURL(parsing: "https://user:hunter2@h/?t=hunter2") }
    #expect(problem?.description.contains("hunter2") == false)
  }

  @Test(arguments: ["https://h", "https://h/"])
  func segmentsAreJoinedByOneSlash(_ base: String) throws {
    let url = try WebURL(parsing: base)
    #expect(url.appending("v2", "connections", "a1B2c3D4").wire == "https://h/v2/connections/a1B2c3D4")
    #expect(url.appending().wire == base)
  }

  @Test func segmentIsEncodedAsOneSegment() throws {
    let url = try WebURL(parsing: "https://h/base?x=1,2")
    #expect(url.appending("a/b").path == "/base/a%2Fb")
    #expect(url.appending("..").path == "/base/%2E%2E")
    #expect(url.appending("...").path == "/base/...")
    #expect(url.appending("%2F").path == "/base/%252F")
    #expect(url.appending("?#é😀").path == "/base/%3F%23%C3%A9%F0%9F%98%80")
    #expect(url.appending("a").with([QueryItem("y", "1,2")]).wire == "https://h/base/a?x=1,2&y=1%2C2")
  }

  @Test func changedItemIsEncodedAgain() throws {
    var url = try WebURL(parsing: "https://h/?a=1,2&b=3,4")
    url.query[0].value = "5,6"
    #expect(url.wire == "https://h/?a=5%2C6&b=3,4")
    url.query.remove(at: 0)
    #expect(url.wire == "https://h/?b=3%2C4")
  }

  @Test func anEmptyItemThatIsLeftIsNotWritten() throws {
    var url = try WebURL(parsing: "https://h/p?&a=1")
    url.query.remove(at: 1)
    #expect(url.wire == "https://h/p")
  }

  @Test func secretItemsAreMaskedWhenShown() throws {
    let url = try WebURL(parsing: "https://h/p?a=1").with([
      QueryItem("user_token", "hunter2", isSecret: true), QueryItem("b c", "d"),
    ])
    #expect(url.wire == "https://h/p?a=1&user_token=hunter2&b%20c=d")
    #expect(url.redacted == "https://h/p?a=1&user_token=…&b%20c=d")
  }
}
