import HTTP
import IFTTT
import Testing
import Text

struct AppletsRequestsTests {
  private let key: Secret
  private let base: WebURL
  private let service: ServiceSlug

  init() throws {
    key = try #require(Secret(parsing: "a-key-0123456789-0123456789"))
    base = try WebURL(parsing: "https://api.ifttt.com")
    service = try #require(ServiceSlug(parsing: "lampost"))
  }

  @Test func requestsWholeList() {
    #expect(
      wire(client(.anonymous).list(order: nil, platform: nil).request) == [
        "GET https://api.ifttt.com/v1/services/lampost/applets", "Accept: application/json",
      ])
  }

  @Test(arguments: [
    (AppletsClient.Order.publishedAscending, "published_at_asc"), (.publishedDescending, "published_at_desc"),
    (.enabledAscending, "enabled_count_asc"), (.enabledDescending, "enabled_count_desc"),
  ])
  func requestsEachOrder(order: AppletsClient.Order, word: String) {
    #expect(
      client(.anonymous).list(order: order, platform: nil).request.url.wire
        == "https://api.ifttt.com/v1/services/lampost/applets?order=\(word)")
  }

  @Test func combinesOrderPlatformAndUser() {
    #expect(
      wire(client(.service(key, userID: "u-5521")).list(order: .enabledDescending, platform: .android).request) == [
        "GET https://api.ifttt.com/v1/services/lampost/applets?order=enabled_count_desc&platform=android&user_id=u-5521",
        "Accept: application/json", "IFTTT-Service-Key: \(key.revealed)",
      ])
    #expect(client(.user(key)).list(order: nil, platform: .ios).request.url.query == [QueryItem("platform", "ios")])
  }

  @Test func requestsOneApplet() throws {
    let id = try #require(AppletID(parsing: "mB3x q7T"))
    #expect(
      wire(client(.user(key)).show(id).request) == [
        "GET https://api.ifttt.com/v1/services/lampost/applets/mB3x%20q7T", "Accept: application/json",
        "Authorization: Bearer \(key.revealed)",
      ])
  }

  @Test(arguments: ["", ".", "..", "a/b", "a?b", "a#b", "a\u{0}"])
  func rejectsInvalidIDOrSlug(text: String) {
    #expect(AppletID(parsing: text) == nil)
    #expect(ServiceSlug(parsing: text) == nil)
  }

  private func client(_ authentication: Authentication) -> AppletsClient {
    AppletsClient(
      caller: .unconnected(RequestTemplate(base: base, authentication: authentication, inviteCode: nil)),
      service: service)
  }

  private func wire(_ request: Request) -> [String] {
    ["\(request.method.rawValue) \(request.url.wire)"] + request.headers.map { "\($0.name): \($0.wire)" }
  }
}
