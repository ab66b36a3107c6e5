import HTTP
import Testing
import Text

/// The redirects that are followed, and the requests they lead to.
@Suite struct RedirectTests {
  let token: Secret
  init() throws { token = try #require(Secret(parsing: "a-token")) }

  func decide(
    _ method: Method = .get, _ url: String = "https://a.example/x", status: Int = 302, to location: String? = "/y",
    headers: [Header] = [], body: [UInt8]? = nil, isRepeatable: Bool? = nil, followed: Int = 0
  ) throws -> RedirectDecision {
    let request = Request(method, try WebURL(parsing: url), headers: headers, body: body, isRepeatable: isRepeatable)
    let fields = location.map { [HeaderField("location", $0)] } ?? []
    return Redirect.decide(request, Response(status: status, headers: fields), followed: followed)
  }

  func next(_ decision: RedirectDecision) -> Request? { if case .follow(let next) = decision { next } else { nil } }
  func rejection(_ decision: RedirectDecision) -> String? { if case .reject(let why) = decision { why } else { nil } }

  @Test(arguments: [200, 204, 300, 304, 305, 306, 400, 404, 500])
  func otherStatusesAreNotRedirects(_ status: Int) throws {
    #expect(try decide(status: status) == .notRedirect)
  }

  @Test(arguments: [301, 302, 303, 307, 308], [Method.get, .head])
  func readsAreFollowed(_ status: Int, _ method: Method) throws {
    let next = try #require(next(try decide(method, status: status)))
    #expect(next.url.wire == "https://a.example/y")
    #expect(next.method == method)
  }

  @Test(arguments: [301, 302, 303, 307, 308], [Method.post, .put, .patch, .delete])
  func writesKeepTheirMethodOrAreRejected(_ status: Int, _ method: Method) throws {
    let body = Array("{}".utf8)
    #expect(rejection(try decide(method, status: status, body: body)) != nil)
    let repeatable = try decide(method, status: status, body: body, isRepeatable: true)
    if status == 307 || status == 308 {
      #expect(next(repeatable)?.body == body)
      #expect(next(repeatable)?.method == method)
    } else {
      #expect(rejection(repeatable)?.contains("\(method.rawValue) with redirect \(status)") == true)
    }
    let elsewhere = try decide(method, status: status, to: "https://b.example/", body: body, isRepeatable: true)
    #expect(rejection(elsewhere) != nil)
  }

  @Test func followsUpToFiveRedirects() throws {
    #expect(next(try decide(followed: 4)) != nil)
    #expect(rejection(try decide(followed: 5))?.contains("more than 5") == true)
  }

  @Test func rejectsRedirectFromHTTPSToHTTP() throws {
    #expect(rejection(try decide(to: "http://127.0.0.1/"))?.contains("from https to http") == true)
    #expect(rejection(try decide(to: "http://b.example/")) != nil)
    #expect(next(try decide(.get, "http://127.0.0.1/x", to: "https://b.example/")) != nil)
    #expect(next(try decide(.get, "http://127.0.0.1/x", to: "http://localhost/")) != nil)
  }

  @Test func rejectsMissingOrUnsafeLocation() throws {
    #expect(rejection(try decide(to: nil))?.contains("without a Location header") == true)
    #expect(rejection(try decide(to: "https://user:hunter2@b.example/"))?.contains("hunter2") == false)
  }

  @Test(arguments: [
    ("https://b.example/y", false), ("https://a.example:8443/y", false), ("https://a.example.b.example/y", false),
    ("https://a.example/y", true), ("https://A.EXAMPLE:443/y", true), ("/y", true), ("//a.example/y", true),
    ("//b.example/y", false),
  ])
  func credentialsAreSentToSameOriginOnly(_ location: String, _ together: Bool) throws {
    let headers = [
      Header("X-Key", secret: token), Header("X-Plain", "text"), Header("authorization", "Basic x"),
      Header("Cookie", "c"),
    ]
    let next = try #require(next(try decide(to: location, headers: headers)))
    #expect(next.headers.map(\.name) == (together ? headers.map(\.name) : ["X-Plain"]))
  }

  @Test func credentialsInTheNewURLAreMaskedOrDropped() throws {
    let url = try WebURL(parsing: "https://a.example/x").with([QueryItem("user_token", "a-token", isSecret: true)])
    let request = Request(.get, url, headers: [Header("X-Key", secret: try #require(Secret(parsing: "a-key")))])
    func redirected(_ location: String) throws -> Request? {
      next(
        Redirect.decide(
          request, Response(status: 302, headers: [HeaderField("Location", location)]), followed: 0))
    }
    let query = "user_token=new&again=a-token&key=a-key&a=1,2"
    let same = try #require(try redirected("/y?\(query)"))
    #expect(same.url.wire == "https://a.example/y?\(query)")
    #expect(same.url.redacted == "https://a.example/y?user_token=…&again=…&key=…&a=1,2")
    let other = try #require(try redirected("https://b.example/y?\(query)"))
    #expect(other.url.query == [QueryItem("a", "1,2")])
    #expect(other.secrets.isEmpty)
  }
}
