import CommandLine
import HTTP
import JSON
import Store
import Testing
import World

@testable import DeveloperCommands

@Suite struct WebhookSelectionTests {
  @Test(arguments: [
    "/ifttt/v1/webhooks/connection/enabled", "/api/ifttt/v1/webhooks/connection/enabled?x=/y",
    "//ifttt/v1/webhooks/connection/enabled",
  ])
  func acceptsAnyPrefix(_ target: String) {
    let path = WebhookPath(target: target)
    #expect(path?.type == "connection" && path?.event == "enabled")
  }

  @Test(arguments: [
    "/", "/ifttt/v1/webhooks", "/ifttt/v1/webhooks/connection", "/ifttt/v1/webhooks/connection/enabled/",
    "/ifttt/v1/webhooks/connection/enabled/x", "/ifttt/v2/webhooks/connection/enabled", "ifttt/v1/webhooks/a/b",
    "/ifttt/v1/webhooks//enabled", "/ifttt/v1/webhooks/a%2Fb/c", "/ifttt/v1/webhooks/../x", "/x?/ifttt/v1/webhooks/a/b",
    "/ifttt/v1/webhooks/a/\(String(repeating: "x", count: 101))",
  ])
  func rejectsOtherPaths(_ target: String) { #expect(WebhookPath(target: target) == nil) }

  @Test func aSelectionIsATypeAnEventOrBoth() throws {
    let kind = ValueKind<WebhookFilter>.webhookType
    #expect(try kind.parse("connection") == WebhookFilter(type: "connection"))
    #expect(try kind.parse("fired") == WebhookFilter(event: "fired"))
    #expect(try kind.parse("connection/renamed") == WebhookFilter(type: "connection", event: "renamed"))
    for text in ["", "enbled", "connection/", "/enabled", "a/b/c", "connection/ena bled"] {
      #expect(throws: ValueError.self) { try kind.parse(text) }
    }
    #expect(WebhookFilter(type: "a").matches(type: "a", event: "b"))
    #expect(!WebhookFilter(type: "a", event: "c").matches(type: "a", event: "b"))
  }

  @Test func bindsOnlyToIPAddresses() {
    #expect(BindAddress(parsing: "0.0.0.0")?.isLoopback == false)
    #expect(BindAddress(parsing: "127.0.0.2")?.isLoopback == true)
    #expect(BindAddress(parsing: "::1")?.isLoopback == true)
    #expect(BindAddress(parsing: "::")?.url(port: 80) == "http://[::]:80")
    #expect(BindAddress(parsing: "0:0:0:0:0:0:0:1")?.isLoopback == true)
    for text in ["", "localhost", "127.1", "1.2.3.4:80", "[::1]", "1.2.3.4/x", "evil.test"] {
      #expect(BindAddress(parsing: text) == nil, "\(text)")
    }
  }

  @Test func readsMembersLeniently() {
    func contents(_ text: String) -> WebhookContents { WebhookContents(Array(text.utf8)) }
    let fired = contents(
      #"{"sent_at":1772646200411,"new":[1],"data":{"user_id":5521,"connection_id":"Kd7Rn2Qx","trigger_id":"l.t"},"#
        + #""event_data":{"ingredients":{"OccurredAt":"May"}}}"#)
    #expect(fired.userID == "5521" && fired.connectionID == "Kd7Rn2Qx" && fired.triggerID == "l.t")
    #expect(fired.sentAt?.rfc3339 == "2026-03-04T17:43:20Z")
    #expect(fired.ingredients?.text == #"{"OccurredAt":"May"}"#)
    for text in [
      "{}", "[]", #"{"data":[],"event_data":"x","sent_at":"soon"}"#,
      #"{"sent_at":1e300,"event_data":{"ingredients":[]}}"#,
      #"{"sent_at":-1,"data":{"user_id":"","connection_id":null}}"#,
    ] {
      let empty = contents(text)
      #expect(empty.userID == nil && empty.connectionID == nil && empty.ingredients == nil && empty.sentAt == nil)
    }
    #expect(contents(#"{"sent_at":"1772646200411"}"#).sentAt != nil)
  }

  @Test func aLineHasNoControlCharacters() {
    let webhook = ReceivedWebhook(
      receivedAt: .init(milliseconds: 0), type: "trigger_subscription", event: "fired", requestID: nil, headers: [],
      body: Array(
        #"{"data":{"user_id":"a\u001b[31m\n\u202eb"},"event_data":{"ingredients":{"\u0007":"x","N":{"a":1}}}}"#.utf8))
    let row = WebhookRow(StoredWebhook(number: 7, webhook: webhook, isRepeated: false, forwarding: nil))
    #expect(
      row.line
        == #"1970-01-01T00:00:00Z  7  trigger_subscription/fired  user a\u{1b}[31m\n\u{202e}b  \u{7}=x  N={"a":1}"#)
  }
}
