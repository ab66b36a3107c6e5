import HTTP
import IFTTT
import Testing

struct RedirectURITests {
  @Test(arguments: [
    ("http://127.0.0.1:47823/ifttt/return", RedirectURI.Kind.loopback(host: "127.0.0.1", port: 47823)),
    ("http://localhost/back", .loopback(host: "localhost", port: nil)),
    ("HTTP://[::1]:8080/x?a=1", .loopback(host: "[::1]", port: 8080)),
    ("https://lampost.test/ifttt/return", .elsewhere), ("lampost://done?a=1&b=2", .elsewhere),
    ("com.lampost.app:/done", .elsewhere), ("lampost:done", .elsewhere),
  ])
  func acceptsURIAsWritten(text: String, kind: RedirectURI.Kind) throws {
    let address = try RedirectURI(parsing: text)
    #expect(address.text == text)
    #expect(address.kind == kind)
  }

  @Test(arguments: [
    "", "done", "//done", "http://lampost.test/x", "ftp ://x", "lampost://done#f", "lampost://do ne", "lampost://dö",
    "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "lampost://kai@done", "https://kai@done.test/",
    "lampost://done?a=%zz", "lampost://done?%=1", "http://127.0.0.1:0/", "lamp\u{1b}ost://done",
  ])
  func rejectsURIWithoutARecognizableRedirect(text: String) {
    #expect(throws: WebURLError.self) { try RedirectURI(parsing: text) }
  }

  @Test(arguments: [
    ("lampost://done", "lampost://done?nonce=x1"), ("lampost://done?a=1", "lampost://done?a=1&nonce=x1"),
    ("lampost://done?", "lampost://done?nonce=x1"), ("lampost:done", "lampost:done?nonce=x1"),
  ])
  func itemCanBeAdded(text: String, longer: String) throws {
    let address = try RedirectURI(parsing: text).expecting("nonce", "x1")
    #expect(address.text == longer)
    #expect(try RedirectURI(parsing: longer) == address)
  }
}
