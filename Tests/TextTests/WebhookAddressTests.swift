import Testing
import Text

/// The key in the addresses of the Webhooks service.
@Suite struct WebhookAddressTests {
  private func key(_ text: String, _ hosts: WebhookAddress.Hosts = .any) -> String? {
    let bytes = Array(text.utf8)
    return WebhookAddress.firstKey(in: bytes, hosts: hosts).map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  @Test(arguments: [
    "https://maker.ifttt.com/use/aB3_-x", "maker.ifttt.com/use/aB3_-x?lang=en", "HTTPS://MAKER.IFTTT.COM/USE/aB3_-x",
    "https://maker.ifttt.com/trigger/door/with/key/aB3_-x", "http://127.0.0.1:8080/trigger/a/json/with/key/aB3_-x/",
    "see <https://maker.ifttt.com/use/aB3_-x>", "/with/key/aB3_-x#top", "curl -X POST \"x/with/key/aB3_-x\"",
  ])
  func isFoundInEveryAddress(_ text: String) {
    #expect(key(text) == "aB3_-x")
    #expect(key(text, .ifttt) == "aB3_-x")
  }

  @Test(arguments: [
    "", "/", "/use/", "/with/key/", "https://maker.ifttt.com/trigger/door/with/key/", "with/key/abc", "/use",
    "https://ifttt.com/maker_webhooks/settings", "https://maker.ifttt.com/trigger/{event}/with/key/{key}",
  ])
  func isAbsentElsewhere(_ text: String) { #expect(key(text) == nil) }

  @Test func thePageCountsOnAnyHostOnlyIfRequested() {
    for text in ["/use/abc", "https://example.com/use/abc", "/opt/use/abc"] {
      #expect(key(text) == "abc")
      #expect(key(text, .ifttt) == nil)
    }
  }

  @Test func onlyTheBeginningIsSearched() {
    let bytes = Array("xx/use/abc".utf8)
    #expect(WebhookAddress.firstKey(in: bytes, before: 2) == nil)
    #expect(WebhookAddress.firstKey(in: bytes, before: 3) == 7..<10)
  }
}
