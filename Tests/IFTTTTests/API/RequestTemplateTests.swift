import HTTP
import IFTTT
import Testing
import Text

struct RequestTemplateTests {
  private let secret: Secret
  private let base: WebURL

  init() throws {
    secret = try #require(Secret(parsing: "Zq8v_T2mLr-5YpWc0NdXs7KhGb3JtE9uFa6RiOxQ1lDyVwBk"))
    base = try WebURL(parsing: "https://connect.example:8443")
  }

  @Test func eachLevelSendsOnlyItsOwnHeader() {
    let token = secret.revealed
    #expect(wire(.anonymous) == ["Accept: application/json"])
    #expect(wire(.user(secret)) == ["Accept: application/json", "Authorization: Bearer \(token)"])
    #expect(wire(.service(secret, userID: nil)) == ["Accept: application/json", "IFTTT-Service-Key: \(token)"])
    #expect(wire(.service(secret, userID: "u")) == ["Accept: application/json", "IFTTT-Service-Key: \(token)"])
  }

  @Test func inviteCodeIsSentWithEveryRequest() {
    for authentication in [.anonymous, .user(secret), .service(secret, userID: nil)] as [Authentication] {
      let template = RequestTemplate(
        base: base, authentication: authentication, inviteCode: Secret(parsing: "21790-7d53f"))
      #expect(template.get(["v2", "me"]).header("ifttt-invite-code") == "21790-7d53f")
      #expect(template.post(["v2"], isRepeatable: false).header("IFTTT-Invite-Code") == "21790-7d53f")
    }
  }

  @Test func userOfServiceKeyIsInQueryOfGet() {
    let template = template(.service(secret, userID: "u 5&5=ü"))
    #expect(
      template.get(["v2", "me"], query: [QueryItem("a", "1")]).url.wire
        == "https://connect.example:8443/v2/me?a=1&user_id=u%205%265%3D%C3%BC")
    #expect(template.post(["v2", "x"], isRepeatable: false).url.wire == "https://connect.example:8443/v2/x")
    #expect(self.template(.service(secret, userID: nil)).get(["v2", "me"]).url.query.isEmpty)
  }

  @Test func credentialsAreMaskedInDescriptions() {
    #expect(!String(describing: template(.user(secret)).get(["v2"])).contains(secret.revealed))
    #expect(!String(reflecting: template(.service(secret, userID: nil)).get(["v2"])).contains(secret.revealed))
  }

  @Test func postIsEmptyAndStatesIdempotence() {
    let post = template(.anonymous).post(["v2", "a b"], isRepeatable: true)
    #expect(post.method == .post)
    #expect(post.body == [])
    #expect(post.isRepeatable)
    #expect(post.header("Content-Type") == nil)
    #expect(post.url.wire == "https://connect.example:8443/v2/a%20b")
    #expect(!template(.anonymous).post(["v2"], isRepeatable: false).isRepeatable)
    #expect(template(.anonymous).get(["v2"]).isRepeatable)
  }

  private func template(_ authentication: Authentication) -> RequestTemplate {
    RequestTemplate(base: base, authentication: authentication, inviteCode: nil)
  }

  private func wire(_ authentication: Authentication) -> [String] {
    template(authentication).get(["v2"]).headers.map { "\($0.name): \($0.wire)" }
  }
}
