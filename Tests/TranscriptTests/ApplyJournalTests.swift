import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Applying a file of connections as real processes that are killed, on a server that rejects whatever is unknown.
@Suite struct ApplyJournalTests {
  let server: Server
  let home: Home

  init() throws {
    server = try Server()
    // The user token changes the status, and the service key the settings.
    home = Home(server, Known.asUser.merging(Known.asService) { $1 }.merging(["IFTTT_USER_ID": Known.user]) { $1 })
  }

  private func changes() throws -> [String] { try server.requests().filter { $0.method != "GET" }.map(\.line) }

  private func write(_ connections: [String]) throws -> String {
    let path = home.folder["c.json"]
    try #"{"version":1,"connections":[\#(connections.joined(separator: ","))]}"#
      .write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  private static func both(_ id: String) -> String {
    #"{"id":"\#(id)","status":"disabled","features":[{"feature":"mw4tq9hzjc","fields":{"scene":"Evening"}}]}"#
  }

  /// Each connection is configured and then disabled. A run that is killed repeatedly completes, and
  /// nothing is sent twice.
  @Test func killedRunsAreResumed() throws {
    var random = SeededGenerator.random()
    // The pipe holds about 30 rows, so that no run gets far, however fast it is.
    let ids = (0..<200).map { "conf-\($0)" }
    let file = try write(ids.map(Self.both))
    var words = ["connections", "apply", file, "--yes"]
    var (kills, isDone) = (0, false)
    while !isDone, kills < 100 {
      let running = try home.start(words + ["--jobs", "4", "-o", "jsonl"])
      running.narrowOutput()
      for _ in 0..<Int.random(in: 0...4, using: &random) { _ = running.read(until: "\n") }
      for _ in 0..<Int.random(in: 0...3000, using: &random) { sched_yield() }
      running.signal(SIGKILL)
      _ = running.readToEnd()
      isDone = running.wait() == 0
      kills += 1
      // A run that was killed before it was journaled starts from the beginning.
      if try home.run("connections", "apply", "--resume", "--dry-run", "--json").status == 0 {
        words = ["connections", "apply", "--resume"]
      } else if try changes().count == 2 * ids.count {
        break
      }
    }
    if !isDone { _ = try home.run(words) }
    #expect(kills > 3)
    let expected = ids.flatMap {
      ["PUT /v2/connections/\($0)/user_connection?user_id=\(Known.user)", "POST /v2/connections/\($0)/disable"]
    }
    #expect(try changes().sorted() == expected.sorted(), "each is sent once")
    #expect(try home.isIntact())
    #expect(try home.run("connections", "apply", "--resume").status == 3)
    let again = try home.run("connections", "apply", file, "--yes", "--fields", "changed", "--json")
    #expect(again.status == 0 && !again.text.contains("true"), "\(again.errors)")
    #expect(try changes().count == expected.count, "the second time, nothing is sent")
  }

  @Test func undoRestoresStatusAndSettings() throws {
    let ids = (0..<5).map { "conf-\($0)" }
    let export = ["connections", "export"] + ids
    let before = try home.run(export)
    let file = try write(ids.map(Self.both))
    #expect(try home.run("connections", "apply", file, "--yes").status == 0)
    let applied = try home.run(export)
    #expect(applied.text != before.text && before.status == 0)
    let undo = try home.run("connections", "undo")
    #expect(undo.status == 0, "\(undo.errors)")
    #expect(try home.run(export + ["--max-age", "0"]).text == before.text)
    #expect(try home.run("connections", "undo", "--json").code == "not_found", "an undo is not undone")
    #expect(try home.run("connections", "redo").status == 0)
    #expect(try home.run(export + ["--max-age", "0"]).text == applied.text)
  }

  /// The strict server rejects a configuration with unknown members, so what is sent is well formed.
  @Test func settingsOfALaterEnabledConnectionAreSent() throws {
    let file = try write([#"{"id":"conf-1","status":"disabled"}"#])
    #expect(try home.run("connections", "apply", file, "--yes").status == 0)
    let enabling = try write([Self.both("conf-1").replacing("disabled", with: "enabled")])
    let applied = try home.run("connections", "apply", enabling, "--yes")
    #expect(applied.status == 0, "\(applied.errors)")
    #expect(
      try changes() == [
        "POST /v2/connections/conf-1/disable", "POST /v2/connections/conf-1/enable",
        "PUT /v2/connections/conf-1/user_connection?user_id=\(Known.user)",
      ])
    #expect(try server.requests().allSatisfy { $0.wrong.isEmpty })
  }
}
