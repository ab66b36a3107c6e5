import HTTP
import IFTTT
import Support
import Testing
import Text

struct ConnectClientTests {
  private let token: Secret
  private let ids: [ConnectionID]

  init() throws {
    token = try #require(Secret(parsing: "Zq8v_T2mLr-5YpWc0NdXs7KhGb3JtE9uFa6RiOxQ1lDyVwBk"))
    ids = ["one", "two", "three"].compactMap(ConnectionID.init(parsing:))
  }

  @Test func fetchesOneConnection() throws {
    let transport = ScriptedTransport(answer(200, #"{"id":"one","name":"A"}"#))
    #expect(try client(transport).show(ids[0]).send().connection.name == "A")
    #expect(transport.requests.map(\.url.path) == ["/v2/connections/one"])
  }

  @Test func eachConnectionHasItsOwnResult() throws {
    let transport = ScriptedTransport(
      answer(200, #"{"id":"one"}"#), answer(404, #"{"type":"error","code":"not_found"}"#), answer(200, #"{"id":"one"}"#)
    )
    var results: [String: String] = [:]
    let client = try client(transport)
    try client.http.send(ids, to: { client.show($0) }) { id, result in
      switch result {
      case .success(let answer): results[id.description] = answer.connection.name
      case .failure(.response(let error)): results[id.description] = "\(error.kind)"
      case .failure: results[id.description] = "failed"
      }
    }
    #expect(results == ["one": "one", "two": "notFound", "three": "failed"])
  }

  /// As in a proxy's page, or from a server that echoes the request.
  @Test func credentialRepeatedInResponseIsMasked() throws {
    let secret = token.revealed
    let transport = ScriptedTransport(
      answer(200, "<pre>Authorization: Bearer \(secret)</pre>"),
      answer(403, #"{"type":"error","code":"\#(secret)","message":"\#(secret)","details":[{"message":"\#(secret)"}]}"#),
      answer(500, secret))
    let client = try client(transport)
    for _ in 0..<2 {
      let failure = #expect(throws: APIError.self) { try client.show(ids[0]).send() }
      let shown = String(reflecting: failure)
      #expect(shown.contains(token.masked) && !shown.contains(secret))
    }
    var expected = APIErrorResponse(status: 500, beginning: token.masked)
    expected.credential = SentCredential(.userToken, from: nil)
    try client.http.send([ids[0]], to: { client.show($0) }) { _, result in
      #expect(throws: APIError.response(expected)) { try result.get() }
    }
  }

  @Test func transportFailureIsThrown() throws {
    let failure = TransportError(kind: .resolve, message: "no such host", mayHaveArrived: false)
    let transport = ScriptedTransport(answers: [{ _ in .failure(failure) }])
    #expect(
      throws: APIError.http(.transport(failure, tries: 1, origin: "https://connect.ifttt.com"))
    ) { try client(transport).show(ids[0]).send() }
  }

  @Test func errorThrownByCallerEndsRun() throws {
    struct Enough: Error {}
    let transport = ScriptedTransport(answer(200, #"{"id":"one"}"#))
    let client = try client(transport, jobs: 1)
    #expect(throws: Enough.self) { try client.http.send(ids, to: { client.show($0) }) { _, _ in throw Enough() } }
    #expect(transport.requests.count == 1)
  }

  @Test func interruptionDeliversNoResult() throws {
    let transport = ScriptedTransport(answers: [])
    let client = try client(transport, isInterrupted: true)
    #expect(throws: HTTPError.interrupted) {
      try client.http.send(ids, to: { client.show($0) }) { _, _ in Issue.record("a result without a request") }
    }
    #expect(throws: APIError.http(.interrupted)) { try client.me().send() }
  }

  @Test func eachChangeHasItsOwnResult() throws {
    let transport = ScriptedTransport(
      answer(200, #"{"id":"one","user_status":"disabled"}"#), answer(204, ""),
      answer(403, #"{"type":"error","message":"No."}"#))
    var results: [String] = []
    let client = try client(transport)
    let changes = try ids.map { ($0, try client.change(.disable, $0)) }
    try client.http.send(changes, to: \.1) { change, result in
      let id = change.0
      switch result {
      case .success(let answer): results.append("\(id) \(answer?.connection.status.rawValue ?? "read again")")
      case .failure(let failure): results.append("\(id) \(failure.isForbidden)")
      }
    }
    #expect(results == ["one disabled", "two read again", "three true"])
    #expect(transport.requests.map(\.method) == [.post, .post, .post])
  }

  @Test func nothingIsSentWithoutRequiredCredential() throws {
    let transport = ScriptedTransport(answers: [])
    #expect(throws: APIError.needs(.user)) {
      try client(transport, .service(token, userID: "u")).change(.enable, ids[0]).send()
    }
    #expect(throws: APIError.needs(.service)) {
      try client(transport).exchange(userID: "u", accessToken: token).send()
    }
    #expect(transport.requests.isEmpty)
  }

  @Test func exchangesAToken() throws {
    let transport = ScriptedTransport(answer(200, #"{"type":"user_token","user_token":"new-token"}"#))
    let exchanged = try client(transport, .service(token, userID: nil)).exchange(userID: "u", accessToken: token).send()
    #expect(exchanged.revealed == "new-token")
  }

  @Test func fetchesMeAndAccount() throws {
    let transport = ScriptedTransport(answer(200, #"{"user_login":"kai_lamps"}"#), answer(404, ""))
    let client = try client(transport)
    #expect(try client.me().send().userLogin == "kai_lamps")
    #expect(try client.accountExists(email: "kai@mail.test").send() == false)
    #expect(transport.requests.last?.header("Authorization") == nil)
  }

  private func client(
    _ transport: ScriptedTransport, _ authentication: Authentication? = nil, jobs: Int = 16,
    isInterrupted: Bool = false
  ) throws -> ConnectClient {
    let http = HTTPClient(
      transport: transport, world: quietWorld(isInterrupted: isInterrupted), policy: .init(retries: 0, jobs: jobs))
    return ConnectClient(
      caller: APIClient(
        http: http,
        template: RequestTemplate(
          base: try WebURL(parsing: "https://connect.ifttt.com"), authentication: authentication ?? .user(token),
          inviteCode: nil)))
  }

  private func answer(_ status: Int, _ body: String) -> Response { Response(status: status, body: Array(body.utf8)) }
}

extension APIError {
  fileprivate var isForbidden: Bool {
    if case .response(let error) = self { error.kind == .forbidden } else { false }
  }
}
