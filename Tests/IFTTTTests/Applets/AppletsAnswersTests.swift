import HTTP
import IFTTT
import JSON
import Support
import Testing

struct AppletsAnswersTests {
  @Test func listKeepsOrderAndCountsSkippedElements() throws {
    let body = #"""
      {"type":"list","data":[{"id":"b","services":[1]},{"id":"a"},{"name":"none"},{"id":"x/y"},null,{"id":"b"}]}
      """#
    let list = try AppletList(response(200, body))
    #expect(list.applets.map(\.id.description) == ["b", "a", "b"])
    #expect(list.skipped.count == 4)
    #expect(list.skipped.paths == ["data[0].services[0]", "data[2]", "data[3]", "data[4]"])
    #expect(list.raw == Array(body.utf8))
  }

  @Test(arguments: [
    #"{"type":"list","data":[]}"#, #"{"type":"list"}"#, #"{"type":"list","data":null}"#, #"{"data":[]}"#,
  ])
  func listMayBeEmpty(body: String) throws {
    #expect(try AppletList(response(200, body)).applets.isEmpty)
  }

  @Test(arguments: ["", "{}", "[]", "<html>", #"{"type":"applet","id":"x"}"#, #"{"data":{}}"#])
  func rejectsAnythingElse(body: String) {
    #expect {
      try AppletList(response(200, body))
    } throws: { error in
      guard case APIError.unreadable(200, _, body, _) = error else { return false }
      return true
    }
  }

  @Test func parsesFixtureResponse() throws {
    let id = try #require(AppletID(parsing: "aVxGRrtD"))
    let bytes = try fixture()
    let answer = try FetchedApplet(Response(status: 200, body: bytes), for: id)
    #expect(answer.applet.id == id)
    #expect(answer.raw == bytes)
  }

  @Test(arguments: [#"{"id":"other"}"#, "{}", "[]", ""])
  func rejectsAnotherApplet(body: String) throws {
    let id = try #require(AppletID(parsing: "aVxGRrtD"))
    #expect(throws: APIError.self) { try FetchedApplet(response(200, body), for: id) }
  }

  @Test(arguments: [200, 404, 410])
  func errorResponseIsAnError(status: Int) {
    #expect {
      try AppletList(response(status, #"{"type":"error","message":"Gone"}"#))
    } throws: { error in
      guard case APIError.response(let answer) = error else { return false }
      return answer.status == status && answer.message == "Gone" && answer.code == nil
    }
  }

  @Test func documentsMatchSchema() throws {
    let bodies = [
      try fixture(), Array(#"{"id":1}"#.utf8),
      Array(#"{"id":"x","published_at":"?","services":[{"service_id":"s"}]}"#.utf8),
    ]
    let documents = try bodies.map { body in
      let object = try #require(JSONValue(parsing: body).object)
      let applet = try #require(Applet(reading: object))
      return String(decoding: applet.document(), as: UTF8.self)
        + #","fetched_at":"2026-01-31T12:00:00Z","stale":false}"#
    }
    #expect(try JSONSchemaValidator.problems(of: documents, against: AppletSchema.rows.one) == [])
    let list = "[" + documents.joined(separator: ",") + "]"
    #expect(try JSONSchemaValidator.problems(of: [list, "[]"], against: AppletSchema.rows.list) == [])
    #expect(try !JSONSchemaValidator.problems(of: ["{}"], against: AppletSchema.rows.one).isEmpty)
  }

  @Test func fieldCatalogueMatchesContract() throws {
    let catalog = fieldCatalog(of: try JSONValue(parsing: Array(AppletSchema.rows.list.utf8)))
    #expect(
      catalog.filter { !$0.hasPrefix("services.") } == [
        "id", "name", "description", "status", "published_at", "enabled_count", "last_run_at", "url", "embedded_url",
        "primary_service", "services", "fetched_at", "stale",
      ])
  }

  private func response(_ status: Int, _ body: String) -> Response { Response(status: status, body: Array(body.utf8)) }
}
