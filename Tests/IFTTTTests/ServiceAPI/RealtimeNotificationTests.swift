import HTTP
import IFTTT
import JSON
import Testing
import Text
import World

/// The requests to the Realtime API and to the Webhooks service (docs/api/service.md §9 and §11).
@Suite struct RealtimeNotificationTests {
  private struct Ones: RandomBytes {
    func bytes(_ count: Int) -> [UInt8] { Array(repeating: 1, count: count) }
  }

  @Test func aNotificationHasExactlyTheDocumentedForm() throws {
    let key = try #require(Secret(parsing: "service-key-0123456789-abcdef"))
    let request = RealtimeNotification.request(
      [.user("u-5521"), .triggerIdentity("7d1f\"0c93")], to: try WebURL(parsing: "https://realtime.ifttt.com"),
      key: key, id: RequestID(Ones()))
    #expect(request.method == .post && request.url.wire == "https://realtime.ifttt.com/v1/notifications")
    #expect(request.header("IFTTT-Service-Key") == key.revealed)
    #expect(request.header("Content-Type") == "application/json")
    #expect(request.header("X-Request-ID") == "01010101010101010101010101010101")
    #expect(
      String(decoding: request.body ?? [], as: UTF8.self)
        == #"{"data":[{"user_id":"u-5521"},{"trigger_identity":"7d1f\"0c93"}]}"#)
    #expect(request.isRepeatable)
    #expect(request.secrets == [key])
  }

  @Test(arguments: ["door_opened", "A1", "_"]) func eventsHaveLettersDigitsAndUnderscores(_ name: String) {
    #expect(WebhookEventName(parsing: name)?.description == name)
  }

  @Test(arguments: ["", "a b", "a-b", "a/b", "é", "a.b", "..", "a\n"]) func otherEventsAreRejected(_ name: String) {
    #expect(WebhookEventName(parsing: name) == nil)
  }

  private func request(_ content: WebhookEvent.Content) throws -> Request {
    let name = try #require(WebhookEventName(parsing: "door"))
    let key = try #require(Secret(parsing: "kEy-0123456789_abcdefghijklmn"))
    return WebhookEvent(name, content).request(to: try WebURL(parsing: "https://maker.ifttt.com"), key: key)
  }

  @Test func anEventWithoutValuesHasNoBody() throws {
    let request = try request(.values([nil, nil, nil]))
    #expect(request.url.wire == "https://maker.ifttt.com/trigger/door/with/key/kEy-0123456789_abcdefghijklmn")
    #expect(request.body == [] && request.header("Content-Type") == nil)
    #expect(!request.isRepeatable)
  }

  @Test func onlyTheGivenValuesAreSent() throws {
    let request = try request(.values(["", nil, "a\"b"]))
    #expect(String(decoding: request.body ?? [], as: UTF8.self) == #"{"value1":"","value3":"a\"b"}"#)
    #expect(request.header("Content-Type") == "application/json")
  }

  @Test func jsonIsSentAsGiven() throws {
    let request = try request(.json(Array(#" {"n":1.50}"#.utf8)))
    #expect(request.url.wire.hasSuffix("/trigger/door/json/with/key/kEy-0123456789_abcdefghijklmn"))
    #expect(request.body == Array(#" {"n":1.50}"#.utf8))
  }

  @Test func theKeyIsMaskedInTheURL() throws {
    let request = try request(.values([]))
    #expect(request.url.redacted == "https://maker.ifttt.com/trigger/door/with/key/kEy-…klmn")
  }
}
