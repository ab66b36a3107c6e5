import HTTP
@testable import IFTTT
import JSON
import Support
import Testing
import Text

/// The requests, byte for byte, at each level of authentication.
struct ConfigurationRequestsTests {
  private let key: Secret
  private let id: ConnectionID
  private let base: WebURL

  init() throws {
    key = try #require(Secret(parsing: "a-key-of-the-tests-0123456789"))
    id = try #require(ConnectionID(parsing: "cc"))
    base = try WebURL(parsing: "https://connect.ifttt.com")
  }

  private func client(_ authentication: Authentication? = nil, base other: String? = nil) throws -> ConnectClient {
    ConnectClient(
      caller: .unconnected(
        RequestTemplate(
          base: try other.map { try WebURL(parsing: $0) } ?? base,
          authentication: authentication ?? .service(key, userID: "u 1"), inviteCode: nil)))
  }

  private func text(_ request: Request) -> String {
    let body = request.body.map { " \(String(decoding: $0, as: UTF8.self))" } ?? ""
    return "\(request.method.rawValue) \(request.url.wire)\(body)"
  }

  private func step(_ url: String?, kind: ConfigurationStep.Kind = .action) -> ConfigurationStep {
    ConfigurationStep(kind: kind, featureID: "ft", stepID: "a1", typeID: "tides.add", optionsURL: url)
  }

  @Test func optionsURLComesFromConnection() throws {
    let given = "https://connect.ifttt.com/v2/connections/cc/features/ft/actions/tides.add/field_options"
    #expect(text(try client().fieldOptions(step(given), of: id).request) == "GET \(given)?user_id=u%201")
    #expect(text(try client(.user(key)).fieldOptions(step(given), of: id).request) == "GET \(given)")
    #expect(text(try client().fieldOptions(step(given + "?a=b"), of: id).request) == "GET \(given)?a=b&user_id=u%201")
  }

