import HTTP
import Testing

/// The names of hosts, and plain http for those that a user allowed.
@Suite struct PlainHostsTests {
  @Test(arguments: [
    ("ifttt", "ifttt"), ("IFTTT", "ifttt"), ("a_b.Test", "a_b.test"), ("10.0.0.7", "10.0.0.7"), ("::1", "[::1]"),
    ("[FD00:0:0:0::7]", "[fd00::7]"),
  ])
  func hostsHaveOneSpelling(_ text: String, _ host: String) throws {
    #expect(try HostName(parsing: text).description == host)
  }

  @Test(arguments: [
    "", "ifttt:8080", "[::1]:8080", "*", "*.test", ".test", "a b", "http://ifttt", "ifttt/", "me@ifttt", "10.0.0", "é",
    "[::1", "[ifttt]",
  ])
  func otherTextsAreNoHosts(_ text: String) {
    #expect(throws: WebURLError.self) { try HostName(parsing: text) }
    #expect(throws: WebURLError.self) { try HostName.list(parsing: "ifttt,\(text)") }
  }

  @Test func aListIsSeparatedByCommas() throws {
    #expect(try HostName.list(parsing: "b, A,b").map(\.description).sorted() == ["a", "b"])
  }

  @Test func onlyAllowedHostsGetPlainHTTP() throws {
    let allowed = try HostName.list(parsing: "ifttt,fd00::7")
    for text in ["http://ifttt", "http://IFTTT:8080/x?y", "http://[fd00:0::7]:1", "http://localhost"] {
      #expect(throws: Never.self) { try WebURL(parsing: text, allowing: allowed) }
    }
    for text in ["http://x.ifttt", "http://ifttt.test", "http://10.0.0.7", "http://[fd00::8]"] {
      let error = #expect(throws: WebURLError.self) { try WebURL(parsing: text, allowing: allowed) }
      #expect(error?.plainHost != nil, "\(text)")
    }
    let error = #expect(throws: WebURLError.self) { try WebURL(parsing: "http://ifttt/%") }
    #expect(error?.plainHost == nil, "the host is not the only problem")
  }

  @Test func aURLOfTheSameHostIsAllowed() throws {
    let url = try WebURL(parsing: "http://ifttt:8080", allowing: HostName.list(parsing: "ifttt"))
    #expect(url.isReadableInTransit)
    #expect(throws: Never.self) { try WebURL(parsing: "http://ifttt:1/x", allowing: url.plainHosts) }
    #expect(throws: WebURLError.self) { try WebURL(parsing: "http://other", allowing: url.plainHosts) }
    #expect(try !WebURL(parsing: "http://127.0.0.1").isReadableInTransit)
    #expect(try !WebURL(parsing: "https://ifttt").isReadableInTransit)
  }

  @Test func redirectsObeyTheRule() throws {
    let allowed = try HostName.list(parsing: "ifttt,sandbox")
    let request = Request(.get, try WebURL(parsing: "http://ifttt:8080/a", allowing: allowed))
    func decide(_ location: String, allowing hosts: Set<HostName>) -> RedirectDecision {
      Redirect.decide(
        request, Response(status: 302, headers: [HeaderField("Location", location)]), followed: 0, allowing: hosts)
    }
    func target(_ decision: RedirectDecision) -> String? {
      if case .follow(let next) = decision { next.url.wire } else { nil }
    }
    #expect(target(decide("/b", allowing: allowed)) == "http://ifttt:8080/b")
    #expect(target(decide("http://sandbox/b", allowing: allowed)) == "http://sandbox/b")
    #expect(target(decide("http://other/b", allowing: allowed)) == nil)
    #expect(target(decide("/b", allowing: [])) == nil)
    let secure = Request(.get, try WebURL(parsing: "https://ifttt/a"))
    let response = Response(status: 302, headers: [HeaderField("Location", "http://ifttt/b")])
    #expect(
      Redirect.decide(secure, response, followed: 0, allowing: allowed)
        == .reject("https://ifttt redirects from https to http"))
  }
}
