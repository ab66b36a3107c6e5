import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The built program with positions that arrive one by one.
@Suite struct LocationStreamTests {
  private let server: LocationServer
  private let home: Home

  init() throws {
    server = try LocationServer()
    home = try server.homeWithConsent()
  }

  private func start(_ format: [String] = ["-o", "tsv", "--no-header"]) throws -> Running {
    try home.start(["location", "replay", "-", "--max-age", "7d", "--fields", "at,event,status"] + format)
  }

  /// The test waits for each result before it writes the next line. A program that waited for more input would block
  /// forever.
  @Test func eachEventIsPrintedBeforeTheNextLine() throws {
    let running = try start()
    running.type(LocationServer.line(0, isInside: true))
    for minute in 1...4 {
      running.type(LocationServer.line(minute, isInside: minute.isMultiple(of: 2)))
      let event = minute.isMultiple(of: 2) ? "entry" : "exit"
      #expect(running.read(until: "\n") == "2026-03-04T16:0\(minute):00Z\t\(event)\taccepted\n")
      #expect(try server.batches().map(\.count) == Array(repeating: 1, count: minute))
    }
    running.endInput()
    #expect(running.wait() == 0)
    #expect(running.readToEnd(running.errors) == "")
  }

  @Test func eachJSONElementIsPrintedBeforeTheNextLine() throws {
    let running = try start(["--json"])
    running.type(LocationServer.line(0, isInside: true) + LocationServer.line(1, isInside: false))
    let first = #"{"at":"2026-03-04T16:01:00Z","event":"exit","status":"accepted"}"#
    #expect(running.read(until: "}") == "[\n" + first)
    running.type(LocationServer.line(2, isInside: true))
    let second = #"{"at":"2026-03-04T16:02:00Z","event":"entry","status":"accepted"}"#
    #expect(running.read(until: "}") == ",\n" + second)
    running.endInput()
    #expect(running.readToEnd(running.output) == "\n]\n")
    #expect(running.wait() == 0)
  }

  @Test func anInterruptionReportsSkippedPositions() throws {
    let running = try start()
    running.type(
      "{}\n" + LocationServer.line(1, isInside: true) + LocationServer.line(0, isInside: true)
        + LocationServer.line(2, isInside: false))
    #expect(running.read(until: "\n") == "2026-03-04T16:02:00Z\texit\taccepted\n")
    running.signal(SIGINT)
    #expect(running.wait() == 130)
    #expect(
      running.readToEnd(running.errors) == """
        1 position skipped: invalid, the first in line 1: it has no latitude.
        1 position skipped: earlier than the previous one.
        ifttt: interrupted

        """)
    #expect(try home.run("location", "events", "--json").text == "[]\n")
  }
}
