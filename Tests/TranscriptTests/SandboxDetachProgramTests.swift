import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `sandbox start --detach` with the built program: a server that outlives the command and its terminal.
@Suite struct SandboxDetachProgramTests {
  let home = Home()

  private struct Row: Decodable {
    var url: String
    var pid: pid_t
  }

  private struct Status: Decodable {
    var pid: pid_t
    var log: String
  }

  private func start(_ options: String...) throws -> Row {
    let outcome = try home.run(["sandbox", "start", "--detach", "--json"] + options)
    #expect(outcome.status == 0 && (outcome.errors == "" || options.contains("-v")), "\(outcome.errors)")
    return try JSONDecoder().decode(Row.self, from: Data(outcome.output))
  }

  private func stop() throws {
    let outcome = try home.run("sandbox", "stop")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func theServerGoesOnInASessionOfItsOwn() throws {
    let ready = home.folder["ready.json"]
    let server = try start("--ready-file", ready, "-v")
    #expect(try JSONDecoder().decode(Row.self, from: Data(contentsOf: URL(fileURLWithPath: ready))).pid == server.pid)
    #expect(getsid(server.pid) == server.pid)
    #if os(Linux)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(server.pid)/fd/0") == "/dev/null")
    #endif
    #expect(try home.run("sandbox", "reset").status == 0)
    let listed = try JSONDecoder().decode([Status].self, from: Data(home.run("sandbox", "status", "--json").output))
    let log = try #require(listed.first).log
    #expect(listed.map(\.pid) == [server.pid] && log.hasPrefix(home.folder.path))
    #expect(try FileManager.default.attributesOfItem(atPath: log)[.posixPermissions] as? Int == 0o600)
    let user = Home(nil, ["IFTTT_CONNECT_URL": server.url])
    #expect(try user.run("api", "v2/me").status == 0)
    #expect(try String(contentsOfFile: log, encoding: .utf8).contains("GET /v2/me 200"))
    try stop()
    #expect(!FileManager.default.fileExists(atPath: ready))
    #expect(try home.run("sandbox", "reset").status == 3)
  }

  @Test func theTerminalDoesNotEndIt() throws {
    let shell = try home.start(onTerminal: ["sandbox", "start", "--detach", "--port", "0"])
    let shown = shell.read(until: "status 0")
    #expect(shown.contains("The server runs in the background; its log is"), "\(shown)")
    shell.type("\u{3}")
    shell.type("\n")
    shell.wait()
    #expect(try home.run("sandbox", "reset").status == 0)
    try stop()
  }

  @Test func errorsBeforeItIsReadyAreReported() throws {
    let server = try start()
    let port = try #require(server.url.split(separator: ":").last.map(String.init))
    let taken = try home.run("sandbox", "start", "--detach", "--port", port)
    #expect(taken.status == 1 && taken.errors.hasPrefix("ifttt: cannot listen on \(server.url)\n"), "\(taken.errors)")
    let json = try home.run("sandbox", "start", "--detach", "--port", port, "--json")
    #expect(json.status == 1 && json.code == "refused", "\(json.errors)")
    let seed = home.workplace.write("seed.json", "{}")
    let bad = try home.run("sandbox", "start", "--detach", "--seed", seed)
    #expect(bad.status == 1 && bad.errors.contains("is not a valid seed file"), "\(bad.errors)")
    let unready = try home.run("sandbox", "start", "--detach", "--ready-file", home.folder["no/such"])
    #expect(unready.status == 1 && unready.errors.contains("cannot write"), "\(unready.errors)")
    #expect(try home.run("sandbox", "start", "--detach", "--prot", "1").status == 2)
    let logs = home.folder.names.filter { $0.hasSuffix(".log") }
    #expect(logs.count == 1, "only that of the running server: \(logs)")
    try stop()
  }
}