  @Test func optionsURLIsBuiltIfMissing() throws {
    #expect(
      text(try client().fieldOptions(step(nil), of: id).request)
        == "GET https://connect.ifttt.com/v2/connections/cc/actions/tides.add/field_options?user_id=u%201")
    let feature = ConfigurationStep(kind: .feature, featureID: "ft", stepID: nil, typeID: "ft", optionsURL: nil)
    #expect(
      text(try client(.user(key)).fieldOptions(feature, of: id).request)
        == "GET https://connect.ifttt.com/v2/connections/cc/features/ft/field_options")
    #expect(
      text(try client(.user(key)).fieldOptions(step(nil, kind: .query), of: id).request).hasSuffix(
        "/queries/tides.add/field_options"))
  }

  /// A credential is sent only to the host of the base URL, and there only to paths of this connection.
  @Test(arguments: [
    "https://evil.test/v2/connections/cc/actions/tides.add/field_options",
    "https://connect.ifttt.com:444/v2/connections/cc/x", "https://connect.ifttt.com.evil.test/v2/connections/cc/x",
    "https://connect.ifttt.com@evil.test/v2/connections/cc/x", "https://connect.ifttt.com/v2/connections/ccc/x",
    "https://connect.ifttt.com/v2/connections/cc/../dd/x", "https://connect.ifttt.com/v2/connections/cc/%2e%2e/dd/x",
    "https://connect.ifttt.com/v2/connections/cc", "http://connect.ifttt.com/v2/connections/cc/x",
    "/v2/connections/cc/x",
    "", "javascript:alert(1)",
  ]) func rejectsOptionsURLElsewhere(address: String) throws {
    #expect(
      text(try client(.user(key)).fieldOptions(step(address), of: id).request)
        == "GET https://connect.ifttt.com/v2/connections/cc/actions/tides.add/field_options")
  }

  @Test func optionsURLMustIncludeBasePath() throws {
    let client = try client(.user(key), base: "http://127.0.0.1:8080/ifttt")
    let other = step("https://connect.ifttt.com/v2/connections/cc/x")
    #expect(
      text(client.fieldOptions(other, of: id).request)
        == "GET http://127.0.0.1:8080/ifttt/v2/connections/cc/actions/tides.add/field_options")
    let own = "http://127.0.0.1:8080/ifttt/v2/connections/cc/x/field_options"
    #expect(text(client.fieldOptions(step(own), of: id).request) == "GET \(own)")
  }

  @Test func configurationIsSentWithPUT() throws {
    let request = try client().configure(id, ["user_features": []]).request
    #expect(
      text(request)
        == #"PUT https://connect.ifttt.com/v2/connections/cc/user_connection?user_id=u%201 {"user_features":[]}"#)
    #expect(request.isRepeatable)
    #expect(
      request.headers.map { "\($0.name): \($0.wire)" } == [
        "Accept: application/json", "IFTTT-Service-Key: a-key-of-the-tests-0123456789",
        "Content-Type: application/json",
      ])
    #expect(text(try client(.user(key)).configure(id, [:]).request).contains("user_id") == false)
  }

  @Test func refreshesLabels() throws {
    let request = try client().refreshLabels(of: id).request
    #expect(text(request) == "POST https://connect.ifttt.com/v2/connections/cc/user_connection/refresh?user_id=u%201 ")
    #expect(request.isRepeatable)
  }

  @Test func stepsAreUsedWithUserInBody() throws {
    var use = StepInvocation("tides.add", userFeatureID: "u1")
    use.fields = [("note", "x"), ("area", ["lat": 1, "lng": 2])]
    let run = try client().use(.run, use, of: id).request
    #expect(
      text(run) == "POST https://connect.ifttt.com/v2/connections/cc/actions/tides.add/run "
        + #"{"user_id":"u 1","user_feature_id":"u1","fields":{"note":"x","area":{"lat":1,"lng":2}}}"#)
    #expect(!run.isRepeatable)
    let test = try client().use(.test, StepInvocation("location.enter"), of: id).request
    #expect(
      text(test) == #"POST https://connect.ifttt.com/v2/connections/cc/triggers/location.enter/test {"user_id":"u 1"}"#)
    #expect(!test.isRepeatable)
    var query = StepInvocation("tides.list")
    (query.includes, query.limit, query.cursor) = (["heights"], 2, "pg")
    let perform = try client(.user(key)).perform(query, of: id).request
    #expect(
      text(perform) == "POST https://connect.ifttt.com/v2/connections/cc/queries/tides.list/perform "
        + #"{"includes":["heights"],"limit":2,"cursor":"pg"}"#)
    #expect(perform.isRepeatable)
  }

  // MARK: Responses

  private func response(_ status: Int, _ body: String) -> Response { Response(status: status, body: Array(body.utf8)) }

  @Test func parsesOptionsLeniently() throws {
    let body = #"{"options":{"b":[{"label":"L","value":"v;=+"},{"label":"x"},7,{"value":9,"group":"G"}],"a":[],"c":7}}"#
    let options = try FieldOptions(response(200, body))
    #expect(options.fields == ["b", "a"])
    #expect(options.options["b"] == [Lamps.option("v;=+", "L"), FieldValue.Option(group: "G", label: nil, value: "9")])
    #expect(FieldOptions(cachedResponse: Array(body.utf8)) == options)
    #expect(FieldOptions(cachedResponse: []) == nil)
    #expect(throws: APIError.self) { try FieldOptions(response(200, "[]")) }
    #expect(throws: APIError.self) { try FieldOptions(response(200, "{}")) }
    #expect(throws: APIError.self) { try FieldOptions(response(502, body)) }
  }

  @Test(
    arguments: [
      (#"{"data":[{"a":1},7],"next":{"cursor":"c","fields":{"x":"1"}}}"#, "c", true),
      (#"{"data":[],"cursor":"c"}"#, "c", false), (#"{"data":[],"next":null,"cursor":null}"#, nil, false),
      (#"{"data":[],"next":{"cursor":5}}"#, "5", false), (#"{"data":[],"next":{}}"#, nil, false),
    ] as [(String, String?, Bool)]) func parsesNextPage(body: String, cursor: String?, hasFields: Bool) throws
  {
    let page = try QueryPage(response(200, body))
    #expect(page.next?.cursor == cursor)
    #expect((page.next?.fields != nil) == hasFields)
    #expect(page.skipped == (hasFields ? 1 : 0))
  }

  @Test func pageWithoutAListIsAnError() {
    #expect(throws: APIError.self) { try QueryPage(response(200, "{}")) }
    #expect(throws: APIError.self) { try QueryPage(response(200, #"{"type":"error","data":[]}"#)) }
  }
}
