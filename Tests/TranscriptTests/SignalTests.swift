import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Ctrl-C and other signals at any point of a run: the program exits with status 130, prints what it has done, and
/// leaves the store intact.
@Suite struct SignalTests {
  let server: Server
  let home: Home

  init() throws {
    server = try Server()
    home = Home(server, Known.asUser)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalEndsAFetch(_ signal: Int32) throws {
    let running = try home.start(["connections", "show", "stall-1"])
    try server.waitForStall("stall-1")
    running.signal(signal)
    #expect(running.wait() == 130)
    #expect(running.readToEnd() == "")
    #expect(running.readToEnd(running.errors) == "ifttt: interrupted\n")
    #expect(try home.isIntact())
    #expect(try home.tracked() == [])
  }

  /// A terminal that closes sends SIGHUP, and its shell sends another one.
  @Test(arguments: [[SIGINT], [SIGTERM], [SIGHUP], [SIGHUP, SIGHUP, SIGHUP]])
  func anInterruptedRunPrintsItsResults(_ signals: [Int32]) throws {
    let words = [
      "connections", "show", "one", "two", "stall-3", "four", "--track", "--json", "--fields", "id", "--jobs", "1",
    ]
    let running = try home.start(words)
    try server.waitForStall("stall-3")
    for signal in signals { running.signal(signal) }
    #expect(running.wait() == 130)
    let text = running.readToEnd()
    let rows = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: String]])
    #expect(rows.map { $0["id"] } == ["one", "two"])
    #expect(running.readToEnd(running.errors).contains(#""code":"interrupted""#))
    #expect(try server.requests().map(\.target).last == "/v2/connections/stall-3")
    #expect(try Set(home.tracked()) == ["one", "two"])
    #expect(try home.isIntact())
  }

  @Test func printedLinesStayPrinted() throws {
    let running = try home.start(["connections", "show", "one", "two", "stall-3", "-o", "jsonl", "--fields", "id"])
    // The rows are printed as each becomes known, before anything is interrupted.
    let lines = Set([running.read(until: "\n"), running.read(until: "\n")])
    #expect(lines == ["{\"id\":\"one\"}\n", "{\"id\":\"two\"}\n"])
    try server.waitForStall("stall-3")
    running.signal(SIGINT)
    #expect(running.wait() == 130)
    #expect(running.readToEnd() == "")
  }

  @Test func anInterruptedBatchReportsItsChanges() throws {
    let words = ["connections", "disable", "one", "hold-2", "three", "--json", "--jobs", "1"]
    let running = try home.start(words)
    // The connection's status was received, but not the result of disabling it.
    try server.waitForStall("hold-2")
    running.signal(SIGINT)
    #expect(running.wait() == 130)
    let text = running.readToEnd()
    let rows = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    #expect(rows.map { $0["id"] as? String } == ["one", "hold-2"])
    #expect(rows.first?["changed"] as? Bool == true)
    // It was sent, and may have taken effect.
    #expect(rows.last?["status"] as? String == "unknown")
    #expect(try !server.requests().contains { $0.target == "/v2/connections/three/disable" })
    #expect(try home.isIntact())
  }

  @Test func anInterruptedRefreshKeepsFetchedRows() throws {
    for id in ["one", "two", "stall-3"] { #expect(try home.run("connections", "add", id, "--offline").status == 0) }
    let running = try home.start(["connections", "list", "--jobs", "1"])
    try server.waitForStall("stall-3")
    running.signal(SIGINT)
    #expect(running.wait() == 130)
    let listing = try home.run("connections", "list", "--offline", "--json", "--fields", "id,stale")
    #expect(listing.text.contains(#""id":"one","stale":false"#), "\(listing.text)")
    #expect(try home.isIntact())
  }

  @Test func aSecondSignalEndsTheProgramImmediately() throws {
    let running = try home.start(["connections", "show", "stall-1"])
    try server.waitForStall("stall-1")
    running.signal(SIGINT)
    running.signal(SIGINT)
    #expect([130, -SIGINT].contains(running.wait()))
    #expect(try home.isIntact())
  }

  @Test(arguments: [("INT", SIGINT), ("HUP", SIGHUP)])
  func ignoredSignalsStayIgnored(_ name: String, _ signal: Int32) throws {
    let script = #"trap "" \#(name); exec "$0" "$@""#
    let words = ["/bin/sh", "-c", script, Home.program, "connections", "show", "stall-1", "--json", "--fields", "id"]
    let running = try Running(words, environment: home.environment)
    try server.waitForStall("stall-1")
    running.signal(signal)
    server.release()
    #expect(running.readToEnd() == "{\"id\":\"stall-1\"}\n")
    #expect(running.wait() == 0)
  }
}
