import HTTP
import IFTTT
import Testing
import Text

/// The page of an Applet (docs/api/applets.md §5).
struct EmbeddedURLTests {
  private func url(_ text: String, at base: String = "https://ifttt.com") throws -> String {
    let page = try EmbeddedURL(text, below: WebURL(parsing: base))
    return page.url(
      userID: "u 1", returningTo: "http://127.0.0.1:1/a?b=1", email: "kai+l@mail.test",
      inviteCode: Secret(parsing: "i&1"), identity: nil
    ).wire
  }

  private let items =
    "user_id=u%201&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fa%3Fb%3D1&email=kai%2Bl%40mail.test&invite_code=i%261"

  @Test func appendsItems() throws {
    #expect(
      try url("https://ifttt.com/embed/lampost/applets/aa") == "https://ifttt.com/embed/lampost/applets/aa?\(items)")
  }

  /// The iOS SDK replaced the query.
  @Test func keepsExistingQuery() throws {
    #expect(try url("https://ifttt.com/access/api/aa?x=%2b&y") == "https://ifttt.com/access/api/aa?x=%2b&y&\(items)")
  }

  @Test func isOpenedOnConfiguredHost() throws {
    let base = "http://127.0.0.1:8080"
    #expect(try url("https://ifttt.com/embed/a/applets/b?x=1", at: base) == "\(base)/embed/a/applets/b?x=1&\(items)")
    #expect(try url("\(base)/embed/a/applets/b", at: base) == "\(base)/embed/a/applets/b?\(items)")
  }

  @Test(arguments: [
    "https://evil.test/embed", "https://ifttt.com.evil.test/", "https://ifttt.com@evil.test/", "javascript:alert(1)",
    "",
    "http://ifttt.com/embed", "http://127.0.0.1:9/embed",
  ])
  func rejectsPageOnAnotherHost(text: String) {
    #expect(throws: WebURLError.self) { try url(text) }
  }

  @Test func unknownItemsAreOmitted() throws {
    let page = try EmbeddedURL("https://ifttt.com/embed/x", below: WebURL(parsing: "https://ifttt.com"))
    #expect(
      page.url(userID: "u", returningTo: "a:b", email: nil, inviteCode: nil, identity: nil).wire
        == "https://ifttt.com/embed/x?user_id=u&redirect_uri=a%3Ab")
  }

  @Test func identityIsAppendedIfGiven() throws {
    let page = try EmbeddedURL("https://ifttt.com/embed/x", below: WebURL(parsing: "https://ifttt.com"))
    let identity = SDKIdentity(version: "1.2", anonymousID: try #require(Secret(parsing: "0A-1")))
    #expect(
      page.url(userID: "u", returningTo: "a:b", email: nil, inviteCode: Secret(parsing: "i"), identity: identity).wire
        == "https://ifttt.com/embed/x?user_id=u&redirect_uri=a%3Ab&invite_code=i&ifttt_sdk_version=1.2"
        + "&ifttt_sdk_platform=ifttt-cli&ifttt_sdk_anonymous_id=0A-1")
  }
}
