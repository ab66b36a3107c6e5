import Foundation
import Support
import Testing

/// Usage events of the built program. A background process sends them to a server that accepts only what
/// docs/api/events-and-privacy.md §1 describes.
@Suite struct UsageProgramTests {
  private func home(_ server: Server) throws -> Home {
    let home = Home(server, Known.asUser)
    #expect(try home.run("privacy", "on").status == 0)
    return home
  }

  /// Disable connections that are not known yet, so that each is an event.
  private func disable(_ ids: ClosedRange<Int>, in home: Home) throws -> Home.Outcome {
    try home.run(["connections", "disable"] + ids.map { "lamp\($0)" })
  }

  private func shown(_ home: Home, _ field: String) throws -> String {
    try home.run("privacy", "show", "--fields", field, "-o", "tsv", "--no-header").text
  }

  /// Wait for the sender to exit, using the lock that it holds while it runs.
  private func waitForSender(_ home: Home) {
    let descriptor = open(home.folder["usage.lock"], O_RDWR)
    flock(descriptor, LOCK_EX)
    close(descriptor)
  }

  @Test func fiveEventsAreSentInTheBackground() throws {
    let server = try Server(events: "204")
    let home = try home(server)
    #expect(try disable(1...4, in: home).status == 0)
    #expect(try shown(home, "waiting") == "4\n")
    let run = try disable(5...5, in: home)
    #expect(run.status == 0)
    #expect(run.errors == "")
    try server.waitForEvents("204")
    waitForSender(home)
    #expect(try shown(home, "waiting") == "0\n")
    let records = try server.requests()
    let sent = try #require(records.last { $0.target == "/v2/sdk/events" })
    let id = try shown(home, "anonymous_id").dropLast()
    #expect(sent.header("IFTTT-SDK-Anonymous-Id") == String(id))
    #expect(sent.body.components(separatedBy: "sdk.click").count == 6)
    // All other requests included the id too; the server would have rejected one without it.
    #expect(records.allSatisfy { $0.header("IFTTT-SDK-Anonymous-Id") == String(id) })
  }

  @Test func anUnavailableServerDelaysAndLosesNothing() throws {
    let server = try Server(events: "503")
    let home = try home(server)
    #expect(try disable(1...7, in: home).status == 0)
    try server.waitForEvents("503")
    waitForSender(home)
    #expect(try shown(home, "waiting,last_problem") == "7\tIFTTT responded with 503\n")
    // No event is sent again before the backoff ends.
    #expect(try disable(8...9, in: home).status == 0)
    waitForSender(home)
    #expect(try shown(home, "waiting") == "9\n")
    #expect(try server.requests().filter { $0.target == "/v2/sdk/events" }.count == 1)
  }

  /// The command exits long before the server responds.
  @Test func theCommandDoesNotWaitForTheServer() throws {
    let server = try Server(events: "stall")
    let home = try home(server)
    #expect(try disable(1...5, in: home).status == 0)
    try server.waitForEvents("stall")
    #expect(try disable(6...8, in: home).status == 0)
    // Only the command that turns events off waits for the sender, because nothing may be sent after it exits.
    let off = try home.start(["privacy", "off", "-o", "tsv", "--fields", "usage_events", "--no-header"])
    try waitUntil(shown(home, "usage_events") != "true\n", pause: 50_000)
    #expect(off.isUnderWay)
    server.release()
    #expect(off.wait() == 0)
    #expect(off.readToEnd() == "false\n")
    #expect(try shown(home, "anonymous_id,waiting") == "\t0\n")
  }

  @Test func disabledEventsSendNothing() throws {
    let server = try Server()
    let home = Home(server, Known.asUser)
    #expect(try disable(1...9, in: home).status == 0)
    // This server accepts no events, so every such header and every event would be a violation.
    #expect(try server.requests().count == 18)
    #expect(!home.folder.names.contains("usage.lock"))
    #expect(try home.run("privacy", "on").status == 0)
    #expect(try home.run(["connections", "enable", "lamp1"], ["DO_NOT_TRACK": "1"]).status == 0)
    #expect(try server.requests().count == 20)
  }

  /// The sender does not keep open a pipe that the caller reads to its end.
  @Test func readingAPipeToItsEndDoesNotWaitForTheSender() throws {
    let server = try Server(events: "stall")
    let home = try home(server)
    let running = try home.start(["connections", "disable"] + (1...6).map { "lamp\($0)" })
    let output = running.readToEnd()
    #expect(output.contains("lamp6"))
    #expect(running.readToEnd(running.errors) == "")
    #expect(running.wait() == 0)
    try server.waitForEvents("stall")
    server.release()
    waitForSender(home)
  }
}
