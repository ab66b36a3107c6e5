import Foundation
import Support
import Testing

/// Many concurrent runs of `token exchange`: exactly one of them performs the exchange, even if one dies.
@Suite struct ExchangeCrowdTests {
  let server: Server
  let home: Home
  private let user = "stall-\(Known.user)"
  private var environment: [String: String] { ["IFTTT_USER_ID": user, "IFTTT_ACCESS_TOKEN": Known.accessToken] }

  init() throws {
    server = try Server()
    home = Home(server, Known.asService)
  }

  private func crowd(_ count: Int) throws -> [Running] {
    let running = try (0..<count).map { _ in try home.start(["token", "exchange", "--print", "-v"], environment) }
    try server.waitForStall(user)
    // Each run prints a notice when it starts to wait for its turn.
    for one in running { one.read(until: "one at a time", from: one.errors) }
    return running
  }

  /// The run whose request the server holds back. The system's socket table is read in pieces, so while other sockets
  /// open and close, an existing one can be missing from it.
  private func asking(among running: [Running]) throws -> Running {
    for _ in 0..<1000 {
      let found = try running.filter { try $0.isAsking(the: server) }
      #expect(found.count <= 1)
      if let first = found.first { return first }
    }
    return try #require(nil, "no run is connected")
  }

  @Test func thirtyTwoRunsExchangeOnce() throws {
    let running = try crowd(32)
    server.release()
    #expect(running.map { $0.readToEnd() } == Array(repeating: Known.userToken + "\n", count: 32))
    #expect(running.map { $0.wait() } == Array(repeating: 0, count: 32))
    #expect(try server.requests().count == 1)
    #expect(try home.run("token", "show", "--print", user).text == Known.userToken + "\n")
    #expect(try home.isIntact())
  }

  /// The request of the run that died may have arrived. The next run was started by its own user, so it sends its own
  /// request.
  @Test func theNextRunTakesOverAfterACrash() throws {
    let running = try crowd(8)
    let first = try asking(among: running)
    first.signal(9)
    #expect(first.wait() == -9)
    try server.waitForStall(user)
    server.release()
    let rest = running.filter { $0 !== first }
    #expect(rest.map { $0.readToEnd() } == Array(repeating: Known.userToken + "\n", count: 7))
    #expect(rest.map { $0.wait() } == Array(repeating: 0, count: 7))
    #expect(try server.requests().count == 2)
    #expect(try home.isIntact())
  }

  @Test func aWaitingRunCanBeInterrupted() throws {
    let running = try crowd(2)
    let other = try asking(among: running)
    let waiting = try #require(running.first { $0 !== other })
    waiting.signal(2)
    #expect(waiting.wait() == 130)
    server.release()
    #expect(other.readToEnd() == Known.userToken + "\n")
    #expect(try server.requests().count == 1)
  }

  /// An exchange takes two locks: its turn, and the write to the store.
  @Test func aWaitIsExplained() throws {
    let first = try home.start(["token", "exchange", "--print"], environment)
    try server.waitForStall(user)
    let (second, quiet) = (
      try home.start(["token", "exchange", "--print"], environment),
      try home.start(["token", "exchange", "--print", "-q"], environment)
    )
    let (writer, stopped) = (try home.start(["profile", "create", "a"]), try home.start(["profile", "create", "b"]))
    let turn = second.read(until: "\n", from: second.errors)
    #expect(turn == "Waiting for another ifttt process to finish its exchange.\n")
    for one in [writer, stopped] {
      let line = one.read(until: "\n", from: one.errors)
      #expect(line == "Waiting for another ifttt process that is using \(home.folder["ifttt.db"]).\n")
    }
    stopped.signal(2)
    #expect(stopped.wait() == 130)
    server.release()
    #expect([first, second, quiet, writer].map { $0.wait() } == [0, 0, 0, 0])
    #expect(quiet.readToEnd(quiet.errors) == "")
    #expect(try home.run("profile", "show", "a").status == 0)
    #expect(try home.run("profile", "show", "b").status == 3)
    #expect(try server.requests().count == 1)
  }

  /// The disk becomes full between the response and the commit.
  @Test(.enabled(if: Tool.isInstalled("prlimit"), "needs prlimit(1)"))
  func reportsADiskThatFillsUpAfterTheExchange() throws {
    let running = try home.start(["token", "exchange", "--json"], environment)
    try server.waitForStall(user)
    let limit = try Tool.required("prlimit").run(["--pid", "\(running.id)", "--fsize=1024"], in: ScratchFolder())
    #expect(limit.status == 0, "\(limit.errors)")
    server.release()
    let errors = running.readToEnd(running.errors)
    #expect(running.wait() == 7)
    let name = try #require(home.folder.names.first { $0.hasPrefix("recovered-user_token-") }, "\(errors)")
    #expect(home.folder.text(name) == Known.userToken + "\n")
    #expect(errors.contains(home.folder[name]), "\(errors)")
    #expect(!errors.contains(Known.userToken))
    #expect(try home.isIntact())
  }

  @Test func sendsTheOlderAPIsRequest() throws {
    let environment = ["IFTTT_USER_ID": Known.oddUser, "IFTTT_ACCESS_TOKEN": Known.oddAccessToken]
    let words = ["token", "exchange", "--api", "v1", "--service", "lampost"]
    let outcome = try home.run(words + ["--print", "-v"], environment)
    #expect(outcome.text == Known.oddUserToken + "\n", "\(outcome.errors)")
    for secret in Known.secrets { #expect(!outcome.errors.contains(secret)) }
    let record = try #require(try server.requests().first)
    #expect(record.line == "POST /v1/services/lampost/user_token")
    #expect(record.header("IFTTT-Service-Key") == Known.serviceKey)
    let body = try JSONSerialization.jsonObject(with: Data(record.body.utf8)) as? [String: String]
    #expect(body == ["user_id": Known.oddUser, "token": Known.oddAccessToken])
    #expect(try home.run("token", "show", "--print", Known.oddUser).text == Known.oddUserToken + "\n")
    let refused = try home.run(words + ["--json"], ["IFTTT_USER_ID": Known.user, "IFTTT_ACCESS_TOKEN": "at_wrong"])
    #expect(refused.status == 4)
    #expect(refused.code == "unauthorized")
    #expect(try server.requests().count == 2)
  }
}

extension Running {
  /// Whether the run has a connection to the server, according to the system's socket table.
  fileprivate func isAsking(the server: Server) throws -> Bool {
    let port = String(server.port, radix: 16, uppercase: true)
    let padded = String(repeating: "0", count: 4 - port.count) + port
    let table = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(id)/net/tcp"))
    // The table arrives one page at a time, and a short read is not the end.
    var bytes = Data()
    while case let more = table.availableData, !more.isEmpty { bytes += more }
    let rows = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let inodes = Set(
      rows.compactMap { row -> String? in
        let columns = row.split(separator: " ")
        return columns.count > 9 && columns[2].hasSuffix(":\(padded)") ? String(columns[9]) : nil
      })
    let folder = "/proc/\(id)/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder).contains { name in
      let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")) ?? ""
      return inodes.contains { target == "socket:[\($0)]" }
    }
  }
}
