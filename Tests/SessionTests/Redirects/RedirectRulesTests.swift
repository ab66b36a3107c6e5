import ProgramDriver
import Support
import Testing

@testable import Session

/// Which browser requests and pasted URLs are the expected redirect.
@Suite struct RedirectRulesTests {
  private let rules: RedirectRules
  private let address = "http://127.0.0.1:4711/callback"

  init() throws {
    rules = RedirectRules(
      address: try #require(RedirectAddress(parsing: address)), state: "s-1", issuer: "https://id.test")
  }

  @Test(arguments: [
    "?code=c&state=s-1", "?state=s-1&error=access_denied", "?code=c&state=%73-1&scope=a+b",
    "?code=c&state=s-1&iss=https%3A%2F%2Fid.test", "?code=a%20b&state=s-1#", "?code=c&state=s-1#_=_",
    "?&state=s-1&scope=1&scope=2",
  ])
  func theExpectedRedirectIsAcceptedUnchanged(_ rest: String) {
    let query = String(rest.dropFirst().prefix { $0 != "#" })
    #expect(rules.evaluate(address + rest) == .accepted(query: query))
    // The part after the address is accepted as well.
    #expect(rules.evaluate(rest) == .accepted(query: query))
    #expect(rules.evaluate("HTTP://127.0.0.1:4711/callback" + rest) == .accepted(query: query))
  }

  @Test(arguments: [
    ("http://127.0.0.1:4711/callback?code=c&state=s-2", RedirectRules.Mismatch.state),
    ("http://127.0.0.1:4711/callback?code=c&state=s-", .state),
    ("http://127.0.0.1:4711/callback?code=c&state=", .state), ("http://127.0.0.1:4711/callback?code=c", .state),
    ("http://127.0.0.1:4711/callback", .state), ("?", .state),
    ("http://127.0.0.1:4711/other?code=c&state=s-1", .elsewhere),
    ("http://127.0.0.1:4711/Callback?code=c&state=s-1", .elsewhere),
    ("http://127.0.0.1:4712/callback?code=c&state=s-1", .elsewhere),
    ("http://127.0.0.1/callback?code=c&state=s-1", .elsewhere),
    ("https://127.0.0.1:4711/callback?code=c&state=s-1", .elsewhere),
    ("http://localhost:4711/callback?code=c&state=s-1", .elsewhere),
    ("http://u@127.0.0.1:4711/callback?code=c&state=s-1", .elsewhere),
    ("http://127.0.0.1:4711@evil.test/callback?code=c&state=s-1", .elsewhere),
    ("http://127.0.0.1:4711/callback/?code=c&state=s-1", .elsewhere),
    ("http://127.0.0.1:4711/callback#code=c&state=s-1", .inFragment),
    ("http://127.0.0.1:4711/callback?state=s-1#code=c", .malformed),
    ("http://127.0.0.1:4711/callback?code=a&code=b&state=s-1", .repeated),
    ("http://127.0.0.1:4711/callback?code=a&state=s-1&state=s-2", .repeated),
    ("http://127.0.0.1:4711/callback?code=a&state=s-1&c%6fde=b", .repeated),
    ("http://127.0.0.1:4711/callback?error=a&state=s-1&error=b", .repeated),
    ("http://127.0.0.1:4711/callback?code=a&state=s-1&iss=x&iss=x", .repeated),
    ("http://127.0.0.1:4711/callback?code=%4&state=s-1", .malformed),
    ("http://127.0.0.1:4711/callback?code=%zz&state=s-1", .malformed),
    ("http://127.0.0.1:4711/callback?code=%ff&state=s-1", .malformed),
    ("http://127.0.0.1:4711/callback?code=ü&state=s-1", .malformed),
    ("http://127.0.0.1:4711/callback?code=a b&state=s-1", .malformed), ("", .state),
  ])
  func otherURLsAreRejectedWithAReason(_ text: String, _ mismatch: RedirectRules.Mismatch) {
    #expect(rules.evaluate(text) == .refused(mismatch))
  }

  @Test func overlongURLsAreRejected() {
    let long = address + "?state=s-1&code=" + String(repeating: "x", count: 16 << 10)
    #expect(rules.evaluate(long) == .refused(.malformed))
  }

  @Test func aDifferentIssuerIsAMixUp() {
    #expect(rules.evaluate("?code=c&state=s-1&iss=https%3A%2F%2Fevil.test") == .otherIssuer)
    // The issuer is ignored if none is expected.
    let without = RedirectRules(address: rules.address, state: "s-1", issuer: nil)
    #expect(without.evaluate("?code=c&state=s-1&iss=x") == .accepted(query: "code=c&state=s-1&iss=x"))
  }

  @Test(arguments: [
    ("myapp://callback", "myapp://callback/?state=s-1"),
    ("com.test.app:/signed-in", "com.test.app:/signed-in?state=s-1"),
  ])
  func customSchemesAreAccepted(_ address: String, _ text: String) throws {
    let rules = RedirectRules(address: try #require(RedirectAddress(parsing: address)), state: "s-1", issuer: nil)
    #expect(rules.evaluate(text) == .accepted(query: "state=s-1"))
    #expect(rules.evaluate("myapp2://callback?state=s-1") == .refused(.elsewhere))
  }

  @Test(arguments: [
    ("http://127.0.0.1:0/callback", 0), ("http://127.0.0.1/callback", 0), ("http://127.0.0.1:65535/", 65535),
    ("http://[::1]:8080/x", 8080), ("http://localhost:8080/x", 8080), ("http://LocalHost/x", 0),
  ])
  func loopbackURLsSupportListening(_ text: String, _ port: Int) {
    #expect(RedirectAddress(parsing: text)?.loopback?.port == port)
  }

  @Test(arguments: [
    "http://localhost.evil.test:1/", "http://127.0.0.1.evil.test:1/", "http://127.0.0.1:99999/", "https://127.0.0.1:1/",
    "http://0.0.0.0:1/", "http://127.0.0.1:1x/", "http://127.0.0.1:-1/", "127.0.0.1:1",
  ])
  func otherURLsDoNotSupportListening(_ text: String) { #expect(RedirectAddress(parsing: text)?.loopback == nil) }
}
