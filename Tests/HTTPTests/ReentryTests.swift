import HTTP
import Support
import Testing

/// A client cannot start a second run while one is in progress.
@Suite struct ReentryTests {
  @Test func sendingFromACallbackTraps() async {
    await #expect(processExitsWith: .failure) {
      let url = try WebURL(parsing: "https://connect.ifttt.com/v2/me")
      let answers: [ScriptedTransport.Answer] = [{ _ in .success(Response(status: 200)) }]
      let client = HTTPClient(
        transport: ScriptedTransport(answers: answers + answers), world: makeWorld(), policy: .init())
      try client.send([Request(.get, url)]) { _, _ in _ = try client.send(Request(.get, url)) }
    }
  }

  @Test func finishedOrFailedRunAllowsAnother() throws {
    let url = try WebURL(parsing: "https://connect.ifttt.com/v2/me")
    let answers = Array(repeating: { _ in .success(Response(status: 200)) } as ScriptedTransport.Answer, count: 3)
    let client = HTTPClient(transport: ScriptedTransport(answers: answers), world: makeWorld(), policy: .init())
    struct Stop: Error {}
    #expect(throws: Stop.self) { try client.send([Request(.get, url)]) { _, _ in throw Stop() } }
    try client.send([Request(.get, url)]) { _, _ in }
    #expect(try client.send(Request(.get, url)).status == 200)
  }
}
