import HTTP
import JSON
import ProgramDriver
import Support
import Testing

@testable import Session

/// A batch stops sending if IFTTT cannot be reached or rejected the credentials, and reports the skipped items.
@Suite struct FailFastTests {
  private static let ids = (0..<9).map { "c\($0)" }

  /// Tracks nine connections, which are then stale.
  private func home() -> Home {
    let home = Home()
    home.environment["IFTTT_USER_TOKEN"] = "token-of-the-tests-0123456789"
    home.secrets.append("token-of-the-tests-0123456789")
    let server = Self.ids.reduce(Server()) { $0.answering(200, Server.connection($1)) }
    home.run("connections add \(Self.ids.joined(separator: " "))", answers: server)
    home.wait(.seconds(3600))
    return home
  }

  @Test func aListShowsTheCachedConnections() throws {
    let home = home()
    let server = Server().failing(.connect, "refused").failing(.connect, "refused")
    let shown = home.run("connections list --json --jobs 2 --retries 0", answers: server)
    #expect(server.asked.count == 2)
    let rows = try JSONValue(parsing: Array(shown.output.utf8)).array
    #expect(rows?.compactMap { $0["id"]?.string } == Self.ids)
    #expect(rows?.allSatisfy { $0["stale"] == true } == true)
    #expect(shown.exit == .success)
    #expect(
      shown.errors
        == "'c0' and 8 more could not be fetched and may be out of date: no response from https://connect.ifttt.com: refused; "
        + "7 were skipped\n")
  }

  @Test func aFailedRefreshReportsTheNumberOfSkippedConnections() throws {
    let home = home()
    let report = home.folder["report.xml"]
    let server = Server().failing(.resolve, "no such host")
    let failed = home.run(
      "connections list --refresh --json --jobs 1 --retries 0 --report junit=\(report)", answers: server)
    #expect(server.asked.count == 1)
    #expect(failed.exit == .unavailable)
    let error = try JSONValue(parsing: Array(failed.errors.utf8))["error"]
    #expect(error?["code"] == "network")
    #expect(error?["message"]?.string?.hasPrefix("1 of 9 failed, 8 were skipped: no response from ") == true)
    #expect(error?["details"]?.array?.count == 9)
    #expect(
      error?["details"]?.array?.last?["message"]?.string
        == "skipped: no connection to https://connect.ifttt.com: no such host")
    #expect(home.folder.text("report.xml")?.contains(#"failures="1" errors="0" skipped="8""#) == true)
  }

  @Test func rejectedCredentialsEndTheBatch() {
    let home = home()
    let server = Server().answering(401, Server.error("unauthorized", "No"))
    let failed = home.run("connections show \(Self.ids.joined(separator: " ")) --jobs 1", answers: server)
    #expect(server.asked.count == 1)
    #expect(failed.exit == .credentials)
    #expect(failed.notes.first == "ifttt: 1 of 9 failed, 8 were skipped")
    #expect(
      failed.errors.contains("skipped: the credentials were rejected: https://connect.ifttt.com responded with 401"))
  }

  /// Skipped changes were not sent, and the batch can be resumed.
  @Test func aSkippedChangeIsResumed() throws {
    let home = home()
    let words = "connections disable c0 c1 c2 --jobs 1 --retries 0"
    func reading(_ server: Server) -> Server {
      ["c0", "c1", "c2"].reduce(server) { $0.answering(200, Server.connection($1)) }
    }
    let failed = home.run("\(words) -o jsonl", answers: reading(Server()).failing(.connect, "refused"))
    #expect(failed.exit == .unavailable)
    #expect(failed.lines.count == 3)
    let last = try JSONValue(parsing: Array((failed.lines.last ?? "").utf8))
    #expect(last["changed"] == false)
    #expect(last["error"]?["message"]?.string?.hasPrefix("skipped: ") == true)
    let server = reading(Server())
    for id in ["c0", "c1", "c2"] { _ = server.answering(200, Server.connection(id, status: "disabled")) }
    let resumed = home.run("connections disable --resume --jobs 1 -o jsonl", answers: server)
    #expect(resumed.exit == .success, "\(resumed.errors)")
    let paths = ["c0", "c1", "c2"].map { "connect.ifttt.com/v2/connections/\($0)" }
    #expect(server.asked == paths.map { "GET \($0)" } + paths.map { "POST \($0)/disable" })
  }
}
