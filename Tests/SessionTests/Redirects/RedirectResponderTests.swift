import HTTP
import Testing

@testable import Session

/// The requests of a browser while a redirect is awaited.
@Suite struct RedirectResponderTests {
  private final class Order {
    var isKnown: Bool?
  }

  /// The waiting thread closes the server once the page is shown. If it were notified before the page is owed, it would
  /// close the server before the browser asks for the page.
  @Test func thePageIsOwedBeforeTheWaitingThreadIsNotified() throws {
    let result = try ResultPage()
    let order = Order()
    let responder = RedirectResponder(at: "/callback", unexpected: .text(404, "unexpected"), result: result) { _ in
      .accepted(.text(200, "done")) { order.isKnown = result.isKnown }
    }
    let redirect = responder.respond(to: ReceivedRequest(method: "GET", target: "/callback?code=c"))
    #expect(redirect.status == 303 && order.isKnown == true)
    #expect(responder.respond(to: ReceivedRequest(method: "GET", target: "/callback")).status == 200)
    // Nothing is owed any more.
    result.waitUntilRequested()
  }
}
