import HTTP
import JSON
import Sandbox
import Testing

/// Responses of the Connect API that depend on the partner's server: options, validation, actions and queries.
@Suite struct PartnerServerTests {
  private let path = "/v2/connections/C1/user_connection?user_id=u-1"

  private func enabled() throws -> RuntimeSession {
    var session = try RuntimeSession()
    session.ask(.post, "/v2/connections/C1/enable")
    session.forget()
    return session
  }

  @Test func optionsComeFromTheServer() throws {
    var session = try enabled()
    let options = session.ask(.get, "/v2/connections/C1/triggers/lamps.pressed/field_options", [RuntimeSession.first])
    #expect(
      options?.json["options"] == ["lamp": [["label": "Hall", "value": "hall", "group": "Rooms"]]], "\(options!.json)")
    #expect(session.calls == ["POST triggers/pressed/fields/lamp/options"] && session.sent[0].accessToken == "a-1")
    #expect(session.activity.last?.step == .options)
  }

  @Test func aFieldWithoutAnEndpointIsAskedOnce() throws {
    var session = try enabled()
    session.scripted["triggers/pressed/fields/lamp/options"] = .response(status: 404, body: [])
    for _ in 0..<2 {
      let options = session.ask(.get, "/v2/connections/C1/triggers/lamps.pressed/field_options")
      #expect(options?.json["options"] == [:])
    }
    #expect(session.calls.count == 1)
  }

  @Test func anUnknownOptionIsRejected() throws {
    var session = try enabled()
    let response = session.ask(.put, path, [RuntimeSession.key], RuntimeSession.configuration(lamp: "none"))
    #expect(response?.status == 422 && response?.faults == ["/fields/lamp"])
    #expect(!session.steps.contains("validated"))
  }

  @Test func theServersMessageRejectsAValue() throws {
    var session = try enabled()
    let endpoint = "triggers/pressed/fields/lamp/validate"
    session.scripted[endpoint] = .data(["valid": false, "message": "It is broken."])
    let response = session.ask(.put, path, [RuntimeSession.key], RuntimeSession.configuration())
    #expect(response?.status == 422 && response?.code == "invalid_parameters")
    #expect(response?.json["details"] == [["parameter": "/fields/lamp", "message": "It is broken."]])
    #expect(session.body(endpoint) == ["value": "hall"])
    #expect(session.activity.last?.step == .validated && session.activity.last?.detail == "It is broken.")
    #expect(!session.calls.contains("POST webhooks/connection/updated"))

    session.scripted[endpoint] = .data(["valid": true])
    #expect(session.ask(.put, path, [RuntimeSession.key], RuntimeSession.configuration())?.status == 200)
    #expect(session.calls.last == "POST webhooks/connection/updated")
  }

  /// A seed whose trigger has two fields that are validated together.
  private static let contextual: JSONValue = {
    let text = RuntimeSession.seed.text
      .replacing(#""slug":"pressed","#, with: #""slug":"pressed","validation":"contextual","#)
      .replacing(
        #""type":"COLLECTION_SELECT"}]"#,
        with: #""type":"COLLECTION_SELECT"},{"id":"size","label":"Size","type":"TEXT_FIELD","required":false}]"#
      )
      .replacing(#""group":"Rooms"}]"#, with: #""group":"Rooms"},null]"#)
    return (try? JSONValue(parsing: Array(text.utf8))) ?? .null
  }()

  private static func configuration(size: String) -> JSONValue {
    let text = RuntimeSession.configuration().text.replacing(
      #"{"field_id":"lamp","value":"hall"}"#,
      with: #"{"field_id":"lamp","value":"hall"},{"field_id":"size","value":"\#(size)"}"#)
    return (try? JSONValue(parsing: Array(text.utf8))) ?? .null
  }

  @Test func oneRequestValidatesValuesThatDependOnEachOther() throws {
    var session = try RuntimeSession(seed: Self.contextual)
    session.ask(.post, "/v2/connections/C1/enable")
    session.forget()
    let endpoint = "triggers/pressed/validate"
    func put(_ results: JSONValue) -> Response? {
      session.scripted[endpoint] = .data(results)
      return session.ask(.put, path, [RuntimeSession.key], Self.configuration(size: "big"))
    }
    let lamp = put(["lamp": ["valid": false, "message": "It is small."], "size": ["valid": true]])
    #expect(lamp?.status == 422)
    #expect(lamp?.json["details"] == [["parameter": "/fields/lamp", "message": "It is small."]])
    #expect(session.body(endpoint) == ["values": ["lamp": "hall", "size": "big"]])
    #expect(session.calls == ["POST triggers/pressed/fields/lamp/options", "POST \(endpoint)"])
    #expect(session.activity.last?.step == .validated && session.activity.last?.detail == "It is small.")

    let both = put(["lamp": ["valid": false, "message": "It is small."], "size": ["valid": false]])
    #expect(both?.faults == ["/fields/lamp", "/fields/size"])
    for unusable in [["valid": true], true, ["lamp": [:]]] as [JSONValue] {
      #expect(put(unusable)?.status == 502, "\(unusable)")
    }
    // A field without a result is not validated, and a result for another field has no effect.
    #expect(put(["size": ["valid": true], "other": ["valid": false]])?.status == 200)
    #expect(session.ask(.put, path, [RuntimeSession.key], RuntimeSession.configuration())?.status == 200)
    #expect(session.body(endpoint) == ["values": ["lamp": "hall"]], "an empty field has no value")
  }

  @Test func aWrittenSeedSaysWhichTriggerIsContextual() throws {
    let seed = try SandboxSeed(parsing: Self.contextual.bytes).json
    let feature = seed["connections"]?.array?.first?["features"]?.array?.first
    #expect(feature?["triggers"]?.array?.first?["validation"] == "contextual")
    #expect(feature?["actions"]?.array?.first?["validation"] == .null)
  }

  @Test func a404MeansThatThereIsNoContextualValidation() throws {
    var session = try RuntimeSession(seed: Self.contextual)
    session.ask(.post, "/v2/connections/C1/enable")
    session.forget()
    for size in ["big", "small"] {
      #expect(session.ask(.put, path, [RuntimeSession.key], Self.configuration(size: size))?.status == 200)
    }
    #expect(
      session.calls.filter { $0.hasSuffix("/validate") } == ["POST triggers/pressed/validate"], "it is asked once")
  }

  @Test func aServerThatFailsLeadsTo502() throws {
    var session = try enabled()
    session.scripted["triggers/pressed/fields/lamp/options"] = .failure("refused")
    for (method, target) in [
      (HTTP.Method.put, path), (.get, "/v2/connections/C1/triggers/lamps.pressed/field_options"),
    ] {
      let body = method == .put ? RuntimeSession.configuration() : nil
      let response = session.ask(method, target, [RuntimeSession.first], body)
      #expect(response?.status == 502 && response?.code == "emulator_downstream")
    }
    #expect(session.emulator.state.requests == 3, "a request that waits is counted once")
  }

  @Test func requestsToRunAndPerformReachTheServer() throws {
    var session = try enabled()
    let run = "/v2/connections/C1/actions/lamps.show/run"
    #expect(session.ask(.post, run, [RuntimeSession.first], ["fields": ["note": "Hi"]])?.status == 204)
    #expect(session.body("actions/show")?["actionFields"] == ["note": "Hi"])
    #expect(session.calls == ["POST actions/show"], "the action has no field with options")
    session.scripted["actions/show"] = .errors(400, ["status": "SKIP", "message": "No."])
    #expect(session.ask(.post, run, [RuntimeSession.first], [:])?.status == 502)
    #expect(session.ask(.post, "/v2/connections/C1/actions/mail.send/run", [RuntimeSession.first], [:])?.status == 204)

    session.scripted["queries/forecast"] = .response(
      status: 200,
      body: Array(#"{"data":[{"weather":"rain","days":{"queryFields":{"n":"1"}}}],"cursor":"c2"}"#.utf8))
    let rows = session.ask(
      .post, "/v2/connections/C1/queries/lamps.forecast/perform", [RuntimeSession.first],
      ["limit": 1, "cursor": "c1", "includes": ["days"]])
    #expect(rows?.json["data"] == [["weather": "rain", "days": ["type": "query", "fields": ["n": "1"]]]])
    #expect(rows?.json["next"] == ["fields": [:], "cursor": "c2"])
    let body = session.body("queries/forecast")
    #expect(body?["limit"] == 1 && body?["cursor"] == "c1" && body?["include"] == ["days"])
  }

  @Test func theActivationPageHasTheServersOptions() throws {
    var session = try RuntimeSession()
    let url = "/connect/C1?email=two%40mail.test&username=two"
    let page = session.ask(.get, url, [])
    #expect(page?.status == 200)
    session.ask(.get, url + "&emulator_outcome=complete", [])
    #expect(session.activity.contains { $0.step == .webhookSent && $0.user == "u-2" })
    #expect(session.body("triggers/pressed")?["triggerFields"] == ["lamp": "hall"])
    #expect(session.sent.last { $0.call.path == ["triggers", "pressed"] }?.accessToken == "a-2")
  }

  private func form(_ session: inout RuntimeSession, _ url: String, _ items: String) -> Response? {
    let type = Header("Content-Type", "application/x-www-form-urlencoded")
    return session.send(.post, url, [type], body: items)
  }

  @Test func theOptionsAreFetchedOncePerActivation() throws {
    var session = try RuntimeSession()
    let url = "/connect/C1?email=two%40mail.test&username=two"
    func options() -> [PartnerRequest] { session.sent.filter { $0.call.path.last == "options" } }
    session.ask(.get, url, [])
    #expect(options().isEmpty, "the first page has no fields")
    for step in ["account", "service", "configuration"] {
      #expect(form(&session, url, "step=\(step)&do=go")?.status == 200)
    }
    #expect(options().count == 1 && options()[0].accessToken == "a-2", "\(session.calls)")
    #expect(session.activity.filter { $0.step == .options }.map(\.user) == ["u-2"])
    _ = form(&session, url, "step=account&do=go")
    #expect(options().count == 2, "another activation")
  }

  /// The email address that a person types decides, not the first user of the service.
  @Test func theOptionsBelongToThePersonWhoActivates() throws {
    var session = try RuntimeSession()
    _ = form(&session, "/connect/C1?email=two%40mail.test", "step=account&email=new%40mail.test&do=go")
    #expect(session.activity.filter { $0.step == .options }.map(\.user) == [nil])
    #expect(session.sent.last { $0.call.path.last == "options" }?.accessToken == "a-1", "some token is needed")
  }

  /// Without a sign-in there are no tokens. A given token replaces that of the first user.
  @Test func credentialsFollowTheServiceAndTheOptions() throws {
    let text = RuntimeSession.seed.text.replacing("\"disabled\"", with: "\"enabled\"")
    func tokens(_ text: String, _ given: String?) throws -> [String?] {
      var emulator = Emulator(state: .seed, seed: try SandboxSeed(parsing: Array(text.utf8)))
      emulator.startRuntime(accessToken: given, at: EmulatorSession.now)
      return emulator.takeRequests(at: EmulatorSession.now).map(\.accessToken)
    }
    let open = text.replacing("\"key\":\"k-1\"", with: "\"key\":\"k-1\",\"authentication\":\"none\"")
    #expect(try tokens(text, nil) == ["a-1"])
    #expect(try tokens(text, "given") == ["given"])
    #expect(try tokens(open, nil) == [nil])
  }
}
