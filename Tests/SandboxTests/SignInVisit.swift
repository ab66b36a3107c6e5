import Foundation
import HTTP
import JSON
import Sandbox
import Testing

/// A browser in an activation with a real sign-in at the service, and the service's page, which the test stands in for.
struct SignInVisit {
  var session: RuntimeSession
  private(set) var shown = Response(status: 0)
  /// The path and query to which the form of the page is submitted.
  private(set) var action = ""

  static let authorizeURL = "https://lamps.test/oauth?brand=1"
  static let access = "/access/api/C1?sdk_return_to=http%3A%2F%2F127.0.0.1%3A9%2Fr&email="

  /// - Parameter hasPage: Whether people sign in on the service's page. Otherwise, only codes are exchanged.
  init(hasPage: Bool = true, entropy: [UInt8] = Array(0..<32)) throws {
    let page = try hasPage ? WebURL(parsing: Self.authorizeURL) : nil
    session = try RuntimeSession { rules in
      rules.signIn = SignInRules(clientID: "ifttt-id", authorizeURL: page, entropy: entropy)
    }
    for (code, id, name) in [
      ("code-kai", "kai-1", "Kai"), ("code-mira", "mira-7", "Mira"), ("code-kai-2", "kai-1", "Kai"),
    ] {
      session.codes[code] = ["id": .string(id), "name": .string(name)]
    }
  }

  var html: String { String(decoding: shown.body, as: UTF8.self) }
  var step: String? { Browser.inputs(in: html).first { $0.name == "step" }?.value }
  var location: String? { shown.header("Location") }

  @discardableResult
  mutating func open(_ target: String) -> Response {
    show(session.browse(target))
    return shown
  }

  /// Submit the first form of the page.
  @discardableResult
  mutating func press(_ button: (String, String) = ("do", "go"), typing: [String: String] = [:]) -> Response {
    var items = Browser.inputs(in: html.components(separatedBy: "</form>")[0]).filter { typing[$0.name] == nil }
    items += typing.map { QueryItem($0.key, $0.value) } + [QueryItem(button.0, button.1)]
    show(session.browse(action, form: items))
    return shown
  }

  private mutating func show(_ response: Response) {
    shown = response
    for tag in html.split(separator: "<").map(String.init) where tag.hasPrefix("form ") {
      action = Browser.attribute("action", of: tag) ?? ""
      return
    }
  }

  /// Go to the service's page.
  /// - Returns: The parameters of its URL.
  mutating func startSignIn(_ email: String = "kai@mail.test", _ rest: String = "") throws -> [String: String] {
    open(Self.access + email + rest)
    press()
    try #require(step == "service")
    press()
    try #require(shown.status == 303)
    let url = try #require(location.flatMap { URLComponents(string: $0) })
    let items = try #require(url.queryItems)
    #expect(items.count == 6 && url.host == "lamps.test")
    return Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") })
  }

  /// Redirect the browser back from the service.
  @discardableResult
  mutating func callBack(_ query: String, service: String = "lamps") -> Response {
    open("/channels/\(service)/authorize?\(query)")
  }

  /// Sign in with a code and enable the connection.
  /// - Returns: The user token of the redirect.
  @discardableResult
  mutating func activate(_ email: String, code: String) throws -> String {
    let state = try #require(try startSignIn(email)["state"])
    callBack("code=\(code)&state=\(state)")
    return try finish()
  }

  /// Fill in the configuration and connect.
  mutating func finish() throws -> String {
    try #require(step == "configuration", "\(html)")
    press(typing: ["c.0.triggers0.0": "hall", "c.0.actions0.0": "Note"])
    try #require(step == "connect", "\(html)")
    press()
    let location = try #require(location, "\(html)")
    let start = "http://127.0.0.1:9/r?next_step=complete&user_token="
    try #require(location.hasPrefix(start), "\(location)")
    return String(location.dropFirst(start.count))
  }

  /// The users of the service, as its key sees the connection.
  mutating func status(of user: String) -> String? {
    session.ask(.get, "/v2/connections/C1?user_id=\(user)", [RuntimeSession.key])?.json["user_status"]?.string
  }

  /// The exchanged codes.
  var exchanges: [TokenGrant] { session.sent.compactMap(\.call.grant) }
}
