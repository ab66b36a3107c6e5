import Support
import Testing

/// The requests of `token exchange`, the tokens it saves, and the number of exchanges.
@Suite struct ExchangeTests {
  let server: Server
  let home: Home

  init() throws {
    server = try Server()
    home = Home(server, Known.asService)
  }

  @Test func sendsTheDocumentedParameters() throws {
    let outcome = try home.run(
      ["token", "exchange", "--user-id", Known.oddUser, "--access-token-file", "-", "--print"],
      input: Known.oddAccessToken + "\n")
    #expect(outcome.text == Known.oddUserToken + "\n", "\(outcome.errors)")
    let record = try #require(try server.requests().first)
    #expect(
      record.target == "/v2/user_token?user_id=kai%20%26%20co%2F%C3%BC%2B1%25"
        + "&access_token=at%20%3D%207f%2620%2Fc1%2B%C3%BC")
    #expect(record.header("Content-Length") == "0")
    #expect(record.header("IFTTT-Service-Key") == Known.serviceKey)
    #expect(try home.run("token", "show", "--print").text == Known.oddUserToken + "\n")
  }

  @Test func aRejectedTokenIsNotRetried() throws {
    let environment = ["IFTTT_USER_ID": Known.user, "IFTTT_ACCESS_TOKEN": "at_wrong"]
    let outcome = try home.run(["token", "exchange", "--json"], environment)
    #expect(outcome.status == 4)
    #expect(outcome.code == "unauthorized")
    #expect(try server.requests().count == 1)
    #expect(try home.run("token", "list", "--json").text == "[]\n")
  }

  @Test func concurrentRunsExchangeOnce() throws {
    let user = "stall-\(Known.user)"
    let environment = ["IFTTT_USER_ID": user, "IFTTT_ACCESS_TOKEN": Known.accessToken]
    let running = try (0..<8).map { _ in try home.start(["token", "exchange", "--print", "-v"], environment) }
    try server.waitForStall(user)
    // Each run prints a notice when it starts to wait for its turn.
    for one in running { one.read(until: "one at a time", from: one.errors) }
    server.release()
    #expect(running.map { $0.readToEnd() } == Array(repeating: Known.userToken + "\n", count: 8))
    #expect(running.map { $0.wait() } == Array(repeating: 0, count: 8))
    #expect(try server.requests().count == 1)
  }

  @Test func anUnusableStorePreventsTheExchange() throws {
    let environment = ["IFTTT_USER_ID": Known.user, "IFTTT_ACCESS_TOKEN": Known.accessToken]
    home.folder.write("ifttt.db", "no database at all")
    let outcome = try home.run(["token", "exchange", "--json"], environment)
    #expect(outcome.status == 7)
    #expect(try server.requests().isEmpty)
  }

  @Test func anInterruptedExchangeSavesNothing() throws {
    let user = "stall-\(Known.user)"
    let environment = ["IFTTT_USER_ID": user, "IFTTT_ACCESS_TOKEN": Known.accessToken]
    let running = try home.start(["token", "exchange"], environment)
    try server.waitForStall(user)
    running.signal(2)
    #expect(running.wait() == 130)
    #expect(running.readToEnd() == "")
    #expect(try server.requests().count == 1)
    #expect(try home.isIntact())
    #expect(try home.run("token", "list", "--json").text == "[]\n")
  }
}
