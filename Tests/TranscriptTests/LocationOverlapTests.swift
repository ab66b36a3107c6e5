import Foundation
import Support
import Testing

/// Walks of one user that overlap, each a process of its own.
@Suite struct LocationOverlapTests {
  private let server: LocationServer
  private let home: Home

  init() throws {
    server = try LocationServer()
    home = Home(nil, server.environment)
    home.environment["IFTTT_USER_TOKEN"] = "a-token-of-the-tests-0123456789"
    #expect(try home.run("connections", "add", "gg").status == 0)
    #expect(try home.run("location", "on", "gg").status == 0)
  }

  private static func line(_ minute: Int, isInside: Bool) -> String {
    #"{"lat":\#(isInside ? 38.7369 : 39),"lng":-9.1427,"time":\#(1_772_640_000 + minute * 60)}"# + "\n"
  }

  private func start(_ file: String = "-") throws -> Running {
    try home.start([
      "location", "replay", file, "--remember", "--max-age", "7d", "--fields", "at,event", "-o", "tsv", "--no-header",
    ])
  }

  /// Waits until a walk has written where it is.
  private func wait(untilSeenAt minute: Int) throws {
    let moment = "2026-03-04T16:0\(minute):00Z\n"
    while try home.run("location", "regions", "--max-age", "7d", "--fields", "side_at", "-o", "tsv", "--no-header").text
      != moment
    {}
  }

  @Test func aTransitionIsReportedByOneOfThem() throws {
    let (first, second) = (try start(), try start())
    first.type(Self.line(0, isInside: true))
    try wait(untilSeenAt: 0)
    second.type(Self.line(1, isInside: true))
    try wait(untilSeenAt: 1)
    first.type(Self.line(2, isInside: false))
    #expect(first.read(until: "\n") == "2026-03-04T16:02:00Z\texit\n")
    second.type(Self.line(3, isInside: false))
    try wait(untilSeenAt: 3)
    second.type(Self.line(4, isInside: true))
    #expect(second.read(until: "\n") == "2026-03-04T16:04:00Z\tentry\n", "the exit is not reported again")
    first.type(Self.line(5, isInside: true))
    try wait(untilSeenAt: 5)
    for running in [first, second] {
      running.endInput()
      #expect(running.readToEnd() == "" && running.wait() == 0)
    }
    let note = "1 event was not reported again: another run with --remember reported it or knows a later position.\n"
    #expect(second.readToEnd(second.errors) == note)
    #expect(try server.batches().flatMap(\.self).map(\.event_type) == ["exit", "entry"])
  }

  /// However they interleave, each transition of the track is reported once.
  @Test func overFilesToo() throws {
    let path = home.folder.write(
      "walk.jsonl", (0..<60).map { Self.line($0, isInside: $0.isMultiple(of: 2)) }.joined())
    let crowd = try (0..<4).map { _ in try start(path) }
    for running in crowd {
      _ = running.readToEnd()
      #expect(running.wait() == 0)
    }
    let events = try server.batches().flatMap(\.self)
    #expect(Set(events.map(\.occurred_at)).count == 59)
    #expect(events.count == 59)
  }
}
