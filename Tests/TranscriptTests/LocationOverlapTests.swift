import Foundation
import Support
import Testing

/// Overlapping runs for the same user, each in its own process.
@Suite struct LocationOverlapTests {
  private let server: LocationServer
  private let home: Home

  init() throws {
    server = try LocationServer()
    home = try server.homeWithConsent()
  }

  private func start(_ file: String = "-") throws -> Running {
    try home.start([
      "location", "replay", file, "--remember", "--max-age", "7d", "--fields", "at,event", "-o", "tsv", "--no-header",
    ])
  }

  /// Wait until a run has stored its position.
  private func wait(untilSeenAt minute: Int) throws {
    let moment = "2026-03-04T16:0\(minute):00Z\n"
    let words = ["location", "regions", "--max-age", "7d", "--fields", "side_at", "-o", "tsv", "--no-header"]
    try waitUntil(home.run(words).text == moment, pause: 50_000)
  }

  @Test func aTransitionIsReportedByOneRun() throws {
    let (first, second) = (try start(), try start())
    first.type(LocationServer.line(0, isInside: true))
    try wait(untilSeenAt: 0)
    second.type(LocationServer.line(1, isInside: true))
    try wait(untilSeenAt: 1)
    first.type(LocationServer.line(2, isInside: false))
    #expect(first.read(until: "\n") == "2026-03-04T16:02:00Z\texit\n")
    second.type(LocationServer.line(3, isInside: false))
    try wait(untilSeenAt: 3)
    second.type(LocationServer.line(4, isInside: true))
    #expect(second.read(until: "\n") == "2026-03-04T16:04:00Z\tentry\n", "the exit is not reported again")
    first.type(LocationServer.line(5, isInside: true))
    try wait(untilSeenAt: 5)
    for running in [first, second] {
      running.endInput()
      #expect(running.readToEnd() == "" && running.wait() == 0)
    }
    let note =
      "1 event was not reported: another run with --remember has already processed this position or a later one.\n"
    #expect(second.readToEnd(second.errors) == note)
    #expect(try server.batches().flatMap(\.self).map(\.event_type) == ["exit", "entry"])
  }

  /// However the runs interleave, each transition of the track is reported once.
  @Test func overlappingRunsOverFilesReportOnce() throws {
    let path = home.folder.write(
      "walk.jsonl", (0..<60).map { LocationServer.line($0, isInside: $0.isMultiple(of: 2)) }.joined())
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
